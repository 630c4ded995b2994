/* What was never freed, at the end of a run with UPC_CHECK=leaks. Only one thread is left then. */

#include "runtime/host/host.h"
#include "runtime/shared/shared.h"
#include "runtime/shared/site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  MOST_LINES = 10
};

/* Of one place in the program. Sites are several for it where threads have come there by other
   ways: thread 0 from main. */
struct leak
{
  char place[UPCR_TEXT_BYTES];
  const char *what;
  uint64_t blocks, bytes;
};

static int
compare_places (const void *a, const void *b)
{
  const struct leak *x = a, *y = b;
  int order = strcmp (x->place, y->place);

  return order ? order : strcmp (x->what, y->what);
}

static int
compare_bytes (const void *a, const void *b)
{
  const struct leak *x = a, *y = b;

  if (x->bytes == y->bytes)
    return compare_places (a, b);
  return x->bytes < y->bytes ? 1 : -1;
}

/* A leak for each site that has blocks. NULL: there are none, or is no memory. */
static struct leak *
list_sites (size_t *count)
{
  struct leak *list;
  struct upcr_site *site;
  size_t all = 0;

  for (site = upcr_next_site (NULL); site; site = upcr_next_site (site))
    all += site->blocks > 0;
  list = all ? malloc (all * sizeof *list) : NULL;
  *count = 0;
  for (site = upcr_next_site (NULL); list && site; site = upcr_next_site (site))
    if (site->blocks > 0)
      {
        struct leak *leak = &list[(*count)++];

        *leak = (struct leak){ .what = site->what, .blocks = site->blocks, .bytes = site->bytes };
        upcr_site_text (site, leak->place, sizeof leak->place);
      }
  return list;
}

/* Joins those of one place; the number that is left. */
static size_t
join_places (struct leak *list, size_t count)
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

static void
report (const struct leak *leak)
{
  bool is_one = leak->blocks == 1;
  char line[2 * UPCR_TEXT_BYTES];

  snprintf (line, sizeof line, "%lu block%s of %lu bytes%s, allocated%s by %s, %s never freed",
            (unsigned long) leak->blocks, is_one ? "" : "s", (unsigned long) leak->bytes,
            is_one ? "" : " in all", leak->place, leak->what, is_one ? "was" : "were");
  upcr_print_message ("note", line);
}

void
upcr_report_leaks (void)
{
  size_t count;
  struct leak *list = list_sites (&count);
  char line[64];

  if (!list)
    return;
  count = join_places (list, count);
  qsort (list, count, sizeof *list, compare_bytes);
  for (size_t i = 0; i < count && i < MOST_LINES; i++)
    report (&list[i]);
  if (count > MOST_LINES)
    {
      snprintf (line, sizeof line, "blocks of %zu more places were never freed",
                count - MOST_LINES);
      upcr_print_message ("note", line);
    }
  free (list);
}
