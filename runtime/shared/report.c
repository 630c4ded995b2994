/* How much of the shared heap is in use, by thread and by place in the program: upc_heap_report, and
   at the end of a run UPC_CHECK=heap and UPC_CHECK=leaks. */

#include "runtime/host/host.h"
#include "runtime/shared/checked.h"
#include "runtime/shared/plain.h"
#include "runtime/shared/shared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
  MOST_LINES = 10
};

/* What was allocated at one place in the program and is in use. Sites are several for it where
   threads have come there by other ways: thread 0 from main. */
struct place
{
  const struct upcr_site *site;
  char text[UPCR_TEXT_BYTES];
  uint64_t blocks, bytes;
};

static int
compare_places (const void *a, const void *b)
{
  const struct place *x = a, *y = b;
  int order = strcmp (x->text, y->text);

  return order ? order : strcmp (x->site->what, y->site->what);
}

static int
compare_bytes (const void *a, const void *b)
{
  const struct place *x = a, *y = b;

  if (x->bytes == y->bytes)
    return compare_places (a, b);
  return x->bytes < y->bytes ? 1 : -1;
}

/* A place for each site that has blocks. NULL: there are none, or is no memory. */
static struct place *
list_sites (size_t *count)
{
  struct place *list;
  struct upcr_site *site;
  size_t all = 0;

  *count = 0;
  upcr_checked_lock ();
  for (site = upcr_next_site (NULL); site; site = upcr_next_site (site))
    all += site->blocks > 0;
  list = all ? malloc (all * sizeof *list) : NULL;
  for (site = upcr_next_site (NULL); list && site; site = upcr_next_site (site))
    if (site->blocks > 0)
      list[(*count)++]
          = (struct place){ .site = site, .blocks = site->blocks, .bytes = site->bytes };
  upcr_checked_unlock ();
  for (size_t i = 0; i < *count; i++)
    upcr_site_text (list[i].site, list[i].text, sizeof list[i].text);
  return list;
}

/* Joins those of one place; the number that is left. */
static size_t
join_places (struct place *list, size_t count)
{
  size_t n = 0;

  qsort (list, count, sizeof *list, compare_places);
  for (size_t i = 0; i < count; i++)
    if (n > 0 && compare_places (&list[n - 1], &list[i]) == 0)
      {
        list[n - 1].blocks += list[i].blocks;
        list[n - 1].bytes += list[i].bytes;
      }
    else
      list[n++] = list[i];
  return n;
}

/* The places that have blocks, the most bytes first. To be freed. */
static struct place *
list_places (size_t *count)
{
  struct place *list = list_sites (count);

  if (list)
    {
      *count = join_places (list, *count);
      qsort (list, *count, sizeof *list, compare_bytes);
    }
  return list;
}

static void
print_blocks (FILE *out, uint64_t blocks, uint64_t bytes)
{
  fprintf (out, "%lu block%s of %lu byte%s", (unsigned long) blocks, blocks == 1 ? "" : "s",
           (unsigned long) bytes, bytes == 1 ? "" : "s");
}

static void
print_place (FILE *out, const struct place *place)
{
  print_blocks (out, place->blocks, place->bytes);
  fprintf (out, "%s, allocated%s by %s", place->blocks == 1 ? "" : " in all", place->text,
           place->site->what);
}

/* A block that UPC-IO has as the handle of a file is the file to the program. */
static bool
is_file (const struct place *place)
{
  return strcmp (place->site->what, "upc_all_fopen") == 0;
}

static void
print_leak (FILE *out, const struct place *place)
{
  const char *were = place->blocks == 1 ? "was" : "were";

  if (is_file (place))
    fprintf (out, "%lu file%s, opened%s by upc_all_fopen, %s never closed\n",
             (unsigned long) place->blocks, place->blocks == 1 ? "" : "s", place->text, were);
  else
    {
      print_place (out, place);
      fprintf (out, ", %s never freed\n", were);
    }
}

/* A line for each place, and one for those that are too many. BEFORE is what lines begin with. */
static void
print_places (FILE *out, const char *before, bool are_leaks)
{
  size_t count;
  struct place *list = list_places (&count);

  for (size_t i = 0; i < count && i < MOST_LINES; i++)
    {
      fputs (before, out);
      if (are_leaks)
        print_leak (out, &list[i]);
      else
        {
          print_place (out, &list[i]);
          fputc ('\n', out);
        }
    }
  if (count > MOST_LINES)
    fprintf (out, "%sblocks of %zu more places%s\n", before, count - MOST_LINES,
             are_leaks ? " were never freed" : "");
  free (list);
}

/* `9 blocks of 3900 bytes in use, at most 4200 bytes`. Of the plain heap it is known how many pages
   there have been at most. */
static void
print_use (FILE *out, const struct upcr_use *use, const char *each)
{
  print_blocks (out, use->blocks, use->bytes);
  fprintf (out, "%s in use, at most %lu bytes%s\n", each, (unsigned long) use->most,
           upcr_is_checked ? "" : " of pages");
}

/* Threads side by side that are equal have one line. */
static void
print_threads (FILE *out, const struct upcr_use *uses)
{
  for (int t = 0, end; t < THREADS; t = end)
    {
      for (end = t + 1; end < THREADS && memcmp (&uses[t], &uses[end], sizeof *uses) == 0;)
        end++;
      fprintf (out, end - t == 1 ? "  thread %d: " : "  threads %d%s%d: ", t,
               end - t == 2 ? ", " : "-", end - 1);
      print_use (out, &uses[t], end - t == 1 ? "" : " each");
    }
}

static void
print_heap (FILE *out)
{
  struct upcr_use *uses = malloc ((THREADS + 1) * sizeof *uses);

  if (!uses)
    return;
  if (upcr_is_checked)
    {
      upcr_checked_lock ();
      memcpy (uses, upcr_checked_uses, (THREADS + 1) * sizeof *uses);
      upcr_checked_unlock ();
    }
  else
    upcr_plain_uses (uses);
  fprintf (out, "%s: note: shared heap: ", upcr_program);
  print_use (out, &uses[THREADS], "");
  print_threads (out, uses);
  print_places (out, "  ", false);
  free (uses);
}

static void
print_leaks (FILE *out)
{
  char before[256];

  snprintf (before, sizeof before, "%s: note: ", upcr_program);
  print_places (out, before, true);
}

/* Writes what PRINT prints with one system call: lines of several threads never mix. */
static void
write_report (void (*print) (FILE *out))
{
  char *text = NULL;
  size_t bytes;
  FILE *out = open_memstream (&text, &bytes);

  if (!out)
    return;
  print (out);
  /* Nothing can be done about a closed stderr. */
  if (fclose (out) == 0 && write (STDERR_FILENO, text, bytes) < 0)
    bytes = 0;
  free (text);
}

void
upcr_report_heap (void)
{
  write_report (print_heap);
}

void
upcr_report_leaks (void)
{
  write_report (print_leaks);
}
