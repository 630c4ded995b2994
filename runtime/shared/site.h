/* The places at which blocks of the checked heap are allocated and freed. A site is a function
   of the library and the statement that called it. Sites are never freed. */

#ifndef UPCR_SITE_H
#define UPCR_SITE_H

#include <stddef.h>
#include <stdint.h>

enum
{
  UPCR_SITE_FRAMES = 12 /* of which the innermost are the runtime's own */
};

/* Fields                        written by                        read by
   what, file, line, frames, n   who makes it, before others see   anyone
   next                          who makes it                      under the heap's lock
   blocks, bytes                 under the heap's lock             the same

   The line is that which the `g` entry point says, or FILE is NULL and the frames say it. BLOCKS
   and BYTES are of what was allocated here and is not freed. */
struct upcr_site
{
  struct upcr_site *next;
  const char *what;
  const char *file;
  int line;
  int n;
  const void *frames[UPCR_SITE_FRAMES];
  uint64_t blocks, bytes;
};

/* The site of the calling thread, which is in WHAT: to be called under the heap's lock. NULL: there
   is no memory. */
struct upcr_site *upcr_site_of_caller (const char *what);

/* The same of SITE, which another process of the program has found, where a function of its is DISTANCE before this one's. */
struct upcr_site *upcr_site_of_other (struct upcr_site site, intptr_t distance);

/* The site behind SITE in the table, the first one behind NULL; NULL at the end. Under
   the heap's lock, or by the last thread of a run. */
struct upcr_site *upcr_next_site (struct upcr_site *site);

/* Writes ` at f.upc:12`; or nothing, if that is not known. Returns the length, as snprintf. */
int upcr_site_text (const struct upcr_site *site, char *text, size_t bytes);

#endif
