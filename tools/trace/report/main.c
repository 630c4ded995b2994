/* upc-trace FOLDER: makes the reports of a trace. They are written to a folder beside the
   trace's files, and moved when all are complete: what was there stays until then. */

#include "tools/trace/report/profile.h"
#include "tools/version.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char program_name[] = "upc-trace";

enum
{
  CHROME_SLICES = 500000,
  PAGE_SLICES = 30000
};

/* What is written, and what it is. */
static const struct result
{
  const char *name, *file, *help;
} results[] = {
  { "profile.txt", "profile.txt", "times and counts by call and by source line, of each thread" },
  { "matrix.tsv", "matrix.tsv", "bytes from each thread (rows) to each thread (columns)" },
  { "report.html", "report.html", "the same for a browser, with a timeline" },
  { "trace.json", "trace.json", "the timeline for Perfetto and chrome://tracing" },
  { "otf2", "otf2/trace.otf2", "the whole trace for Vampir and other tools" },
};
enum
{
  RESULTS = sizeof results / sizeof *results
};

static const struct
{
  const char *name, *argument, *help;
} switches[] = {
  { "--help", "", "print this list" },
  { "--manual=", "switches|files", "print a part of this list as roff, for the manual page" },
  { "--version", "", "print the version" },
};
enum
{
  SWITCHES = sizeof switches / sizeof *switches
};

/* Where the reports grow; removed when they fail. */
static char *new_folder;

static void
remove_tree (const char *path)
{
  DIR *list;
  struct dirent *entry;

  /* Of a link to a folder the link goes: what is in the folder is not the trace's. */
  if (unlink (path) == 0)
    return;
  list = opendir (path);
  if (!list)
    return;
  while ((entry = readdir (list)))
    if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0)
      {
        char *inner = arena_format ("%s/%s", path, entry->d_name);

        remove_tree (inner);
      }
  closedir (list);
  rmdir (path);
}

static void
remove_new (void)
{
  if (new_folder)
    remove_tree (new_folder);
}

static void
make_new_folder (const char *folder)
{
  char *path = arena_format ("%s/new.%d", folder, (int) getpid ());

  remove_tree (path);
  if (mkdir (path, 0777) != 0)
    fail_file (folder, "cannot write: %s", strerror (errno));
  new_folder = path;
  atexit (remove_new);
}

static void
move_results (const char *folder)
{
  for (int i = 0; i < RESULTS; i++)
    {
      char *from = arena_format ("%s/%s", new_folder, results[i].name);
      char *to = arena_format ("%s/%s", folder, results[i].name);

      remove_tree (to);
      if (rename (from, to) != 0)
        fail_file (to, "cannot write: %s", strerror (errno));
    }
}

/* They live as long as the program. */
static struct trace trace;
static struct profile profile;

static void
read_all (const struct visitor *visitors)
{
  for (unsigned t = 0; t < trace.threads; t++)
    replay (&trace, t, visitors);
}

static void
write_timelines (void)
{
  struct choice slices = profile.choice, shown = profile.choice;
  struct otf2_writer *otf2 = otf2_begin (&trace, new_folder);
  struct chrome_writer *chrome;
  struct page_writer *page;

  choice_decide (&slices, CHROME_SLICES, trace.threads);
  choice_decide (&shown, PAGE_SLICES, trace.threads);
  chrome = chrome_begin (&trace, slices, new_folder);
  page = page_begin (&trace, &profile, shown);
  const struct visitor visitors[]
      = { otf2_visitor (otf2), chrome_visitor (chrome), page_visitor (page), { .data = NULL } };
  struct visitor more[2] = { { .data = NULL }, { .data = NULL } };
  read_all (visitors);
  if (page_wants_more (page, more))
    read_all (more);
  otf2_end (otf2);
  chrome_end (chrome);
  page_end (page, new_folder);
}

static void
make_reports (const char *folder)
{
  trace_open (&trace, folder);
  make_new_folder (folder);
  profile_begin (&profile, &trace);
  const struct visitor visitors[] = { profile_visitor (&profile), { .data = NULL } };
  read_all (visitors);
  trace.sources = sites_strip (&trace.sites);
  write_profile (&trace, &profile, new_folder);
  write_matrix (&trace, &profile, new_folder);
  write_timelines ();
  move_results (folder);
  fprintf (
      stderr,
      "%s: trace: %u threads, %llu events: %s/report.html, profile.txt, matrix.tsv, trace.json, "
      "otf2/trace.otf2\n",
      trace.program, trace.threads, (unsigned long long) trace.events, folder);
}

static _Noreturn void
print_help (void)
{
  puts ("usage: upc-trace DIRECTORY\n"
        "Makes reports of the trace in DIRECTORY, which a program linked with libgasp-trace.a has\n"
        "left there, even if it was killed, and writes them there:");
  for (int i = 0; i < RESULTS; i++)
    print_switch_help (results[i].file, "", results[i].help);
  putchar ('\n');
  for (int i = 0; i < SWITCHES; i++)
    print_switch_help (switches[i].name, switches[i].argument, switches[i].help);
  exit (0);
}

static _Noreturn void
print_manual (const char *part)
{
  if (strcmp (part, "switches") == 0)
    for (int i = 0; i < SWITCHES; i++)
      print_switch_roff (switches[i].name, switches[i].argument, switches[i].help, NULL);
  else if (strcmp (part, "files") == 0)
    for (int i = 0; i < RESULTS; i++)
      print_switch_roff (results[i].file, "", results[i].help, NULL);
  else
    fail_usage ("invalid value '%s' for --manual; expected switches or files", part);
  exit (0);
}

static void
read_switch (const char *word)
{
  if (strcmp (word, "--help") == 0)
    print_help ();
  if (starts_with (word, "--manual="))
    print_manual (word + strlen ("--manual="));
  if (strcmp (word, "--version") != 0)
    fail_usage ("unknown switch '%s'; see 'upc-trace --help'", word);
  puts ("upc-trace (UPCT) " UPCT_VERSION);
  exit (0);
}

int
main (int argc, char **argv)
{
  const char *folder = NULL;
  bool only_files = false;

  for (int i = 1; i < argc; i++)
    if (!only_files && strcmp (argv[i], "--") == 0)
      only_files = true;
    else if (!only_files && argv[i][0] == '-')
      read_switch (argv[i]);
    else if (folder)
      fail_usage ("more than one directory: '%s'; see 'upc-trace --help'", argv[i]);
    else
      folder = argv[i];
  if (!folder)
    fail_usage ("no directory given; see 'upc-trace --help'");
  make_reports (folder);
  return 0;
}
