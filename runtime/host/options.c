/* Options of a run: switches that lead the program's arguments, then environment
   variables. One row an option; parsing and -fupc-help come from the table. */

#include "runtime/host/host.h"


#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define DEFAULT_STACK_BYTES (8ul << 20)
/* `ulimit -s unlimited` asks for large stacks; a thread's must have some size. */
#define UNLIMITED_STACK_BYTES (256ul << 20)
#define LEAST_STACK_BYTES (64ul << 10)
/* More than any address space has room for, and far from an overflow of sums. */
#define MOST_STACK_BYTES (1024ul << 30)

typedef void option_parser (const char *name, const char *value);

struct option
{
  const char *variable;    /* of the environment, or NULL */
  const char *joined;      /* switch with its value in the same word, or NULL */
  const char *separate;    /* switch with its value in the next word, or NULL */
  option_parser *parse;
  const char *help;
};

/* What asked for the thread count; the first found wins. */
static const char *threads_source;

static _Noreturn void
bad_value (const char *name, const char *value, const char *wanted)
{
  upcr_usage_error ("%s: '%s' is not %s", name, value, wanted);
}

static void
parse_threads (const char *name, const char *value)
{
  char *end;
  long n;

  if (threads_source)
    return;
  errno = 0;
  n = strtol (value, &end, 10);
  if (errno || end == value || *end || value[0] < '0' || value[0] > '9' || n < 1
      || n > UPCR_MAX_THREADS)
    bad_value (name, value, "a number of threads: 1 to 1024");
  upcr_options.threads = n;
  threads_source = name;
}

/* A number of bytes with an optional K, M or G. */
static size_t
parse_size (const char *name, const char *value)
{
  char *end;
  unsigned long n;
  int shift = 0;

  errno = 0;
  n = strtoul (value, &end, 10);
  if (*end == 'K' || *end == 'k')
    shift = 10;
  else if (*end == 'M' || *end == 'm')
    shift = 20;
  else if (*end == 'G' || *end == 'g')
    shift = 30;
  if (errno || value[0] < '0' || value[0] > '9' || (shift ? end[1] : *end) || n == 0
      || n > (~0ul >> shift))
    bad_value (name, value, "a size: a number of bytes, or one with K, M or G");
  return n << shift;
}

static void
parse_heap (const char *name, const char *value)
{
  if (!upcr_options.heap_bytes)
    upcr_options.heap_bytes = parse_size (name, value);
}

static void
parse_stack (const char *name, const char *value)
{
  upcr_options.stack_bytes = parse_size (name, value);
  if (upcr_options.stack_bytes < LEAST_STACK_BYTES || upcr_options.stack_bytes > MOST_STACK_BYTES)
    bad_value (name, value, "a stack size: 64K to 1024G");
}

static void
parse_bind (const char *name, const char *value)
{
  if (strcmp (value, "none") == 0)
    upcr_options.bind = UPCR_BIND_NONE;
  else if (strcmp (value, "core") == 0)
    upcr_options.bind = UPCR_BIND_CORE;
  else
    bad_value (name, value, "a way to bind threads: none or core");
}

static void
parse_check (const char *name, const char *value)
{
  if (strcmp (value, "0") != 0 && strcmp (value, "1") != 0)
    bad_value (name, value, "whether to check: 0 or 1");
  upcr_options.check = *value == '1';
}

static void
parse_deadlock (const char *name, const char *value)
{
  if (strcmp (value, "abort") == 0)
    upcr_options.deadlock = UPCR_DEADLOCK_ABORT;
  else if (strcmp (value, "report") == 0)
    upcr_options.deadlock = UPCR_DEADLOCK_REPORT;
  else if (strcmp (value, "off") == 0)
    upcr_options.deadlock = UPCR_DEADLOCK_OFF;
  else
    bad_value (name, value, "what to do about a deadlock: abort, report or off");
}

static void
parse_wait (const char *name, const char *value)
{
  if (strcmp (value, "adaptive") == 0)
    upcr_options.wait = UPCR_WAIT_ADAPTIVE;
  else if (strcmp (value, "spin") == 0)
    upcr_options.wait = UPCR_WAIT_SPIN;
  else if (strcmp (value, "sleep") == 0)
    upcr_options.wait = UPCR_WAIT_SLEEP;
  else
    bad_value (name, value, "a way to wait: spin, adaptive or sleep");
}

static option_parser print_help;

