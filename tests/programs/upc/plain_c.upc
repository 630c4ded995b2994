/* A program that is C almost throughout, with the headers and habits of large ones:
   argp, complex numbers, setjmp, signals, qsort and bsearch with callbacks, sscanf, a
   big switch, bit-fields, flexible members; each thread has its own of everything. */
#include <argp.h>
#include <assert.h>
#include <complex.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <tgmath.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <upc.h>

struct settings
{
  int verbose, count;
  const char *name;
  bool shared_memory;
};

static error_t
parse_option (int key, char *arg, struct argp_state *state)
{
  struct settings *s = state->input;

  switch (key)
    {
    case 'v':
      s->verbose = 1;
      break;
    case 'c':
      s->count = atoi (arg);
      break;
    case ARGP_KEY_ARG:
      if (state->arg_num > 0)
        argp_usage (state);
      s->name = arg;
      break;
    default:
      return ARGP_ERR_UNKNOWN;
    }
  return 0;
}

static const struct argp_option options[] = {
  { "verbose", 'v', 0, 0, "say more", 0 },
  { "count", 'c', "N", 0, "how many", 0 },
  { 0 },
};
static const struct argp argp = { .options = options, .parser = parse_option, .args_doc = "NAME" };

static void
arguments (void)
{
  char *argv[] = { "program", "-v", "--count=12", "name", NULL };
  struct settings s = { .count = -1 };
  int index;

  assert (argp_parse (&argp, 4, argv, ARGP_NO_EXIT, &index, &s) == 0);
  assert (s.verbose && s.count == 12 && strcmp (s.name, "name") == 0);
}

static sigjmp_buf out;
static volatile sig_atomic_t caught;
static jmp_buf deep;

static void
on_signal (int number)
{
  caught += number == SIGUSR1 ? 1 + MYTHREAD : 0;
  if (caught > 2 * (1 + MYTHREAD))
    siglongjmp (out, caught);
}

static int
descend (int n, ...)
{
  va_list list, again;
  int a;
  double d;

  va_start (list, n);
  va_copy (again, list);
  a = va_arg (list, int);
  d = va_arg (again, int) + va_arg (again, double);
  va_end (list);
  va_end (again);
  if (n == 0)
    longjmp (deep, a + (int) d);
  return descend (n - 1, a + 1, d) + 1;
}

static void
jumps (void)
{
  volatile int count = 0;
  int got;

  if ((got = setjmp (deep)) == 0)
    descend (5, 1, 0.5);
  else
    assert (got > 6);
  signal (SIGUSR1, on_signal);
  if (sigsetjmp (out, 1) == 0)
    for (;;)
      {
        count++;
        raise (SIGUSR1);
      }
  assert (count == 3 && caught == 3 * (1 + MYTHREAD));
}

static shared int *shared_order; /* what the callback reads through */

static int
by_shared (const void *a, const void *b)
{
  return shared_order[*(const int *) a] - shared_order[*(const int *) b];
}

static int
by_name (const void *key, const void *element)
{
  return strcasecmp (key, *(char *const *) element);
}

static void
callbacks (void)
{
  static const char *const names[] = { "alpha", "Beta", "gamma", "Omega" };
  int order[50], i;

  shared_order = (shared int *) upc_all_alloc (50, sizeof (int));
  upc_forall (i = 0; i < 50; i++; &shared_order[i])
    shared_order[i] = i * 37 % 50;
  upc_barrier;
  for (i = 0; i < 50; i++)
    order[i] = i;
  qsort (order, 50, sizeof *order, by_shared);
  for (i = 0; i < 50; i++)
    assert (shared_order[order[i]] == i);
  assert (bsearch ("BETA", names, 4, sizeof *names, by_name) == &names[1]);
  upc_all_free (shared_order);
}

static void
numbers (void)
{
  double complex z = cexp (I * M_PI), w = 3 + 4 * I;
  int a, b;
  char word[8];
  unsigned long long big;
  struct { unsigned lo : 5, hi : 27; signed s : 3; } bits = { 31, 1, -4 };

  assert (cabs (z + 1) < 1e-12 && cabs (w) == 5 && creal (w) == 3 && __imag__ w == 4);
  assert (sqrt (2.0f) == sqrtf (2.0f) && fabs (-3.0L) == 3.0L);
  assert (sscanf ("12:0x1f word 18446744073709551615", "%d:%i %7s %llu", &a, &b, word, &big) == 4);
  assert (a == 12 && b == 31 && !strcmp (word, "word") && big == ULLONG_MAX);
  bits.lo++;
  assert (bits.lo == 0 && bits.hi == 1 && bits.s == -4);
  assert (strtod ("0x1.8p3", NULL) == 12 && isnan (strtod ("nan", 0)));
  assert (LDBL_DIG >= DBL_DIG && sizeof (wchar_t) == 4 && L'\x41' == 'A');
}

