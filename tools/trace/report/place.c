#include "tools/trace/report/report.h"

#include <gasp.h>

#include <string.h>

void
places_begin (struct places *places)
{
  places->texts = hash_new ();
  places->by_place = hash_new ();
  places->by_call = hash_new ();
  places->by_row = hash_new ();
}

const char *
places_text (struct places *places, const char *bytes, size_t count)
{
  char plain[UINT16_MAX];

  memcpy (plain, bytes, count);
  make_printable (plain, count);
  return hash_key (places->texts, hash_add (places->texts, plain, count));
}

/* "int f (int)" is f: what stands before the first parenthesis that is not the type's. */
static const char *
name_of_function (struct places *places, const char *signature)
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
  return start < end ? places_text (places, start, end - start) : signature;
}

static const char *
name_of (struct places *places, unsigned tag, const char *name)
{
  const struct trace_event *event = trace_event_of (tag);
  char number[SHORT_TEXT];

  if (tag == GASP_C_FUNC)
    return *name ? name_of_function (places, name) : "?";
  if (event->category == TRACE_USER_EVENT)
    return name;
  if (event->tag)
    return event->name;
  snprintf (number, sizeof number, "event %u", tag);
  return places_text (places, number, strlen (number));
}

uint32_t
places_add (struct places *places, unsigned tag, const char *file, const char *name,
            const char *format, unsigned line, unsigned column)
{
  struct place place = { .file = file, .event = trace_event_of (tag), .tag = tag, .line = line,
                         .column = column, .format = format };
  uint32_t number, known = places->count;

  place.name = name_of (places, tag, name);
  /* Texts are single copies: their addresses are their identity. */
  uint64_t call[2] = { tag, (uintptr_t) place.name };
  uint64_t row[4] = { tag, (uintptr_t) place.name, (uintptr_t) file, line };
  uint64_t whole[5] = { tag, (uintptr_t) place.name, (uintptr_t) file,
                        line | (uint64_t) column << 32, (uintptr_t) format };
  number = hash_add (places->by_place, whole, sizeof whole);
  if (number < known)
    return number;
  if (number >= TRACE_MAX_SITES)
    fail ("more than %d places", TRACE_MAX_SITES);
  place.call = hash_add (places->by_call, call, sizeof call);
  place.row = hash_add (places->by_row, row, sizeof row);
  if (place.call >= places->calls)
    places->calls = place.call + 1;
  if (place.row >= places->rows)
    places->rows = place.row + 1;
  places->place = grow_array (places->place, places->count + 1, &places->room,
                               sizeof *places->place);
  places->place[places->count++] = place;
  return number;
}
