/* The report of a crash, after which the process dies by the same signal.

   If the crash happened inside the loader, the report may wait for a lock for ever. Then an
   alarm ends the process by the same signal; the line with thread and signal has been printed by
   then. */

#include "runtime/arch/arch.h"
#include "runtime/diag/backtrace.h"
#include "runtime/diag/diag.h"
#include "runtime/diag/mapping.h"
#include "runtime/host/host.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

/* Enough for a signal frame with all vector registers, the unwinder and its printing. */
#define SIGNAL_STACK_BYTES (64ul << 10)
#define REPORT_SECONDS 10
/* Pages that are never mapped: null, and what an index or a member leads to from there. */
#define NULL_BYTES UPCR_PAGE_BYTES
/* How far below the stack pointer an instruction may store: a push, a call, the red
   zone; plus what the kernel itself pushes. */
#define LARGEST_PUSH_BYTES (64ul << 10)

static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
enum
{
  SIGNALS = sizeof signals / sizeof signals[0]
};

static upcr_describe_address *const *describers;
static void (*tell_more) (void);
static char *signal_stacks;

/* Asks the kernel to read there: EFAULT when nothing is, else EINVAL for the rest. */
static int
is_readable (uintptr_t at)
{
  return syscall (SYS_rt_sigprocmask, -1, at & -8ul, NULL, 8) == 0 || errno != EFAULT;
}

/* An overflow faults at the stack pointer or, in a large frame, somewhat above it,
   where the stack pointer has left the stack already. */
static int
is_stack_overflow (uintptr_t at, const ucontext_t *context)
{
  uintptr_t pointer = upcr_stack_pointer (context);

  if (at < pointer)
    return pointer - at <= LARGEST_PUSH_BYTES;
  return at - pointer < upcr_options.stack_bytes && !is_readable (pointer);
}

/* Asks the describers; false when none knows the address. */
static bool
describe_address (const void *address, char *text, size_t bytes)
{
  for (upcr_describe_address *const *describer = describers; *describer; describer++)
    if ((*describer) (address, text, bytes))
      return true;
  return false;
}

/* An address that nobody knows: never alone. */
static void
describe_unknown (const siginfo_t *info, char *text, size_t bytes)
{
  const char *signal = sigdescr_np (info->si_signo);
  uintptr_t address = (uintptr_t) info->si_addr;
  char mapping[128];

  if (info->si_code == SI_KERNEL)
    {
      snprintf (text, bytes, "%s: " UPCR_NO_ADDRESS_TEXT, signal);
      return;
    }
  if (address < NULL_BYTES)
    snprintf (mapping, sizeof mapping, ", through a null pointer");
  else
    upcr_mapping_text (address, mapping, sizeof mapping);
  snprintf (text, bytes, "%s: address 0x%lx%s", signal, (unsigned long) address,
            *mapping ? mapping : ", where nothing is mapped");
}

/* Takes no lock and calls no malloc: the crash may have happened inside of either. */
static void
describe (const siginfo_t *info, const ucontext_t *context, char *text, size_t bytes)
{
  /* With si_code 0 or less another process sent the signal. */
  int has_address = (info->si_signo == SIGSEGV || info->si_signo == SIGBUS) && info->si_code > 0;

  if (!has_address)
    snprintf (text, bytes, "%s", sigdescr_np (info->si_signo));
  else if (is_stack_overflow ((uintptr_t) info->si_addr, context))
    snprintf (text, bytes, "stack overflow: raise UPC_STACK_SIZE (now %zu KiB) or ulimit -s",
              upcr_options.stack_bytes >> 10);
  else if (!describe_address (info->si_addr, text, bytes))
    describe_unknown (info, text, bytes);
}

/* Once more with the default action: the shell, a debugger and a core file see the
   signal itself. */
static void
die_of (int signal)
{
  struct sigaction action = { .sa_handler = SIG_DFL };
  sigset_t set;

  sigaction (signal, &action, NULL);
  sigemptyset (&set);
  sigaddset (&set, signal);
  pthread_sigmask (SIG_UNBLOCK, &set, NULL);
  pthread_kill (pthread_self (), signal);
}

