/* Hostile input for upc-privatize: any bytes are an object, an archive, or refused. No
   crash, no hang, no memory that grows with a number in the file.

   The body runs three ways. Linked with libFuzzer (`scons fuzz`) it is driven by that.
   Else this is a program: with files as arguments, or AFL++'s @@, it runs each; with
   `--mutate N` it also runs N changed versions of each, always the same ones.

   upc-privatize leaves its memory to the end of the process. Here it is tracked, and
   given back after each input; errors come back by longjmp. */

#include "privatize/program/program.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum
{
  MOST_SECONDS = 20, /* of CPU time, for one input */
  LEVELS = 8
};

/* More than any input of the size may lead to. */
#define MOST_BYTES (256ul << 20)

int LLVMFuzzerTestOneInput (const unsigned char *data, size_t size);
void upcr_fuzz_free (void *memory);

/* In front of each allocation: a ring. */
struct block
{
  struct block *next, *previous;
  size_t bytes;
  size_t unused; /* keeps the alignment of 16 */
};

static struct block ring = { &ring, &ring, 0, 0 };
static size_t live_bytes;
static jmp_buf refused;

static void
link_block (struct block *block, size_t bytes)
{
  block->bytes = bytes;
  block->next = &ring;
  block->previous = ring.previous;
  block->previous->next = ring.previous = block;
  live_bytes += bytes;
  if (live_bytes > MOST_BYTES)
    abort ();
}

static void
unlink_block (struct block *block)
{
  live_bytes -= block->bytes;
  block->next->previous = block->previous;
  block->previous->next = block->next;
}

void
upcr_fuzz_free (void *memory)
{
  if (!memory)
    return;
  unlink_block ((struct block *) memory - 1);
  free ((struct block *) memory - 1);
}

static void
free_all (void)
{
  while (ring.next != &ring)
    upcr_fuzz_free (ring.next + 1);
}

/* In place of tools/common/message.c and memory.c, and of privatize/elf/report.c. */

static _Noreturn void
refuse (const char *format, va_list args)
{
  char text[1024];

  vsnprintf (text, sizeof text, format, args);
  longjmp (refused, 1);
}

void
fail (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  refuse (format, args);
}

void
fail_file (const char *file, const char *format, ...)
{
  va_list args;

  (void) file;
  va_start (args, format);
  refuse (format, args);
}

void
report_error (struct object *object, const struct section *section, uint64_t offset,
              const char *format, ...)
{
  char text[1024];
  va_list args;

  (void) section, (void) offset;
  object->error_count++;
  va_start (args, format);
  vsnprintf (text, sizeof text, format, args);
  va_end (args);
}

static void *
resize (void *memory, size_t count, size_t size)
{
  struct block *block = memory ? (struct block *) memory - 1 : NULL;
  size_t bytes;

  if (__builtin_mul_overflow (count, size, &bytes) || bytes > MOST_BYTES)
    fail ("out of memory");
  if (block)
    unlink_block (block);
  block = realloc (block, sizeof *block + bytes);
  if (!block)
    abort ();
  link_block (block, bytes);
  return block + 1;
}

void *
xmalloc (size_t size)
{
  return resize (NULL, size, 1);
}

void *
xcalloc (size_t count, size_t size)
{
  return memset (resize (NULL, count, size), 0, count * size);
}

void *
grow_array (void *items, size_t count, size_t *capacity, size_t size)
{
  size_t old = *capacity;

  if (count <= old)
    return items;
  *capacity = count + count / 2;
  items = resize (items, *capacity, size);
  memset ((char *) items + old * size, 0, (*capacity - old) * size);
  return items;
}

static struct program program;
static int nowhere = -1; /* for what would be written */

/* All phases, up to the bytes that would be written. */
static void
privatize (const unsigned char *data, size_t size)
{
  struct input archive = { .path = "in.a", .is_archive = is_archive (data, size) };
  size_t errors = 0;

  if (archive.is_archive)
    add_members (&program, &archive, data, size);
  else
    add_object (&program, "in.o", memcpy (xmalloc (size), data, size), size);
  find_private (&program);
  transform (&program);
  tabulate (&program);
  for (size_t i = 0; i < program.object_count; i++)
    errors += program.objects[i].error_count;
  if (errors)
    return;
  finalize_indexes (&program);
  rebuild_relocations (&program);
  if (archive.is_archive)
    {
      archive.count = program.object_count;
      write_archive (&program, &archive, nowhere);
    }
  else
    upcr_fuzz_free (object_image (&program.objects[0], &size));
}

