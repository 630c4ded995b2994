/* What upc-privatize leaves for run time: pointers to private data, constructors
   and destructors. The tables are sections of the program; a program without
   pointers or constructors has none, so their bounds are weak. */

#include "runtime/start/private.h"

#include <stdint.h>
#include <string.h>

/* The word at WHERE is to hold the address WHAT; both are offsets from the thread
   pointer. */
struct fixup
{
  int32_t where;
  int32_t what;
};

typedef void constructor (int argc, char **argv, char **envp);
typedef void destructor (void);

#define BOUND __attribute__ ((weak, visibility ("hidden")))
extern const struct fixup __start_upc_fixups[] BOUND, __stop_upc_fixups[] BOUND;
extern constructor *const __start_upc_ctors[] BOUND, *const __stop_upc_ctors[] BOUND;
extern destructor *const __start_upc_dtors[] BOUND, *const __stop_upc_dtors[] BOUND;

void
upcr_private_fix (void)
{
  char *here = __builtin_thread_pointer ();

  for (const struct fixup *f = __start_upc_fixups; f < __stop_upc_fixups; f++)
    {
      void *what = here + f->what;
      /* A pointer in a packed struct has any alignment. */
      memcpy (here + f->where, &what, sizeof what);
    }
}

void
upcr_private_construct (int argc, char **argv, char **envp)
{
  for (constructor *const *f = __start_upc_ctors; f < __stop_upc_ctors; f++)
    (*f) (argc, argv, envp);
}

void
upcr_private_destruct (void)
{
  for (destructor *const *f = __stop_upc_dtors; f > __start_upc_dtors;)
    (*--f) ();
}

void
upcr_private_begin (int argc, char **argv, char **envp)
{
  upcr_private_fix ();
  upcr_private_construct (argc, argv, envp);
}

void
upcr_private_end (void)
{
  upcr_private_destruct ();
}
