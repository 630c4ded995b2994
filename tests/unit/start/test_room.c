/* Room for private blocks, where the processor takes a negative base and where not. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/arch/arch.h"

/* What takes the place of the processor's answer. */
static bool takes_negative_base;

#define upcr_takes_negative_base() takes_negative_base
#include "runtime/start/room.c"
#undef upcr_takes_negative_base

#define FLAGS (MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE)

enum
{
  DATA_BYTES = 1 << 16,
  BLOCK_BYTES = 1 << 20
};

/* Private data that the kernel finds room for below, as that of a shared library. */
static int
map_data (void **state)
{
  char *data = mmap (NULL, DATA_BYTES, PROT_NONE, FLAGS, -1, 0);

  (void) state;
  if (data == MAP_FAILED)
    return -1;
  upcr_private_data.start = data;
  upcr_private_data.end = data + DATA_BYTES;
  return 0;
}

static int
unmap_data (void **state)
{
  (void) state;
  return munmap (upcr_private_data.start, DATA_BYTES);
}

static bool
note_stack (const struct upcr_mapping *mapping, void *data)
{
  uintptr_t *begin = data;

  if (strcmp (mapping->name, "[stack]") == 0)
    *begin = mapping->begin;
  return !*begin;
}

static void
blocks_are_above (void **state)
{
  uintptr_t stack = 0;
  char *room;

  (void) state;
  takes_negative_base = false;
  room = upcr_map_room (BLOCK_BYTES);
  assert_true (room >= upcr_private_data.end);
  assert_int_equal (mprotect (room, BLOCK_BYTES, PROT_READ | PROT_WRITE), 0);
  memset (room, 1, BLOCK_BYTES);
  upcr_each_mapping (note_stack, &stack);
  assert_true (stack != 0);
  assert_true ((uintptr_t) room > stack || stack - (uintptr_t) room > BLOCK_BYTES + (8ul << 20));
  assert_int_equal (munmap (room, BLOCK_BYTES), 0);
}

static char *
map_anywhere (void)
{
  char *room = mmap (NULL, BLOCK_BYTES, PROT_NONE, FLAGS, -1, 0);

  assert_int_equal (munmap (room, BLOCK_BYTES), 0);
  return room;
}

static void
blocks_are_where_the_kernel_likes (void **state)
{
  char *room, *other;

  (void) state;
  takes_negative_base = true;
  other = map_anywhere ();
  /* qemu likes another place each time. */
  if (map_anywhere () != other)
    skip ();
  room = upcr_map_room (BLOCK_BYTES);
  assert_ptr_equal (room, other);
  assert_int_equal (munmap (room, BLOCK_BYTES), 0);
}

/* More than stacks lie apart at most, and more than all addresses. */
static void
what_has_no_room_above_is_below_or_nowhere (void **state)
{
  size_t bytes = 1ul << 41;
  char *room;

  (void) state;
  takes_negative_base = false;
  /* qemu has more addresses than it says, and a record for each page. */
  if (upcr_address_end () < 64 * bytes)
    skip ();
  room = upcr_map_room (bytes);
  assert_true (room == MAP_FAILED || room < upcr_private_data.start);
  if (room != MAP_FAILED)
    assert_int_equal (munmap (room, bytes), 0);
  assert_ptr_equal (upcr_map_room (upcr_address_end ()), MAP_FAILED);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown (blocks_are_above, map_data, unmap_data),
    cmocka_unit_test_setup_teardown (blocks_are_where_the_kernel_likes, map_data, unmap_data),
    cmocka_unit_test_setup_teardown (what_has_no_room_above_is_below_or_nowhere, map_data,
                                     unmap_data),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
