/* The entry points that compilers call for accesses, each with the types of the
   object interface. Compiled once for each representation of a pointer-to-shared. */

#include "runtime/host/host.h"
#include "runtime/shared/shared.h"
#include "tests/unit/child.h"

#include <string.h>

enum
{
  UNITS = 3,
  OFFSET = 8192,
  ROOM = 64
};

typedef unsigned __int128 uint128;

/* Values with a different byte in each place, so that a part moved shows. The first
   ten bytes are a normal number of x87: others do not survive a move. */
static const unsigned char pattern[16] = { 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0xbf,
                                           0x99, 0x3f, 0xbb, 0xcc, 0xdd, 0xee, 0x0f, 0x1f };

static upcr_pts block;

static int
make_segment (void **state)
{
  (void) state;
  THREADS = UNITS;
  upcr_segment_init (UNITS, 0);
  block = upcr_symmetric_alloc (UNITS, 4096);
  return upcr_pts_is_null (block);
}

static upcr_pts
place (int thread, int distance)
{
  return upcr_pts_make (thread, upcr_pts_offset (block) + distance, 0);
}

/* One type: relaxed and strict, with and without a place, aligned and not, in
   another thread's partition. VALUE_BYTES is what of the type carries the value. */
#define ACCESS_TEST(name, type, value_bytes)                                 \
  type __get##name##2(upcr_pts p);                                           \
  type __gets##name##2(upcr_pts p);                                          \
  type __getg##name##3(upcr_pts p, const char *file, int line);              \
  type __getsg##name##3(upcr_pts p, const char *file, int line);             \
  void __put##name##2(upcr_pts p, type value);                               \
  void __puts##name##2(upcr_pts p, type value);                              \
  void __putg##name##4(upcr_pts p, type value, const char *file, int line);  \
  void __putsg##name##4(upcr_pts p, type value, const char *file, int line); \
                                                                             \
  static void check_##name##_at (upcr_pts p)                                 \
  {                                                                          \
    char *memory = upcr_pts_address (p);                                     \
    type value = 0, got;                                                     \
                                                                             \
    memcpy (&value, pattern, value_bytes);                                   \
    for (int form = 0; form < 4; form++)                                     \
      {                                                                      \
        memset (memory - 1, 0x7e, ROOM);                                     \
        if (form == 0)                                                       \
          __put##name##2(p, value);                                          \
        else if (form == 1)                                                  \
          __puts##name##2(p, value);                                         \
        else if (form == 2)                                                  \
          __putg##name##4(p, value, "a.upc", 1);                             \
        else                                                                 \
          __putsg##name##4(p, value, "a.upc", 1);                            \
        assert_memory_equal (memory, pattern, value_bytes);                  \
        assert_int_equal (memory[-1], 0x7e);                                 \
        assert_int_equal (memory[sizeof (type)], 0x7e);                      \
        if (form == 0)                                                       \
          got = __get##name##2(p);                                           \
        else if (form == 1)                                                  \
          got = __gets##name##2(p);                                          \
        else if (form == 2)                                                  \
          got = __getg##name##3(p, "a.upc", 1);                              \
        else                                                                 \
          got = __getsg##name##3(p, "a.upc", 1);                             \
        assert_memory_equal (&got, pattern, value_bytes);                    \
        assert_null (upcr_here.file);                                        \
      }                                                                      \
  }                                                                          \
                                                                             \
  static void test_##name (void **state)                                     \
  {                                                                          \
    (void) state;                                                            \
    check_##name##_at (place (0, 16));                                       \
    check_##name##_at (place (UNITS - 1, 16));                               \
  }

ACCESS_TEST (qi, uint8_t, 1)
ACCESS_TEST (hi, uint16_t, 2)
ACCESS_TEST (si, uint32_t, 4)
ACCESS_TEST (di, uint64_t, 8)
ACCESS_TEST (ti, uint128, 16)
ACCESS_TEST (sf, float, 4)
ACCESS_TEST (df, double, 8)
ACCESS_TEST (tf, long double, 10)
ACCESS_TEST (xf, long double, 10)