static int
lowest_free_descriptor (void)
{
  int lowest = open ("/dev/null", O_RDONLY | O_CLOEXEC);

  close (lowest);
  return lowest;
}

int
LLVMFuzzerTestOneInput (const unsigned char *data, size_t size)
{
  /* Static, so that it survives a longjmp; libFuzzer has files open, now more, now fewer. */
  static int before;

  /* The members of a thin archive are other files. */
  if (size >= 8 && memcmp (data, "!<thin>\n", 8) == 0)
    return 0;
  if (nowhere < 0)
    nowhere = open ("/dev/null", O_WRONLY | O_CLOEXEC);
  before = lowest_free_descriptor ();
  if (setjmp (refused) == 0)
    privatize (data, size);
  for (size_t i = 0; i < program.object_count; i++)
    elf_end (program.objects[i].elf);
  arena_reset ();
  free_all ();
  program = (struct program){ 0 };
  /* Descriptors that an input leaves open would be too many one day. */
  if (lowest_free_descriptor () != before)
    abort ();
  return 0;
}

#ifndef UPCT_LIBFUZZER

/* xorshift64*: the same numbers everywhere. */
static uint64_t
next_random (uint64_t *state)
{
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * 0x2545f4914f6cdd1d;
}

/* A place to change: anywhere, or in the table of sections, which says what is where. */
static size_t
choose_place (const unsigned char *data, size_t size, uint64_t *state)
{
  Elf64_Ehdr header;
  uint64_t number = next_random (state) >> 8;

  if (size > sizeof header && number % 2)
    {
      memcpy (&header, data, sizeof header);
      if (header.e_shoff < size)
        return header.e_shoff + next_random (state) % (size - header.e_shoff);
    }
  return next_random (state) % size;
}

static void
change (unsigned char *data, size_t size, uint64_t *state)
{
  static const uint64_t numbers[] = { 0,
                                      1,
                                      0x7f,
                                      0x80,
                                      0xff,
                                      0x7fff,
                                      0xffff,
                                      0x7fffffff,
                                      0x80000000,
                                      0xffffffff,
                                      0x7fffffffffffffff,
                                      UINT64_MAX,
                                      8,
                                      16,
                                      24 };
  size_t at = choose_place (data, size, state), width = 1u << (next_random (state) >> 8) % 4;
  uint64_t kind = (next_random (state) >> 8) % 4, number = next_random (state);

  if (kind == 0)
    number = numbers[number % (sizeof numbers / sizeof *numbers)];
  else if (kind == 1)
    number = (next_random (state) >> 8) % (size + 1);
  else if (kind == 2)
    {
      memcpy (&number, data + at, at + 8 <= size ? 8 : 1);
      number += (next_random (state) >> 8) % 17 - 8;
    }
  if (width > size - at)
    width = 1;
  memcpy (data + at, &number, width);
}

/* A tool that goes on for ever ends by SIGPROF. */
static void
limit_time (void)
{
  struct itimerval limit = { .it_value.tv_sec = MOST_SECONDS };

  setitimer (ITIMER_PROF, &limit, NULL);
}

static void
run_mutations (const unsigned char *seed, size_t size, unsigned long count)
{
  uint64_t state = size * 2 + 1;

  for (unsigned long i = 0; i < count && size; i++)
    {
      unsigned char *data = malloc (size);
      size_t length = size;
      if (!data)
        abort ();
      memcpy (data, seed, size);
      for (uint64_t n = 1 + (next_random (&state) >> 8) % LEVELS; n; n--)
        change (data, size, &state);
      if ((next_random (&state) >> 8) % 16 == 0)
        length = next_random (&state) % size;
      /* Its own block of the exact length, so that a sanitizer sees what is beyond. */
      data = realloc (data, length + !length);
      limit_time ();
      LLVMFuzzerTestOneInput (data, length);
      free (data);
    }
}

int
main (int argc, char **argv)
{
  /* Static, so that they survive a longjmp. */
  static unsigned long mutations;
  static int first = 1, i;

  if (argc > 2 && strcmp (argv[1], "--mutate") == 0)
    {
      mutations = strtoul (argv[2], NULL, 10);
      first = 3;
    }
  for (i = first; i < argc; i++)
    {
      size_t size;
      unsigned char *copy, *data;
      if (setjmp (refused))
        continue;
      data = read_file (argv[i], &size);
      copy = malloc (size + !size);
      if (!copy)
        abort ();
      memcpy (copy, data, size);
      upcr_fuzz_free (data);
      limit_time ();
      LLVMFuzzerTestOneInput (copy, size);
      run_mutations (copy, size, mutations);
      free (copy);
    }
  return 0;
}

#endif
