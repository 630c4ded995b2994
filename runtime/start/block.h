/* Private data, for the files that make the blocks: its ranges (ranges.c), the parts of them that the
   program's file has (program_file.c), their initial values (initial.c), room for the blocks (room.c) and
   the blocks (block.c), which says what a block is. */

#ifndef UPCR_BLOCK_H
#define UPCR_BLOCK_H

#include "runtime/arch/arch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define BOUND __attribute__ ((weak, visibility ("hidden")))

#define PAGE_BYTES ((size_t) UPCR_PAGE_BYTES)

/* What runs before libc's initialisation and a sanitizer's is not instrumented, nor what reads
   the memory around variables, nor what writes private ones: gcc's ThreadSanitizer does not
   know that they are not where the linker has put them. */
#define RAW __attribute__ ((no_sanitize ("address", "thread", "undefined")))

static inline char *
page_of (const char *address)
{
  return (char *) ((uintptr_t) address & -PAGE_BYTES);
}

static inline char *
page_after (const char *address)
{
  return page_of (address + PAGE_BYTES - 1);
}

/* ---- Ranges (ranges.c) ---- */

/* Sections that are next to each other, all zero or none. */
struct upcr_range
{
  char *start, *end;
  bool is_zero;
};

/* Written before there are other threads. */
struct upcr_private_data
{
  struct upcr_range *ranges; /* in the order of addresses */
  size_t count;
  char *start, *end; /* all of them, in whole pages */
  size_t alignment;  /* the greatest of a section, a page at least */
  size_t zero_bytes;
};

extern struct upcr_private_data upcr_private_data;

/* Finds them; false where there is no memory. */
bool upcr_find_ranges (void);

/* Memory, zeroed, before there is a malloc; null where there is none. */
void *upcr_map_memory (size_t bytes);

/* ---- The program's file (program_file.c) ---- */

struct upcr_program_file
{
  int file, page_map; /* -1: not open */
  /* Bytes of memory that the file has, from OFFSET on. */
  struct upcr_segment
  {
    const char *start, *end;
    off_t offset;
  } segment;
  const char *first;     /* page that the entries are about, which were read at once */
  uint64_t entries[512]; /* of the kernel's page map */
};

/* False where the file or the page map is not to be had: then neither is open. */
bool upcr_program_open (struct upcr_program_file *program);

void upcr_program_close (struct upcr_program_file *program);

/* The next questions are about the segment that ADDRESS is in. */
void upcr_program_seek (struct upcr_program_file *program, const char *address);

/* Is the page as the file has it? */
bool upcr_program_has (struct upcr_program_file *program, const char *page);

off_t upcr_program_offset (const struct upcr_program_file *program, const char *page);

/* How far from where it was linked the program is loaded. */
long upcr_load_bias (void);

/* ---- Room for the blocks (room.c) ---- */

/* BYTES of addresses without access, if possible such as a base may lead to; MAP_FAILED, and errno, where there is
   no memory. */
char *upcr_map_room (size_t bytes);

/* ---- Initial values (initial.c) ---- */

/* Saves those of the ranges; false where there is no memory for them. Before any constructor. */
bool upcr_initial_save (void);

/* Maps those of the program's file into the block that is DELTA from the program's private data;
   false, and errno, where it cannot. */
bool upcr_initial_map (long delta);

/* No more blocks will be mapped: the program's files have the numbers that they have in a
   process. */
void upcr_initial_close (void);

/* Copies the others. */
void upcr_initial_copy (long delta);

/* thread_words.c: adds DELTA to the addresses of private data that the calling thread's thread-local
   variables have as initial values. */
void upcr_fix_thread_locals (long delta);

#endif
