/* Messages, as they reach standard error. */

#include "tools/common/common.h"

#include <stdarg.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const char program_name[] = "tool";

/* Runs ACT in a process of its own; returns what it said, and its exit status in *STATUS. */
static const char *
said (void (*act) (void), int *status)
{
  static char text[2000];
  size_t length = 0;
  ssize_t n;
  int ends[2];
  pid_t child;

  assert_int_equal (pipe (ends), 0);
  child = fork ();
  if (child == 0)
    {
      dup2 (ends[1], STDERR_FILENO);
      act ();
      _exit (0);
    }
  close (ends[1]);
  while ((n = read (ends[0], text + length, sizeof text - 1 - length)) > 0)
    length += n;
  close (ends[0]);
  text[length] = 0;
  waitpid (child, status, 0);
  *status = WEXITSTATUS (*status);
  return text;
}

static void
act_fail (void)
{
  (fail) ("no %s", "luck");
}

static void
act_fail_usage (void)
{
  fail_usage ("unknown option '%s'", "-x");
}

static void
act_fail_status (void)
{
  fail_status (127, "cannot run '%s'", "x");
}

static void
act_fail_file (void)
{
  fail_file ("a.o", "truncated");
}

static void
act_warn (void)
{
  warn_file ("a.o", "is missing");
  note ("%d threads", 3);
}

static void __attribute__ ((format (printf, 2, 3)))
say_at (const struct source_location *location, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  show_message_at (location, "error", format, args);
  va_end (args);
}

static void
act_at (void)
{
  struct source_location location = { "a.upc", 12, 4, "\tx = p;", 7, 0, NULL };
  char *line = xcalloc (1000, 1);

  say_at (&location, "'%s' is not declared", "x");
  location.width = 5;
  say_at (&location, "to the end");
  location.column = 1;
  location.width = 0;
  say_at (&location, "at the start");
  location.text = NULL;
  say_at (&location, "no text");
  location.text = memset (line, 'x', 999);
  location.length = 999;
  say_at (&location, "a long line");
  free (line);
}

static void
act_fix (void)
{
  static struct source_fix fix = { 7, 5, 6, "p" };
  struct source_location location = { "a.upc", 7, 2, "\té = q;", 8, 2, &fix };

  fix.column = 7;
  fix.next_column = 8;
  say_at (&location, "a word");
  fix.text = "";
  say_at (&location, "nothing");
  fix.line = 3;
  say_at (&location, "elsewhere");
  fix.text = "#include <x.h>\n";
  say_at (&location, "a line");
}

static void
errors_end_the_program (void **state)
{
  int status;

  (void) state;
  assert_string_equal (said (act_fail, &status), "tool: error: no luck\n");
  assert_int_equal (status, 1);
  assert_string_equal (said (act_fail_usage, &status), "tool: error: unknown option '-x'\n");
  assert_int_equal (status, 2);
  assert_string_equal (said (act_fail_status, &status), "tool: error: cannot run 'x'\n");
  assert_int_equal (status, 127);
  assert_string_equal (said (act_fail_file, &status), "a.o: error: truncated\n");
  assert_int_equal (status, 1);
}

static void
warnings_do_not (void **state)
{
  int status;

  (void) state;
  assert_string_equal (said (act_warn, &status),
                       "a.o: warning: is missing\ntool: note: 3 threads\n");
  assert_int_equal (status, 0);
}

static void
fixes_stand_under_carets (void **state)
{
  static const char shown[] = "    7 | \té = q;\n"
                              "      | \t^\n";
  char expected[1000];
  int status;

  (void) state;
  snprintf (expected, sizeof expected,
            "a.upc:7:2: error: a word\n%s      | \t    p\n"
            "a.upc:7:2: error: nothing\n%s      | \t    -\n"
            "a.upc:7:2: error: elsewhere\n%sa.upc:7:2: error: a line\n%s  +++ |+#include <x.h>\n",
            shown, shown, shown, shown);
  assert_string_equal (said (act_fix, &status), expected);
}

static void
carets_stand_under_columns (void **state)
{
  int status;

  (void) state;
  assert_string_equal (said (act_at, &status), "a.upc:12:4: error: 'x' is not declared\n"
                                               "   12 | \tx = p;\n"
                                               "      | \t  ^\n"
                                               "a.upc:12:4: error: to the end\n"
                                               "   12 | \tx = p;\n"
                                               "      | \t  ^~~~\n"
                                               "a.upc:12:1: error: at the start\n"
                                               "   12 | \tx = p;\n"
                                               "      | ^\n"
                                               "a.upc:12:1: error: no text\n"
                                               "a.upc:12:1: error: a long line\n");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (errors_end_the_program),
    cmocka_unit_test (warnings_do_not),
    cmocka_unit_test (carets_stand_under_columns),
    cmocka_unit_test (fixes_stand_under_carets),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
