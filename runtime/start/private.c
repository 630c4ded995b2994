/* What upc-privatize makes each UPC thread run: resolvers of indirect functions, constructors
   and destructors. The tables are sections of the program. A program without pointers or
   constructors has none, so their bounds are weak. */

#include "runtime/start/start.h"

#include <link.h>
#include <stdint.h>

/* The private word at WHERE, which is relative to itself, is to hold what the resolver of an
   indirect function returns. */
struct choice
{
  int32_t where;
  void *(*resolve) (void);
};

typedef void constructor (int argc, char **argv, char **envp);
typedef void destructor (void);

/* Of objects that were rewritten apart from each other: those with a priority, in the
   order of linking. Their order is found while they are run; there are few. */
struct ranked
{
  union
  {
    constructor *construct;
    destructor *destruct;
  };
  int64_t priority;
};

#define BOUND __attribute__ ((weak, visibility ("hidden")))
extern const struct choice __start_upc_choices[] BOUND, __stop_upc_choices[] BOUND;
extern constructor *const __start_upc_ctors[] BOUND, *const __stop_upc_ctors[] BOUND;
extern destructor *const __start_upc_dtors[] BOUND, *const __stop_upc_dtors[] BOUND;

extern const struct ranked __start_upc_ranked_ctors[] BOUND, __stop_upc_ranked_ctors[] BOUND;
extern const struct ranked __start_upc_ranked_dtors[] BOUND, __stop_upc_ranked_dtors[] BOUND;

/* No priority; all are between. */
#define BEFORE_ALL INT64_MIN
#define AFTER_ALL INT64_MAX

/* The least priority above LAST, or AFTER_ALL. */
static int64_t
next_priority (const struct ranked *from, const struct ranked *to, int64_t last)
{
  int64_t next = AFTER_ALL;

  for (; from < to; from++)
    if (from->priority > last && from->priority < next)
      next = from->priority;
  return next;
}

/* The greatest priority below LAST, or BEFORE_ALL. */
static int64_t
previous_priority (const struct ranked *from, const struct ranked *to, int64_t last)
{
  int64_t previous = BEFORE_ALL;

  for (; from < to; from++)
    if (from->priority < last && from->priority > previous)
      previous = from->priority;
  return previous;
}

void
upcr_private_resolve (void)
{
  for (const struct choice *c = __start_upc_choices; c < __stop_upc_choices; c++)
    *(void **) ((char *) c + c->where + upcr_private_delta) = c->resolve ();
}

void
upcr_private_construct (int argc, char **argv, char **envp)
{
  const struct ranked *from = __start_upc_ranked_ctors, *to = __stop_upc_ranked_ctors;
  int64_t priority = BEFORE_ALL;

  while ((priority = next_priority (from, to, priority)) != AFTER_ALL)
    for (const struct ranked *r = from; r < to; r++)
      if (r->priority == priority)
        r->construct (argc, argv, envp);
  for (constructor *const *f = __start_upc_ctors; f < __stop_upc_ctors; f++)
    (*f) (argc, argv, envp);
}

void
upcr_private_destruct (void)
{
  const struct ranked *from = __start_upc_ranked_dtors, *to = __stop_upc_ranked_dtors;
  int64_t priority = AFTER_ALL;

  for (destructor *const *f = __stop_upc_dtors; f > __start_upc_dtors;)
    (*--f) ();
  while ((priority = previous_priority (from, to, priority)) != BEFORE_ALL)
    for (const struct ranked *r = to; r > from;)
      if ((--r)->priority == priority)
        r->destruct ();
}

void __lsan_register_root_region (const void *start, size_t bytes) __attribute__ ((weak));

void
upcr_keep_range (const void *start, size_t bytes)
{
  if (__lsan_register_root_region)
    __lsan_register_root_region (start, bytes);
}

static void
keep_range (void *start, size_t bytes, void *unused)
{
  (void) unused;
  upcr_keep_range (start, bytes);
}

/* The program, the runtime with it, is the first of the loaded objects. */
static int
find_program_tls (struct dl_phdr_info *info, size_t size, void *bytes)
{
  (void) size;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_TLS)
      {
        size_t alignment = info->dlpi_phdr[i].p_align ? info->dlpi_phdr[i].p_align : 1;
        *(size_t *) bytes = (info->dlpi_phdr[i].p_memsz + alignment - 1) & -alignment;
      }
  return 1;
}

void
upcr_private_keep (void)
{
  size_t bytes = 0;

  upcr_each_private_range (keep_range, NULL);
  dl_iterate_phdr (find_program_tls, &bytes);
  if (bytes)
    upcr_keep_range ((char *) __builtin_thread_pointer () - bytes, bytes);
}