/* Members of packed structs: relaxed accesses at any address. */
static void
test_relaxed_unaligned (void **state)
{
  (void) state;
  for (int distance = 17; distance < 32; distance++)
    {
      upcr_pts p = place (1, distance);

      __putdi2 (p, 0x1122334455667788);
      assert_int_equal (__getdi2 (p), 0x1122334455667788);
      __putti2 (p, 5);
      assert_true (__getti2 (p) == 5);
      __putdf2 (p, 2.5);
      assert_true (__getdf2 (p) == 2.5);
      __putxf2 (p, 3.5L);
      assert_true (__getxf2 (p) == 3.5L);
    }
}

/* Bulk copies: every function with and without a place. */
#define BLOCK_FUNCTION(name, with, ...) \
  void name (__VA_ARGS__, size_t n);    \
  void with (__VA_ARGS__, size_t n, const char *file, int line);
BLOCK_FUNCTION (__getblk3, __getgblk5, void *dst, upcr_pts src)
BLOCK_FUNCTION (__getsblk3, __getsgblk5, void *dst, upcr_pts src)
BLOCK_FUNCTION (__putblk3, __putgblk5, upcr_pts dst, void *src)
BLOCK_FUNCTION (__putsblk3, __putsgblk5, upcr_pts dst, void *src)
BLOCK_FUNCTION (__copyblk3, __copygblk5, upcr_pts dst, upcr_pts src)
BLOCK_FUNCTION (__copysblk3, __copysgblk5, upcr_pts dst, upcr_pts src)
BLOCK_FUNCTION (upc_memget, upc_memgetg, void *dst, upcr_pts src)
BLOCK_FUNCTION (upc_memput, upc_memputg, upcr_pts dst, const void *src)
BLOCK_FUNCTION (upc_memcpy, upc_memcpyg, upcr_pts dst, upcr_pts src)
BLOCK_FUNCTION (upc_memset, upc_memsetg, upcr_pts dst, int c)

static const size_t lengths[] = { 0, 1, 3, 16, 33, 1000 };
enum
{
  LENGTHS = sizeof lengths / sizeof lengths[0]
};

typedef void get_function (void *dst, upcr_pts src, size_t n);
typedef void put_function (upcr_pts dst, void *src, size_t n);
typedef void copy_function (upcr_pts dst, upcr_pts src, size_t n);

static void
getg (void *d, upcr_pts s, size_t n)
{
  __getgblk5 (d, s, n, "a.upc", 1);
}
static void
getsg (void *d, upcr_pts s, size_t n)
{
  __getsgblk5 (d, s, n, "a.upc", 1);
}
static void
memgetg (void *d, upcr_pts s, size_t n)
{
  upc_memgetg (d, s, n, "a.upc", 1);
}
static void
putg (upcr_pts d, void *s, size_t n)
{
  __putgblk5 (d, s, n, "a.upc", 1);
}
static void
putsg (upcr_pts d, void *s, size_t n)
{
  __putsgblk5 (d, s, n, "a.upc", 1);
}
static void
memput (upcr_pts d, void *s, size_t n)
{
  upc_memput (d, s, n);
}
static void
memputg (upcr_pts d, void *s, size_t n)
{
  upc_memputg (d, s, n, "a.upc", 1);
}
static void
copyg (upcr_pts d, upcr_pts s, size_t n)
{
  __copygblk5 (d, s, n, "a.upc", 1);
}
static void
copysg (upcr_pts d, upcr_pts s, size_t n)
{
  __copysgblk5 (d, s, n, "a.upc", 1);
}
static void
memcpyg (upcr_pts d, upcr_pts s, size_t n)
{
  upc_memcpyg (d, s, n, "a.upc", 1);
}

#define EACH(i, array) (size_t i = 0; i < sizeof array / sizeof array[0]; i++)

