/* What a plugin has in place of a runtime: its constants, and a constructor that runs before all
   others and gets them from the program. A separate object; all of it is hidden in the plugin. */

#include "runtime/libc/libc.h"

#define HIDDEN __attribute__ ((visibility ("hidden")))

extern char __upc_shared_start[] HIDDEN, __upc_shared_end[] HIDDEN;

/* Code reads them as constants (include/upct/pointer.h). */
int __upc_mythread HIDDEN;
int *__upc_depth_at HIDDEN;
int __upc_is_first HIDDEN;
char *__upc_plugin_image HIDDEN;

/* Functions that store the initial values of shared variables and of private pointers-to-shared. */
typedef void initialiser (void);
extern initialiser *const __start_upc_init_array[] __attribute__ ((weak)) HIDDEN;
extern initialiser *const __stop_upc_init_array[] __attribute__ ((weak)) HIDDEN;

/* An alias of _Exit, as which the plugin calls the runtime's. */
_Noreturn void _exit (int status) HIDDEN;

_Noreturn void
_exit (int status)
{
  upcr__Exit (status);
}

static void
begin (void)
{
  static const struct upcr_plugin_image image = {
    .shared_start = __upc_shared_start,
    .shared_end = __upc_shared_end,
    .mythread = &__upc_mythread,
    .depth = &__upc_depth_at,
    .image = &__upc_plugin_image,
    .is_first = &__upc_is_first,
  };

  upct_plugin_begin (&image);
  for (initialiser *const *f = __start_upc_init_array; f < __stop_upc_init_array; f++)
    if (*f)
      (*f) ();
}

static void (*const first) (void) __attribute__ ((used, section (".init_array.00000"))) = begin;
