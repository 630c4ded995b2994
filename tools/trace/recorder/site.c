#include "tools/trace/recorder/recorder.h"

#include <string.h>

/* Of a long text the end counts: it has the file's name. */
static size_t
cut (const char **text)
{
  size_t length = *text ? strlen (*text) : 0;

  if (length > TRACE_MAX_TEXT)
    {
      *text += length - TRACE_MAX_TEXT;
      length = TRACE_MAX_TEXT;
    }
  return length;
}

static void
define (gasp_context_t context, const struct recorded_site *site)
{
  const char *file = site->file, *name = site->name;
  size_t file_bytes = cut (&file), name_bytes = name ? strnlen (name, TRACE_MAX_TEXT) : 0;
  unsigned words = 2 + (file_bytes + name_bytes + 7) / 8;
  uint64_t *at = reserve (context, words + 1);

  if (!at)
    return;
  at[0] = trace_first_word (TRACE_SITE, site->number, words, 0);
  at[1] = site->tag | (uint64_t) site->line << 32;
  at[2] = site->column | (uint64_t) file_bytes << 32 | (uint64_t) name_bytes << 48;
  at[words] = 0;
  if (file_bytes)
    memcpy (at + 3, file, file_bytes);
  if (name_bytes)
    memcpy ((char *) (at + 3) + file_bytes, name, name_bytes);
  commit (context, words + 1);
}

/* When there are too many, an event is known without its location. */
static uint32_t
without_location (gasp_context_t context, struct recorded_site *key)
{
  uint32_t slot = key->tag * 31 % SITE_SLOTS;

  key->file = key->name = NULL;
  key->line = key->column = 0;
  for (; context->site[slot].number; slot = (slot + 1) % SITE_SLOTS)
    if (context->site[slot].tag == key->tag && !context->site[slot].file
        && !context->site[slot].line)
      break;
  return slot;
}

uint32_t
add_site (gasp_context_t context, struct recorded_site key, uint32_t slot)
{
  if (context->sites >= SITE_MOST)
    slot = without_location (context, &key);
  if (context->site[slot].number)
    return context->site[slot].number;
  if (context->sites + 1 >= SITE_SLOTS)
    return context->sites;
  key.number = ++context->sites;
  context->site[slot] = key;
  define (context, &key);
  return key.number;
}