static volatile sig_atomic_t reported;

static void
give_up (int alarm_signal)
{
  (void) alarm_signal;
  die_of (reported);
}

static void
set_time_limit (int signal)
{
  struct sigaction action = { .sa_handler = give_up };
  sigset_t set;

  reported = signal;
  sigaction (SIGALRM, &action, NULL);
  sigemptyset (&set);
  sigaddset (&set, SIGALRM);
  pthread_sigmask (SIG_UNBLOCK, &set, NULL);
  alarm (REPORT_SECONDS);
}

static void
handle_crash (int signal, siginfo_t *info, void *context)
{
  static __thread int nested;
  char text[1024];

  if (!nested++)
    {
      upcr_end_once ();
      describe (info, context, text, sizeof text);
      upcr_print_error (text);
      set_time_limit (signal);
#ifndef UPCR_TSAN
      /* It would report what the unwinder calls in a signal handler. */
      upcr_backtrace_print ();
#endif
      alarm (0);
      if (tell_more)
        tell_more ();
      if (upcr_options.freezes_on_error)
        upcr_await_debugger ();
    }
  die_of (signal);
}

static int
is_default (int signal)
{
  struct sigaction old;

  return sigaction (signal, NULL, &old) == 0 && old.sa_handler == SIG_DFL;
}

#ifdef UPCR_TSAN

/* ThreadSanitizer's report of a crash has an address alone. In front of it a line says what is there; then
   the access is done again, and reported. libc's sigaction is called by the name that ThreadSanitizer does
   not intercept: its own handler does not report what happens in handlers of the program. */
int __sigaction (int signal, const struct sigaction *action, struct sigaction *old);

static struct sigaction reporting[SIGNALS];

static void
explain_crash (int signal, siginfo_t *info, void *context)
{
  char text[1024];

  upcr_end_once ();
  describe (info, context, text, sizeof text);
  upcr_print_error (text);
  for (int i = 0; i < SIGNALS; i++)
    if (signals[i] == signal)
      __sigaction (signal, &reporting[i], NULL);
  /* What was sent does not come again by itself. */
  if (info->si_code <= 0)
    raise (signal);
}

static void
explain_crashes (void)
{
  for (int i = 0; i < SIGNALS; i++)
    {
      struct sigaction action;

      /* Its options may leave signals to the program. */
      if ((signals[i] != SIGSEGV && signals[i] != SIGBUS) || __sigaction (signals[i], NULL, &action)
          || !(action.sa_flags & SA_SIGINFO) || action.sa_sigaction == handle_crash)
        continue;
      reporting[i] = action;
      action.sa_sigaction = explain_crash;
      __sigaction (signals[i], &action, NULL);
    }
}

#else

static void
explain_crashes (void)
{
}

#endif

void
upcr_crash_init (upcr_describe_address *const *address_describers, void (*tell) (void))
{
  struct sigaction action = { .sa_sigaction = handle_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK };

  describers = address_describers;
  tell_more = tell;
  sigemptyset (&action.sa_mask);
  /* A sanitizer reports more about the signals that it handles. */
  for (int i = 0; i < SIGNALS; i++)
    if (is_default (signals[i]))
      sigaction (signals[i], &action, NULL);
  explain_crashes ();
  signal_stacks = mmap (NULL, THREADS * SIGNAL_STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (signal_stacks == MAP_FAILED)
    signal_stacks = NULL;
}

void
upcr_crash_begin_thread (int index)
{
  stack_t stack = { .ss_sp = signal_stacks + index * SIGNAL_STACK_BYTES,
                    .ss_size = SIGNAL_STACK_BYTES };
  stack_t old;

  /* AddressSanitizer gives its threads one, ThreadSanitizer the first one only. */
  if (signal_stacks && sigaltstack (NULL, &old) == 0 && (old.ss_flags & SS_DISABLE))
    sigaltstack (&stack, NULL);
}
