/* What libupc.a stands on, as one table. */

#include "tools/upcc/upcc.h"

#include <string.h>

struct runtime_row
{
  const char *library;   /* as after -l, or with a '/' before it, beside libupc.a */
  const char *pie;       /* NULL: the same in a position-independent program */
  const char *sanitized; /* NULL: the same with a sanitizer */
  const char *shared;    /* in a shared library */
};

/* liburcu's licence (LGPL) wants that users can replace it, so it is a shared library. Where that is not installed, and with
   -static, it is an archive beside libupc.a, as jemalloc is, so that programs are linked there, too.
   In a shared library jemalloc would need more thread-local storage than there is (runtime/link/library_heap.c).
   jemalloc's is made with libupc.a (runtime/SConscript), without needs of libm and without its malloc.
   With a sanitizer it is a shared library, which the loader finds after the sanitizer's, with its malloc;
   but not for another processor, as nothing is installed for that. */
static const struct runtime_row rows[] = {
  { "/liburcu-cds.a", NULL, ":liburcu-cds.a", "urcu-cds" },
  { "/liburcu-bp.a", NULL, ":liburcu-bp.a", "urcu-bp" },
  { "/liburcu-common.a", NULL, ":liburcu-common.a", "urcu-common" },
  { "/libupc-jemalloc.a", "/libupc-jemalloc_pic.a", "jemalloc", "c" },
  { "m", NULL, NULL, "m" },
  { "pthread", NULL, NULL, "pthread" },
  { "dl", NULL, NULL, "dl" },
};

static bool
is_replaceable (const struct runtime_row *row)
{
  return starts_with (row->shared, "urcu-");
}

/* As after -l, or with a '/' before it. */
static const char *
library_of (const struct runtime_row *row, const struct options *options)
{
  if (options->is_shared)
    return row->shared;
  if (has_sanitizer_of_memory (options) && row->sanitized && !is_cross ())
    return row->sanitized;
  if (is_replaceable (row) && !options->is_static && !is_cross ()
      && has_library (options, row->shared))
    return row->shared;
  return options->is_pie && row->pie ? row->pie : row->library;
}

void
note_missing_libraries (const struct options *options)
{
  static const struct
  {
    const char *part, *package;
  } packages[] = { { "urcu", "liburcu-dev" }, { "jemalloc", "libjemalloc-dev" } };

  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (size_t j = 0; j < sizeof packages / sizeof *packages; j++)
      {
        const char *library = library_of (&rows[i], options);

        if (*library != '/' && strstr (library, packages[j].part)
            && !has_library (options, library))
          note ("Debian has %s in the package %s", library + (*library == ':'),
                packages[j].package);
      }
}

void
add_runtime (struct words *command, const struct options *options, const char *library_file)
{
  /* By this table the runtime's unwinder finds frames. With -static gcc leaves it out: its own unwinder
     has them registered. */
  words_add (command, "-Wl,--eh-frame-hdr");
  /* UPC_BIND=core opens hwloc. */
  if (options->is_static)
    words_add (command, "-Wl,-u,__dlopen");
  words_add_these (command, library_file, "-Wl,--push-state,--as-needed", NULL);
  /* For another processor liburcu's shared libraries are beside libupc.a. */
  if (options->is_shared && is_cross ())
    words_add (command, arena_format ("-L%s", find_library_folder ()));
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    {
      const char *library = library_of (&rows[i], options);

      if (*library == '/')
        words_add (command, arena_format ("%s%s", find_library_folder (), library));
      else
        words_add (command, arena_format ("-l%s", library));
    }
  words_add (command, "-Wl,--pop-state");
}
