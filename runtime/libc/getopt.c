/* getopt as in glibc, including the order of the words it moves and the text of its messages: no
   function of glibc's public interface does this with a state of our own. */

#include "runtime/libc/libc.h"

#include <libintl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int upcr_optind = 1, upcr_opterr = 1, upcr_optopt = '?';
char *upcr_optarg;

/* What a scan does at a word that is no option. */
enum order
{
  PERMUTE,        /* skips it; at the end such words come last */
  REQUIRE_ORDER,  /* ends: POSIXLY_CORRECT, or letters that begin with + */
  RETURN_IN_ORDER /* it is the argument of an option 1: letters that begin with - */
};

/* What a thread's scan remembers between calls. */
static struct
{
  bool is_begun;
  enum order order;
  char *rest;      /* letters of the word at optind that are still to come */
  int first, last; /* argv[first] to argv[last - 1] were skipped */
  char *argument;  /* what optarg and optopt get; what the program stores there */
  int option;      /* … between calls is lost, as in glibc */
} scan;

struct call
{
  int argc;
  char **argv;
  const char *letters;        /* without + or - */
  const struct option *longs; /* or NULL */
  int *long_index;            /* or NULL */
  bool is_long_only;
  bool is_posix;
  bool prints;
};

static void complain (const struct call *call, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));

static void
complain (const struct call *call, const char *format, ...)
{
  va_list args;

  if (!call->prints)
    return;
  va_start (args, format);
  vfprintf (stderr, dgettext ("libc", format), args);
  va_end (args);
}

/* What is returned for an option whose argument is missing. */
static int
missing (const struct call *call)
{
  return call->letters[0] == ':' ? ':' : '?';
}

static void
begin_scan (struct call *call)
{
  if (upcr_optind == 0)
    upcr_optind = 1;
  scan.first = scan.last = upcr_optind;
  scan.rest = NULL;
  scan.is_begun = true;
  if (call->letters[0] == '-')
    scan.order = RETURN_IN_ORDER;
  else if (call->letters[0] == '+' || call->is_posix || getenv ("POSIXLY_CORRECT"))
    scan.order = REQUIRE_ORDER;
  else
    scan.order = PERMUTE;
}

static void
reverse (char **words, int count)
{
  for (int i = 0; i < count / 2; i++)
    {
      char *word = words[i];
      words[i] = words[count - 1 - i];
      words[count - 1 - i] = word;
    }
}

/* Moves the skipped words behind the options that were read since. */
static void
move_skipped (char **argv)
{
  int skipped = scan.last - scan.first, options = upcr_optind - scan.last;

  reverse (argv + scan.first, skipped);
  reverse (argv + scan.last, options);
  reverse (argv + scan.first, skipped + options);
  scan.first += options;
  scan.last = upcr_optind;
}

/* The words since the last option join the skipped ones before it, if any. */
static void
join_skipped (char **argv)
{
  if (scan.first != scan.last && scan.last != upcr_optind)
    move_skipped (argv);
}

static bool
is_option (const char *word)
{
  return word[0] == '-' && word[1];
}

/* Goes to the next word. true: it begins an option; else *RESULT is to be returned. */
static bool
find_word (const struct call *call, int *result)
{
  /* The program may have set optind back. */
  if (scan.last > upcr_optind)
    scan.last = upcr_optind;
  if (scan.first > upcr_optind)
    scan.first = upcr_optind;
  if (scan.order == PERMUTE)
    {
      join_skipped (call->argv);
      if (scan.last != upcr_optind)
        scan.first = upcr_optind;
      while (upcr_optind < call->argc && !is_option (call->argv[upcr_optind]))
        upcr_optind++;
      scan.last = upcr_optind;
    }
  if (upcr_optind != call->argc && strcmp (call->argv[upcr_optind], "--") == 0)
    {
      upcr_optind++;
      join_skipped (call->argv);
      if (scan.first == scan.last)
        scan.first = upcr_optind;
      scan.last = upcr_optind = call->argc;
    }
  *result = -1;
  if (upcr_optind == call->argc)
    {
      if (scan.first != scan.last)
        upcr_optind = scan.first;
      return false;
    }
  if (is_option (call->argv[upcr_optind]))
    return true;
  if (scan.order != REQUIRE_ORDER)
    {
      scan.argument = call->argv[upcr_optind++];
      *result = 1;
    }
  return false;
}

/* Options that may stand for each other need no distinction. */
static bool
is_rival (const struct call *call, const struct option *a, const struct option *b)
{
  return call->is_long_only || a->has_arg != b->has_arg || a->flag != b->flag || a->val != b->val;
}

static bool
is_start (const struct option *option, size_t length)
{
  return strncmp (option->name, scan.rest, length) == 0;
}

/* The option that scan.rest names, whole or by its beginning, or NULL. */
static const struct option *
find_long (const struct call *call, size_t length, bool *is_ambiguous)
{
  const struct option *found = NULL;

  *is_ambiguous = false;
  for (const struct option *o = call->longs; o->name; o++)
    if (is_start (o, length) && strlen (o->name) == length)
      return o;
  for (const struct option *o = call->longs; o->name; o++)
    if (is_start (o, length))
      {
        if (!found)
          found = o;
        else if (is_rival (call, found, o))
          *is_ambiguous = true;
      }
  return found;
}

static void
complain_of_ambiguity (const struct call *call, const struct option *found, size_t length,
                       const char *prefix)
{
  flockfile (stderr);
  complain (call, "%s: option '%s%s' is ambiguous; possibilities:", call->argv[0], prefix,
            scan.rest);
  for (const struct option *o = found; call->prints && o->name; o++)
    if (o == found || (is_start (o, length) && is_rival (call, found, o)))
      fprintf (stderr, " '%s%s'", prefix, o->name);
  if (call->prints)
    fprintf (stderr, "\n");
  funlockfile (stderr);
}