enum token { END, NUMBER, PLUS, MINUS, TIMES, DIVIDE, OPEN, CLOSE, BAD = -1 };
static const char *input;
static long number;
static enum token token;

static enum token
next (void)
{
  while (isspace ((unsigned char) *input))
    input++;
  switch (*input)
    {
    case '\0': return token = END;
    case '0' ... '9':
      number = strtol (input, (char **) &input, 10);
      return token = NUMBER;
    case '+': input++; return token = PLUS;
    case '-': input++; return token = MINUS;
    case '*': input++; return token = TIMES;
    case '/': input++; return token = DIVIDE;
    case '(': input++; return token = OPEN;
    case ')': input++; return token = CLOSE;
    default: return token = BAD;
    }
}

static long sum (void);

static long
factor (void)
{
  long value = 0;

  switch (token)
    {
    case NUMBER:
      value = number;
      next ();
      break;
    case MINUS:
      next ();
      return -factor ();
    case OPEN:
      next ();
      value = sum ();
      if (token != CLOSE)
        goto bad;
      next ();
      break;
    bad:
    default:
      abort ();
    }
  return value;
}

static long
product (void)
{
  long value = factor ();

  for (;;)
    switch (token)
      {
      case TIMES: next (); value *= factor (); continue;
      case DIVIDE: next (); value /= factor (); continue;
      default: return value;
      }
}

static long
sum (void)
{
  long value = product ();

  while (token == PLUS || token == MINUS)
    {
      enum token op = token;

      next ();
      value += op == PLUS ? product () : -product ();
    }
  return value;
}

static void
calculator (void)
{
  char text[80];

  sprintf (text, " (1 + 2) * -(3 - 10) / 7 + %d*(2+2)", MYTHREAD);
  input = text;
  next ();
  assert (sum () == 3 + 4 * MYTHREAD && token == END);
}

struct message { int length; char text[]; };

static struct message *
message (const char *format, ...) __attribute__ ((format (printf, 1, 2)));

static struct message *
message (const char *format, ...)
{
  va_list list;
  int length;
  struct message *m;

  va_start (list, format);
  length = vsnprintf (NULL, 0, format, list);
  va_end (list);
  m = malloc (sizeof *m + length + 1);
  m->length = length;
  va_start (list, format);
  vsprintf (m->text, format, list);
  va_end (list);
  return m;
}

#define MAX(a, b) ({ __typeof__ (a) a_ = (a); __typeof__ (b) b_ = (b); a_ > b_ ? a_ : b_; })
#define ARRAY_SIZE(a) (sizeof (a) / sizeof *(a))


#define container_of(p, type, member) ((type *) ((char *) (p) - offsetof (type, member)))

static void
gnu (int n)
{
  int vla[n][n + 1], i, (*row)[n + 1] = vla;
  struct point { int x, y; } p = { .y = 2, .x = 1 }, *q = container_of (&p.y, struct point, y);
  struct message *m = message ("%s %d %" PRId64, "thread", MYTHREAD, INT64_C (5));

  for (i = 0; i < n; i++)
    row[i][i] = MAX (i, 2);
  assert (vla[3][3] == 3 && sizeof vla == n * (n + 1) * sizeof (int));
  assert (q == &p && ((struct point) { 4, 5 }).y == 5);
  assert (m->length == (int) strlen (m->text) && m->text[0] == 't');
  assert (ARRAY_SIZE (((int[]) { 1, 2, 3 })) == 3);
  free (m);
  errno = 0;
  assert (stat ("/nonexistent/" __FILE__, &(struct stat) { 0 }) == -1 && errno == ENOENT);
}

static void __attribute__ ((constructor))
early (void)
{
  number = -1;
}

int
main (int argc, char **argv, char **envp)
{
  assert (number == -1 && argv[argc] == NULL && envp);
  setlocale (LC_ALL, "C");
  arguments ();
  jumps ();
  callbacks ();
  numbers ();
  calculator ();
  gnu (5);
  upc_barrier;
  if (MYTHREAD == 0)
    printf ("plain C: as ever\n");
  return EXIT_SUCCESS;
}
