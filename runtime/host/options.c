/* The options of this run: switches at the beginning of the program's arguments, then
   environment variables, according to the table in variables.def. */

#include "runtime/host/size.h"
#include "runtime/host/variables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define DEFAULT_STACK_BYTES (8ul << 20)
/* `ulimit -s unlimited` asks for large stacks; a thread's must have some size. */
#define UNLIMITED_STACK_BYTES (256ul << 20)

#define HELP "-fupc-help"

/* The switch or variable that set the field at each offset: the first one wins, and the
   others need not even be valid. */
static const char *sources[sizeof upcr_options];

static void
store (const struct upcr_variable *variable, size_t value)
{
  void *field = (char *) &upcr_options + variable->field;

  if (variable->bytes == sizeof (size_t))
    *(size_t *) field = value;
  else if (variable->bytes == sizeof (int))
    *(int *) field = value;
  else
    *(bool *) field = value;
}

/* Nobody means a heap of 64 bytes. In the environment a bare number is in megabytes for Berkeley UPC
   and in bytes for others; from this size on it is in bytes. */
#define LEAST_BARE_BYTES 65536

bool
upcr_says_yes (const char *text)
{
  return text && (*text == '1' || *text == 'y' || *text == 'Y');
}

static size_t
bare_megabytes (const char *text, size_t value)
{
  return upcr_is_bare_size (text) && value < LEAST_BARE_BYTES ? value << 20 : value;
}

/* SOURCE, which is a switch or the variable itself, says TEXT. */
static void
set (const struct upcr_variable *variable, const char *source, const char *text)
{
  char expected[UPCR_VARIABLE_TEXT_BYTES];
  size_t value;

  if (variable->type == UPCR_TEXT || sources[variable->field])
    return;
  if (!upcr_variable_parse (variable, text, &value))
    {
      upcr_variable_expected (variable, expected);
      upcr_usage_error ("invalid value '%s' for %s; expected %s", text, source, expected);
    }
  if (variable->field == offsetof (struct upcr_options, heap_bytes) && source == variable->name)
    {
      value = bare_megabytes (text, value);
      upcr_options.heap_is_wish = !upcr_says_yes (getenv ("UPC_REQUIRE_SHARED_SIZE"));
    }
  store (variable, value);
  sources[variable->field] = source;
}

static void
print_variable (const struct upcr_variable *variable)
{
  char argument[UPCR_VARIABLE_TEXT_BYTES], expected[UPCR_VARIABLE_TEXT_BYTES];

  upcr_variable_argument (variable, argument);
  upcr_variable_expected (variable, expected);
  printf ("  %s=%s", variable->name, argument);
  if (variable->joined)
    printf (", %s%s", variable->joined, argument);
  if (variable->separate)
    printf (", %s %s", variable->separate, argument);
  printf ("\n      %s", variable->help);
  if (variable->type == UPCR_NUMBER || variable->type == UPCR_BYTES)
    printf (": %s", expected);
  if (variable->preset)
    printf (" (default: %s)", variable->preset);
  putchar ('\n');
  for (int i = 0; variable->choices[i].name; i++)
    printf ("        %-9s %s\n", variable->choices[i].name, variable->choices[i].help);
}

static _Noreturn void
print_help (void)
{
  printf ("Usage: %s [switches] [--] [arguments]\n"
          "A UPC program. Its run is controlled by environment variables, and by switches\n"
          "before its own arguments.\n\n",
          upcr_program);
  for (int i = 0; i < upcr_variable_count; i++)
    if (upcr_variables[i].help)
      print_variable (&upcr_variables[i]);
  puts ("  " HELP "\n      print this list");
  exit (0);
}

/* Whether the program, a switch or the environment has set the variable's field. */
static bool
is_decided (const struct upcr_variable *variable, int static_threads)
{
  if (sources[variable->field]
      || (static_threads && variable->field == offsetof (struct upcr_options, threads)))
    return true;
  for (int i = 0; i < upcr_variable_count; i++)
    if (upcr_variables[i].field == variable->field && upcr_variables[i].type == variable->type
        && getenv (upcr_variables[i].name))
      return true;
  return false;
}

