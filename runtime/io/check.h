/* Whether the threads' calls agree (check.c). */

#ifndef UPCR_IO_CHECK_H
#define UPCR_IO_CHECK_H

#include "runtime/host/host.h"
#include "runtime/io/file.h"

enum
{
  UPCR_IO_ARGUMENTS = 6
};

/* A thread's call of WHAT for FILE, if it has one already, with those arguments that are single-valued;
   others are empty. */
struct upcr_io_call
{
  const char *what;
  const struct upcr_file *file;
  struct
  {
    const char *name; /* *NAME: what it points to, of which the value is a hash */
    long value;
  } arguments[UPCR_IO_ARGUMENTS];
};

/* Ends the run unless it is the call of the other threads. */
void upcr_io_compare (const struct upcr_io_call *call);

/* ERROR, an errno with which WHAT fails for its arguments. With UPC_CHECK=1 ends the run, and says WHY. */
int upcr_io_error (int error, const char *what, const char *why);

/* Hashes of what arguments point to. */
uint64_t upcr_io_hash_text (const char *text);
uint64_t upcr_io_hash_hints (size_t count, const struct upcr_hint *hints);

/* UPCR_IO_CHECK (file, "upc_all_fset_size", { "size", size }): with UPC_CHECK=1 alone. */
#define UPCR_IO_CHECK(file, what, ...)                                           \
  do                                                                             \
    {                                                                            \
      if (upcr_options.check)                                                    \
        upcr_io_compare (&(struct upcr_io_call){ what, file, { __VA_ARGS__ } }); \
    }                                                                            \
  while (0)

#endif
