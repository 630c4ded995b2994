/* Whether the threads' calls for a file agree (check.c). */

#ifndef UPCR_IO_CHECK_H
#define UPCR_IO_CHECK_H

#include "runtime/host/host.h"
#include "runtime/io/file.h"

enum
{
  UPCR_IO_ARGUMENTS = 5
};

/* A thread's call of WHAT with those arguments that are single-valued; others are empty. */
struct upcr_io_call
{
  const char *what;
  struct
  {
    const char *name;
    long value;
  } arguments[UPCR_IO_ARGUMENTS];
};

/* Ends the run unless it is the call of the other threads. */
void upcr_io_compare (struct upcr_file *file, const struct upcr_io_call *call);

/* UPCR_IO_CHECK (file, "upc_all_fset_size", { "size", size }): with UPC_CHECK=1 alone. */
#define UPCR_IO_CHECK(file, what, ...)                                           \
  do                                                                             \
    {                                                                            \
      if (upcr_options.check)                                                    \
        upcr_io_compare (file, &(struct upcr_io_call){ what, { __VA_ARGS__ } }); \
    }                                                                            \
  while (0)

#endif