/* The argument of FOUND, of which the text after its name is AFTER. Returns what
   getopt is to return. */
static int
take_long (const struct call *call, const struct option *found, char *after, const char *prefix)
{
  upcr_optind++;
  scan.rest = NULL;
  if (*after && found->has_arg)
    scan.argument = after + 1;
  else if (*after)
    {
      complain (call, "%s: option '%s%s' doesn't allow an argument\n", call->argv[0], prefix,
                found->name);
      scan.option = found->val;
      return '?';
    }
  else if (found->has_arg == required_argument && upcr_optind < call->argc)
    scan.argument = call->argv[upcr_optind++];
  else if (found->has_arg == required_argument)
    {
      complain (call, "%s: option '%s%s' requires an argument\n", call->argv[0], prefix,
                found->name);
      scan.option = found->val;
      return missing (call);
    }
  if (call->long_index)
    *call->long_index = found - call->longs;
  if (!found->flag)
    return found->val;
  *found->flag = found->val;
  return 0;
}

/* The long option at scan.rest, PREFIX before it. -1: letters, after all. */
static int
read_long (const struct call *call, const char *prefix)
{
  size_t length = strcspn (scan.rest, "=");
  bool is_ambiguous;
  const struct option *found = find_long (call, length, &is_ambiguous);

  if (found && !is_ambiguous)
    return take_long (call, found, scan.rest + length, prefix);
  if (is_ambiguous)
    complain_of_ambiguity (call, found, length, prefix);
  else if (strcmp (prefix, "-") == 0 && strchr (call->letters, *scan.rest))
    return -1;
  else
    complain (call, "%s: unrecognized option '%s%s'\n", call->argv[0], prefix, scan.rest);
  scan.rest = NULL;
  upcr_optind++;
  scan.option = 0;
  return '?';
}

/* The argument of the option LETTER: the rest of its word, or the next one. */
static bool
take_argument (const struct call *call, char letter)
{
  if (*scan.rest)
    scan.argument = scan.rest;
  else if (upcr_optind < call->argc)
    scan.argument = call->argv[upcr_optind];
  else
    {
      complain (call, "%s: option requires an argument -- '%c'\n", call->argv[0], letter);
      scan.option = letter;
      return false;
    }
  return true;
}

/* -W name, or -Wname, is --name where the letters have `W;`. */
static int
read_long_of_letter (const struct call *call)
{
  struct call with_two_dashes = *call;

  if (!take_argument (call, 'W'))
    return missing (call);
  with_two_dashes.is_long_only = false;
  scan.rest = scan.argument;
  scan.argument = NULL;
  return read_long (&with_two_dashes, "-W ");
}

static int
read_letter (const struct call *call)
{
  char letter = *scan.rest++;
  const char *known = strchr (call->letters, letter);
  int result = letter;

  if (!*scan.rest)
    upcr_optind++;
  if (!known || letter == ':' || letter == ';')
    {
      complain (call, "%s: invalid option -- '%c'\n", call->argv[0], letter);
      scan.option = letter;
      return '?';
    }
  if (known[0] == 'W' && known[1] == ';' && call->longs)
    return read_long_of_letter (call);
  if (known[1] != ':')
    return letter;
  if (*scan.rest || known[2] != ':')
    {
      if (take_argument (call, letter))
        upcr_optind++;
      else
        result = missing (call);
    }
  scan.rest = NULL;
  return result;
}

static int
read_option (struct call *call)
{
  char *word;
  int result;

  if (scan.rest && *scan.rest)
    return read_letter (call);
  if (!find_word (call, &result))
    return result;
  word = call->argv[upcr_optind];
  if (call->longs && word[1] == '-')
    {
      scan.rest = word + 2;
      return read_long (call, "--");
    }
  scan.rest = word + 1;
  /* -f with a letter f is never the beginning of a long option; -fu may be. */
  if (call->longs && call->is_long_only && (word[2] || !strchr (call->letters, word[1])))
    {
      result = read_long (call, "-");
      if (result != -1)
        return result;
      scan.rest = word + 1;
    }
  return read_letter (call);
}

static int
get_option (struct call call)
{
  int result = -1;

  if (call.argc >= 1)
    {
      scan.argument = NULL;
      if (upcr_optind == 0 || !scan.is_begun)
        begin_scan (&call);
      if (call.letters[0] == '-' || call.letters[0] == '+')
        call.letters++;
      call.prints = upcr_opterr && call.letters[0] != ':';
      result = read_option (&call);
    }
  upcr_optarg = scan.argument;
  upcr_optopt = scan.option;
  return result;
}

int
upcr_getopt (int argc, char *const *argv, const char *letters)
{
  return get_option ((struct call){ .argc = argc, .argv = (char **) argv, .letters = letters });
}

int
upcr_posix_getopt (int argc, char *const *argv, const char *letters)
{
  return get_option (
      (struct call){ .argc = argc, .argv = (char **) argv, .letters = letters, .is_posix = true });
}

int
upcr_getopt_long (int argc, char *const *argv, const char *letters, const struct option *longs,
                  int *long_index)
{
  return get_option ((struct call){ .argc = argc,
                                    .argv = (char **) argv,
                                    .letters = letters,
                                    .longs = longs,
                                    .long_index = long_index });
}

int
upcr_getopt_long_only (int argc, char *const *argv, const char *letters, const struct option *longs,
                       int *long_index)
{
  return get_option ((struct call){ .argc = argc,
                                    .argv = (char **) argv,
                                    .letters = letters,
                                    .longs = longs,
                                    .long_index = long_index,
                                    .is_long_only = true });
}
