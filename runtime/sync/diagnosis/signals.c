/* Which signals the program handles. */

#include "runtime/sync/diagnosis/signals.h"

#include <signal.h>
#include <stddef.h>

/* Written before there are other threads. */
static void (*handlers_at_start[NSIG]) (int);

/* The handler of a signal; SIG_DFL when there is none. */
static void (*handler_of (int number)) (int)
{
  struct sigaction action;

  if (sigaction (number, NULL, &action) || action.sa_handler == SIG_IGN)
    return SIG_DFL;
  return action.sa_handler;
}

/* Signals of the program's own errors are handled where no thread waits. */
static bool
is_of_an_error (int number)
{
  return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL
         || number == SIGABRT || number == SIGTRAP || number == SIGSYS;
}

void
upcr_signals_init (void)
{
  for (int number = 1; number < NSIG; number++)
    handlers_at_start[number] = handler_of (number);
}

bool
upcr_program_handles_signals (void)
{
  for (int number = 1; number < NSIG; number++)
    {
      void (*handler) (int) = handler_of (number);
      if (handler != SIG_DFL && handler != handlers_at_start[number] && !is_of_an_error (number))
        return true;
    }
  return false;
}