/* `-fupc-threads-4`, or `-fupc-threads=4` as later releases of GNU UPC have it: the value, or NULL. */
static const char *
value_behind (const char *word, const char *joined)
{
  size_t length = joined ? strlen (joined) - 1 : 0;

  if (!length || strncmp (word, joined, length) != 0
      || (word[length] != '-' && word[length] != '='))
    return NULL;
  return word + length + 1;
}

/* GNU UPC's switches for where threads and memory are. */
static bool
is_placement (const char *word, const char *value)
{
  static const struct
  {
    const char *name, *value;
  } placements[] = { { "-sched-policy", "cpu" },  { "-sched-policy", "strict" },
                     { "-sched-policy", "node" }, { "-sched-policy", "auto" },
                     { "-mem-policy", "node" },   { "-mem-policy", "strict" },
                     { "-mem-policy", "auto" } };

  if (!value)
    return false;
  if (strcmp (word, "-sched-cpu-avoid") == 0)
    return *value && !value[strspn (value, "0123456789,")];
  for (size_t i = 0; i < sizeof placements / sizeof *placements; i++)
    if (strcmp (word, placements[i].name) == 0 && strcmp (value, placements[i].value) == 0)
      return true;
  return false;
}

/* Takes one switch at WORD; returns how many words it was, 0 when it is none. A switch of two
   words, as -n N, is often one of the program's own: it is the runtime's only where nothing else
   has set the option. Whatever begins with -fupc- is removed, as GNU UPC does. */
static int
take_switch (char **word, int static_threads)
{
  for (const struct upcr_variable *v = upcr_variables; v < upcr_variables + upcr_variable_count;
       v++)
    {
      const char *value = value_behind (word[0], v->joined);
      if (value)
        {
          set (v, v->joined, value);
          return 1;
        }
      if (v->separate && strcmp (word[0], v->separate) == 0 && !is_decided (v, static_threads))
        {
          if (!word[1])
            upcr_usage_error ("missing argument to '%s'", v->separate);
          set (v, v->separate, word[1]);
          return 2;
        }
    }
  if (strcmp (word[0], HELP) == 0)
    print_help ();
  if (is_placement (word[0], word[1]))
    return 2;
  if (strncmp (word[0], "-fupc-", 6) != 0)
    return 0;
  upcr_warning ("unknown switch '%s' is ignored; " HELP " lists them", word[0]);
  return 1;
}

static void
take_switches (int *argc, char **argv, int static_threads)
{
  int next = 1, taken;

  while (next < *argc && (taken = take_switch (&argv[next], static_threads)))
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
  const char *value;

  for (int i = 0; i < upcr_variable_count; i++)
    if (upcr_variables[i].type != UPCR_TEXT && (value = getenv (upcr_variables[i].name)))
      set (&upcr_variables[i], upcr_variables[i].name, value);
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
  const char *source;

  upcr_options.stack_bytes = default_stack_bytes ();
  upcr_options.freeze = upcr_options.freeze_early = -1;
  /* Before switches are warned of. */
  upcr_options.has_fatal_warnings = upcr_says_yes (getenv ("UPC_WARN_FATAL"));
  take_switches (argc, argv, static_threads);
  read_environment ();
  source = sources[offsetof (struct upcr_options, threads)];
  if (static_threads)
    {
      if (source && upcr_options.threads != static_threads)
        upcr_usage_error ("%s asks for %d threads, but the program was compiled for %d", source,
                          upcr_options.threads, static_threads);
      upcr_options.threads = static_threads;
    }
  else if (!source)
    {
      int cpus = upcr_cpu_count ();
      upcr_options.threads = cpus < UPCR_MAX_THREADS ? cpus : UPCR_MAX_THREADS;
    }
  if (upcr_options.freeze >= upcr_options.threads)
    upcr_usage_error ("UPC_FREEZE asks for thread %d, but there are %d threads",
                      upcr_options.freeze, upcr_options.threads);
}
