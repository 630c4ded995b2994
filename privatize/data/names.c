/* All names that upc-privatize knows. */

#include "privatize/data/names.h"

#include "privatize/arch/arch.h"
#include "tools/common/common.h"

#include <stdlib.h>
#include <string.h>

/* Variables that libupc.a defines for each UPC thread (runtime/host/private.c): private, or
   all but the first thread-local where TARGET_VARIABLES_ARE_TLS. */
static const char *const runtime_variables[] = {
  "MYTHREAD",        "__upc_mythread",   "__upc_forall_depth", "__upc_page1_ref",
  "__upc_page2_ref", "__upc_page1_base", "__upc_page2_base",   "upcr_private_delta",
  "__upc_depth",     "upcr_has_threads",
};

/* Private ones that are in place of libc's. */
static const char *const libc_variables[] = {
#define VARIABLE(type, name) "upcr_" #name,
#include "runtime/libc/functions.def"
};

struct renaming
{
  const char *from;
  const char *to;
};

/* Names of libc for which the runtime has a version per thread. Sorted by
   libc_name. */
static struct renaming libc_names[] = {
#define FUNCTION(type, name, parameters) { #name, "upcr_" #name },
#define NAMED(type, symbol, name, parameters) { #symbol, "upcr_" #name },
#define ALIAS(symbol, name) { #symbol, "upcr_" #name },
#define VARIABLE(type, name) { #name, "upcr_" #name },
#include "runtime/libc/functions.def"
};

/* The same for compilers' libraries, which not every program is linked with. */
static const struct renaming compiler_names[] = {
#define COMPILER(type, symbol, name, parameters) { #symbol, "upcr_" #name },
#include "runtime/libc/functions.def"
};

/* clang-format off */

/* Writable sections that all threads share. A `*` at the end matches any rest. */
static const char *const process_sections[] = {
  "upc_init_array", "upc_pgm_info", "upc_objects", /* the runtime's tables */
  "upc_process",                        /* the user's choice */
  "upc_ctors", "upc_dtors", "upc_ranked_ctors", "upc_ranked_dtors", /* made by this tool */
  ".eh_frame*", ".gcc_except_table*",   /* the unwinder's */
  ".data.rel.local.DW.ref.*", ".data.DW.ref.*", ".data.rel.DW.ref.*", /* and its pointers */
  ".tm_clone_table", ".note*", ".jcr",
  "__patchable_function_entries",
  "__llvm_prf_*", "__llvm_cov*",        /* counters that a library of LLVM writes to a file */
};

/* clang-format on */

static const char *const tables[] = {
  "upc_private",
  "upc_fixups",
  "upc_tls_fixups",
  "upc_choices",
};

/* What glibc's manual says is replaced together. */
static const char *const allocators[] = {
  "malloc",   "calloc",         "realloc", "free",    "aligned_alloc",
  "memalign", "posix_memalign", "valloc",  "pvalloc", "malloc_usable_size",
};

#define COUNT(table) (sizeof (table) / sizeof *(table))

static bool
is_one_of (const char *name, const char *const *names, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (strcmp (name, names[i]) == 0)
      return true;
  return false;
}

bool
is_runtime_variable (const char *name)
{
  size_t private = TARGET_VARIABLES_ARE_TLS ? 1 : COUNT (runtime_variables);

  return is_one_of (name, runtime_variables, private)
         || is_one_of (name, libc_variables, COUNT (libc_variables));
}

static int
compare_text (const void *name, const void *row)
{
  return strcmp (name, *(const char *const *) row);
}

bool
is_runtime_name (const char *name)
{
  return bsearch (name, runtime_names, runtime_name_count, sizeof *runtime_names, compare_text);
}

bool
is_allocator (const char *name)
{
  return is_one_of (name, allocators, COUNT (allocators));
}

bool
is_table (const char *name)
{
  return is_one_of (name, tables, COUNT (tables));
}

bool
is_process_section (const char *name)
{
  for (size_t i = 0; i < COUNT (process_sections); i++)
    {
      const char *pattern = process_sections[i];
      size_t n = strlen (pattern);
      if (pattern[n - 1] == '*' ? strncmp (name, pattern, n - 1) == 0 : strcmp (name, pattern) == 0)
        return true;
    }
  return is_table (name);
}

static int
compare_names (const void *a, const void *b)
{
  return strcmp (((const struct renaming *) a)->from, ((const struct renaming *) b)->from);
}

/* The runtime's name for something of libc, or NULL. Every undefined symbol is looked up. */
static const char *
libc_name (const char *name)
{
  static bool is_sorted;
  const struct renaming wanted = { name, NULL }, *found;

  if (!is_sorted)
    qsort (libc_names, COUNT (libc_names), sizeof *libc_names, compare_names);
  is_sorted = true;
  found = bsearch (&wanted, libc_names, COUNT (libc_names), sizeof *libc_names, compare_names);
  return found ? found->to : NULL;
}

bool
is_libc_name (const char *name)
{
  return libc_name (name);
}

const char *
runtime_name (const char *name)
{
  const char *own = libc_name (name);

  for (size_t i = 0; !own && i < COUNT (compiler_names); i++)
    if (strcmp (name, compiler_names[i].from) == 0)
      own = compiler_names[i].to;
  return own;
}
