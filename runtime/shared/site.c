/* The table of sites. */

#include "runtime/shared/site.h"

#include "runtime/diag/diag.h"
#include "runtime/host/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  BUCKETS = 1024
};

/* All under the heap's lock, but for sites themselves. */
static struct upcr_site *buckets[BUCKETS];

static uint64_t
hash (const struct upcr_site *site)
{
  uint64_t h = (uintptr_t) site->what + (uintptr_t) site->file * 31 + site->line;

  for (int i = 0; i < site->n; i++)
    h = (h ^ (uintptr_t) site->frames[i]) * 0x9e3779b97f4a7c15;
  return (h ^ h >> 32) % BUCKETS;
}

static bool
is_same (const struct upcr_site *a, const struct upcr_site *b)
{
  return a->what == b->what && a->file == b->file && a->line == b->line && a->n == b->n
         && memcmp (a->frames, b->frames, a->n * sizeof *a->frames) == 0;
}

static struct upcr_site *find_or_add (struct upcr_site new)
{
  struct upcr_site **bucket = &buckets[hash (&new)], *site;

  for (site = *bucket; site; site = site->next)
    if (is_same (site, &new))
      return site;
  site = malloc (sizeof *site);
  if (!site)
    return NULL;
  *site = new;
  site->next = *bucket;
  *bucket = site;
  return site;
}

struct upcr_site *
upcr_site_of_caller (const char *what)
{
  struct upcr_site new = { .what = what, .file = upcr_here.file, .line = upcr_here.line };

  if (!new.file)
    {
      new.line = 0;
      new.n = upcr_unwind (new.frames, UPCR_SITE_FRAMES);
    }
  return find_or_add (new);
}

struct upcr_site *
upcr_site_of_other (struct upcr_site site, intptr_t distance)
{
  site.what += distance;
  if (site.file)
    site.file += distance;
  for (int i = 0; i < site.n; i++)
    site.frames[i] = (const char *) site.frames[i] + distance;
  site.blocks = site.bytes = 0;
  return find_or_add (site);
}

struct upcr_site *
upcr_next_site (struct upcr_site *site)
{
  uint64_t bucket = 0;

  if (site && site->next)
    return site->next;
  if (site)
    bucket = hash (site) + 1;
  while (bucket < BUCKETS && !buckets[bucket])
    bucket++;
  return bucket < BUCKETS ? buckets[bucket] : NULL;
}

int
upcr_site_text (const struct upcr_site *site, char *text, size_t bytes)
{
  struct upcr_location location;

  *text = 0;
  if (!site)
    return 0;
  location = (struct upcr_location){ site->file, site->line };
  if (!site->file && !upcr_find_line (site->frames, site->n, &location))
    return 0;
  return snprintf (text, bytes, " at %s:%d", location.file, location.line);
}
