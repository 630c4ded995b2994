#include "tools/trace/report/report.h"

#include <gasp.h>

#include <string.h>

void
sites_begin (struct sites *sites)
{
  sites->texts = hash_new ();
  sites->by_site = hash_new ();
  sites->by_call = hash_new ();
  sites->by_row = hash_new ();
}

const char *
sites_text (struct sites *sites, const char *bytes, size_t count)
{
  char plain[UINT16_MAX];

  memcpy (plain, bytes, count);
  make_printable (plain, count);
  return hash_key (sites->texts, hash_add (sites->texts, plain, count));
}

/* "int f (int)" is f: what stands before the first parenthesis that is not the type's. */
static const char *
name_of_function (struct sites *sites, const char *signature)
{
  const char *end = strchr (signature, '('), *start;

  if (!end)
    return signature;
  while (end > signature && end[-1] == ' ')
    end--;
  for (start = end; start > signature; start--)
    if (!(start[-1] == '_' || start[-1] == '$' || (start[-1] >= '0' && start[-1] <= '9')
          || (start[-1] >= 'a' && start[-1] <= 'z') || (start[-1] >= 'A' && start[-1] <= 'Z')
          || (unsigned char) start[-1] >= 0x80))
      break;
  return start < end ? sites_text (sites, start, end - start) : signature;
}

static const char *
name_of (struct sites *sites, unsigned tag, const char *name)
{
  const struct trace_event *event = trace_event_of (tag);
  char number[SHORT_TEXT];

  if (tag == GASP_C_FUNC)
    return *name ? name_of_function (sites, name) : "?";
  if (event->category == TRACE_USER_EVENT)
    return name;
  if (event->tag)
    return event->name;
  snprintf (number, sizeof number, "event %u", tag);
  return sites_text (sites, number, strlen (number));
}

uint32_t
sites_add (struct sites *sites, unsigned tag, const char *file, const char *name,
           const char *format, unsigned line, unsigned column)
{
  struct site site = { .file = file,
                       .path = file,
                       .event = trace_event_of (tag),
                       .tag = tag,
                       .line = line,
                       .column = column,
                       .format = format };
  uint32_t number, known = sites->count;

  site.name = name_of (sites, tag, name);
  /* Texts are single copies: their addresses are their identity. */
  uint64_t call[2] = { tag, (uintptr_t) site.name };
  uint64_t row[4] = { tag, (uintptr_t) site.name, (uintptr_t) file, line };
  uint64_t whole[5] = { tag, (uintptr_t) site.name, (uintptr_t) file,
                        line | (uint64_t) column << 32, (uintptr_t) format };
  number = hash_add (sites->by_site, whole, sizeof whole);
  if (number < known)
    return number;
  if (number >= TRACE_MAX_SITES)
    fail ("more than %d sites", TRACE_MAX_SITES);
  site.call = hash_add (sites->by_call, call, sizeof call);
  site.row = hash_add (sites->by_row, row, sizeof row);
  if (site.call >= sites->calls)
    sites->calls = site.call + 1;
  if (site.row >= sites->rows)
    sites->rows = site.row + 1;
  sites->site = grow_array (sites->site, sites->count + 1, &sites->capacity, sizeof *sites->site);
  sites->site[sites->count++] = site;
  return number;
}

/* How much of A is the same in B, up to a slash and with it. */
static size_t
common_folder (const char *a, const char *b, size_t length)
{
  size_t end = 0;

  for (size_t i = 0; i < length && a[i] == b[i]; i++)
    if (a[i] == '/')
      end = i + 1;
  return end;
}

const char *
sites_strip (struct sites *sites)
{
  const char *first = NULL;
  size_t length = 0;

  for (size_t i = 0; i < sites->count; i++)
    {
      const char *file = sites->site[i].file;

      if (*file != '/')
        continue;
      length = common_folder (file, first ? first : file, first ? length : strlen (file));
      first = file;
    }
  /* The root alone says nothing. */
  if (length < 2)
    return "";
  for (size_t i = 0; i < sites->count; i++)
    if (*sites->site[i].file == '/')
      sites->site[i].path = sites->site[i].file + length;
  return sites_text (sites, first, length);
}