static void
fill (char *bytes, size_t n, int seed)
{
  for (size_t i = 0; i < n; i++)
    bytes[i] = seed + 7 * i;
}

static void
test_get_blocks (void **state)
{
  static get_function *const gets[] = { __getblk3, getg, __getsblk3, getsg, upc_memget, memgetg };
  char got[1001];

  (void) state;
  for
    EACH (f, gets)
    for
      EACH (l, lengths)
      {
        size_t n = lengths[l];
        char *source = upcr_pts_address (place (2, 5));

        fill (source, n, f);
        memset (got, 0x7e, sizeof got);
        gets[f](got, place (2, 5), n);
        assert_memory_equal (got, source, n);
        assert_int_equal (got[n], 0x7e);
        assert_null (upcr_here.file);
      }
}

static void
test_put_blocks (void **state)
{
  static put_function *const puts[] = { __putblk3, putg, __putsblk3, putsg, memput, memputg };
  char source[1000];

  (void) state;
  for
    EACH (f, puts)
    for
      EACH (l, lengths)
      {
        size_t n = lengths[l];
        char *target = upcr_pts_address (place (1, 3));

        fill (source, n, f);
        memset (target, 0x7e, n + 1);
        puts[f](place (1, 3), source, n);
        assert_memory_equal (target, source, n);
        assert_int_equal (target[n], 0x7e);
        assert_null (upcr_here.file);
      }
}

static void
test_copy_blocks (void **state)
{
  static copy_function *const copies[] = { __copyblk3, copyg,      __copysblk3,
                                           copysg,     upc_memcpy, memcpyg };

  (void) state;
  for
    EACH (f, copies)
    for
      EACH (l, lengths)
      {
        size_t n = lengths[l];
        char *source = upcr_pts_address (place (0, 1)), *target = upcr_pts_address (place (2, 2));

        fill (source, n, f);
        memset (target, 0x7e, n + 1);
        copies[f](place (2, 2), place (0, 1), n);
        assert_memory_equal (target, source, n);
        assert_int_equal (target[n], 0x7e);
        assert_null (upcr_here.file);
      }
}

/* Compilers copy structs with it, one to itself too. */
static void
test_copy_to_itself (void **state)
{
  char *bytes = upcr_pts_address (place (1, 0)), before[100];

  (void) state;
  fill (bytes, 100, 9);
  memcpy (before, bytes, 100);
  __copyblk3 (place (1, 0), place (1, 0), 100);
  assert_memory_equal (bytes, before, 100);
}

static void
test_memset (void **state)
{
  char *bytes = upcr_pts_address (place (1, 0));

  (void) state;
  for
    EACH (l, lengths)
    {
      bytes[lengths[l]] = 0x7e;
      upc_memset (place (1, 0), 0x1a5, lengths[l]);
      for (size_t i = 0; i < lengths[l]; i++)
        assert_int_equal (bytes[i], (char) 0xa5);
      assert_int_equal (bytes[lengths[l]], 0x7e);
      upc_memsetg (place (1, 0), 3, lengths[l], "a.upc", 1);
      for (size_t i = 0; i < lengths[l]; i++)
        assert_int_equal (bytes[i], 3);
      assert_int_equal (bytes[lengths[l]], 0x7e);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_qi),          cmocka_unit_test (test_hi),
    cmocka_unit_test (test_si),          cmocka_unit_test (test_di),
    cmocka_unit_test (test_ti),          cmocka_unit_test (test_sf),
    cmocka_unit_test (test_df),          cmocka_unit_test (test_tf),
    cmocka_unit_test (test_xf),          cmocka_unit_test (test_relaxed_unaligned),
    cmocka_unit_test (test_get_blocks),  cmocka_unit_test (test_put_blocks),
    cmocka_unit_test (test_copy_blocks), cmocka_unit_test (test_copy_to_itself),
    cmocka_unit_test (test_memset),
  };

  return cmocka_run_group_tests (tests, make_segment, NULL);
}
