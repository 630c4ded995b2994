/* Times whole programs, in turn:

       spawn wall|cpu NAME REFERENCE TARGET SAMPLES OURS THEIRS

   from before the start until after the exit, in microseconds: of the clock, or of
   the CPU. OURS and THEIRS are commands whose words blanks separate. The programs get
   this one's environment; their output is dropped. */

#include "tests/bench/bench.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 32 };

extern char **environ;
int main (int argc, char **argv);

static _Noreturn void
fail (const char *program, const char *what)
{
  fprintf (stderr, "spawn: %s %s\n", program, what);
  exit (1);
}

static double
us_of (struct timeval time)
{
  return time.tv_sec * 1e6 + time.tv_usec;
}

static double
time_us (char **argv, int is_cpu)
{
  const char *program = argv[0];
  posix_spawn_file_actions_t actions;
  struct rusage usage;
  int status;
  pid_t child;

  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_addopen (&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  double start = bench_now_ns ();
  if (posix_spawnp (&child, program, &actions, NULL, argv, environ))
    fail (program, "does not start");
  if (wait4 (child, &status, 0, &usage) != child || status != 0)
    fail (program, "fails");
  double elapsed = (bench_now_ns () - start) / 1e3;
  posix_spawn_file_actions_destroy (&actions);
  return is_cpu ? us_of (usage.ru_utime) + us_of (usage.ru_stime) : elapsed;
}

static void
split (char *command, char **words)
{
  int count = 0;

  for (char *word = strtok (command, " "); word; word = strtok (NULL, " "))
    {
      if (count == WORDS)
        fail (words[0], "has too many arguments");
      words[count++] = word;
    }
  words[count] = NULL;
}

int
main (int argc, char **argv)
{
  if (argc != 8)
    fail ("usage:", "wall|cpu NAME REFERENCE TARGET SAMPLES OURS THEIRS");
  int is_cpu = strcmp (argv[1], "cpu") == 0;
  char *ours[WORDS + 1], *theirs[WORDS + 1];

  split (argv[6], ours);
  split (argv[7], theirs);
  bench_print_head (argv[2], "us", argv[3], argv[4]);
  time_us (ours, is_cpu);
  time_us (theirs, is_cpu);
  for (int i = 0; i < atoi (argv[5]); i++)
    {
      double time = time_us (ours, is_cpu);
      bench_print_sample (time, time_us (theirs, is_cpu));
    }
  return 0;
}
