/* LeakSanitizer (leaks.h). It asks at the end of a process whether to look. */

#include "runtime/net/leaks.h"

void __lsan_disable (void) __attribute__ ((weak));
void __lsan_enable (void) __attribute__ ((weak));
int __lsan_do_recoverable_leak_check (void) __attribute__ ((weak));
int __lsan_is_turned_off (void);

static bool has_looked;

int
__lsan_is_turned_off (void)
{
  return has_looked;
}

/* What threads of theirs keep. A program may have a list of its own. */
const char *__lsan_default_suppressions (void);
const char *__lsan_default_options (void);

__attribute__ ((weak)) const char *
__lsan_default_suppressions (void)
{
  return "leak:libmpi\nleak:libopen-\nleak:libpmi\nleak:libuc\nleak:libevent\nleak:libfabric\n";
}

__attribute__ ((weak)) const char *
__lsan_default_options (void)
{
  return "print_suppressions=0";
}

void
upcr_leaks_ignore (void)
{
  if (__lsan_disable)
    __lsan_disable ();
}

void
upcr_leaks_heed (void)
{
  if (__lsan_enable)
    __lsan_enable ();
}

bool
upcr_has_leaks (void)
{
  bool is_any = __lsan_do_recoverable_leak_check && __lsan_do_recoverable_leak_check ();

  has_looked = true;
  return is_any;
}