/* In the order in which environment variables are looked at. */
static const struct option options[] = {
  { "UPC_THREADS", "-fupc-threads-", "-n", parse_threads,
    "number of UPC threads, 1 to 1024; by default the CPUs this process may use" },
  { "THREADS", NULL, NULL, parse_threads, "the same, after UPC_THREADS" },
  { "UPC_SHARED_HEAP_SIZE", "-fupc-heap-", NULL, parse_heap,
    "limit of each thread's shared heap, in bytes or with K, M, G; by default its partition" },
  { "UPC_STACK_SIZE", NULL, NULL, parse_stack,
    "stack of each thread beside its private statics; by default as ulimit -s says" },
  { "UPC_BIND", NULL, NULL, parse_bind,
    "none, or core: thread I runs on core I only, modulo the number of cores" },
  { "UPC_DEADLOCK", NULL, NULL, parse_deadlock,
    "abort: a run that can never go on says why and ends; report: says why; off" },
  { "UPC_WAIT", NULL, NULL, parse_wait,
    "adaptive: threads that wait spin while CPUs are free, then sleep; spin; sleep" },
  { "UPC_CHECK", NULL, NULL, parse_check,
    "1: what the specification allows but hardly means is an error too; 0" },
  { NULL, "-fupc-help", NULL, print_help, "this text" },
};
enum { OPTIONS = sizeof options / sizeof options[0] };

static void
print_help (const char *name, const char *value)
{
  if (*value)
    bad_value (name, value, "part of a switch");
  printf ("Usage: %s [SWITCH…] [--] [ARGUMENT…]\n"
          "A UPC program. These switches lead its own arguments, or are set in the environment:\n",
          upcr_program);
  for (int i = 0; i < OPTIONS; i++)
    printf ("  %-16s %-3s %-21s %s\n", options[i].joined ? options[i].joined : "",
            options[i].separate ? options[i].separate : "",
            options[i].variable ? options[i].variable : "", options[i].help);
  exit (0);
}

/* Takes one switch at WORD; returns how many words it was, 0 when it is none. */
static int
take_switch (char **word)
{
  for (int i = 0; i < OPTIONS; i++)
    {
      const struct option *o = &options[i];
      size_t length = o->joined ? strlen (o->joined) : 0;
      if (length && strncmp (word[0], o->joined, length) == 0)
        {
          o->parse (o->joined, word[0] + length);
          return 1;
        }
      if (o->separate && strcmp (word[0], o->separate) == 0)
        {
          if (!word[1])
            upcr_usage_error ("%s: a value is missing", o->separate);
          o->parse (o->separate, word[1]);
          return 2;
        }
    }
  if (strncmp (word[0], "-fupc-", 6) == 0)
    upcr_usage_error ("unknown switch '%s'; -fupc-help lists them", word[0]);
  return 0;
}

static void
take_switches (int *argc, char **argv)
{
  int next = 1, taken;

  while (next < *argc && (taken = take_switch (&argv[next])))
    next += taken;
  if (next < *argc && strcmp (argv[next], "--") == 0)
    next++;
  if (next == 1)
    return;
  memmove (&argv[1], &argv[next], (*argc - next + 1) * sizeof *argv);
  *argc -= next - 1;
}

static void
read_environment (void)
{
  for (int i = 0; i < OPTIONS; i++)
    {
      const char *value = options[i].variable ? getenv (options[i].variable) : NULL;
      if (value)
        options[i].parse (options[i].variable, value);
    }
}

static size_t
default_stack_bytes (void)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_STACK, &limit))
    return DEFAULT_STACK_BYTES;
  if (limit.rlim_cur == RLIM_INFINITY)
    return UNLIMITED_STACK_BYTES;
  return limit.rlim_cur > DEFAULT_STACK_BYTES ? limit.rlim_cur : DEFAULT_STACK_BYTES;
}

void
upcr_options_read (int static_threads, int *argc, char **argv)
{
  upcr_options.stack_bytes = default_stack_bytes ();
  take_switches (argc, argv);
  read_environment ();
  if (static_threads)
    {
      if (threads_source && upcr_options.threads != static_threads)
        upcr_usage_error ("%s: %d threads are asked for, but the program was compiled for %d",
                          threads_source, upcr_options.threads, static_threads);
      upcr_options.threads = static_threads;
    }
  else if (!threads_source)
    {
      int cpus = upcr_cpu_count ();
      upcr_options.threads = cpus < UPCR_MAX_THREADS ? cpus : UPCR_MAX_THREADS;
    }
}
