/* User events. A name with its format has one number in the whole process, whichever thread
   asks and however often: threads that make the same events find the same numbers, and may
   pass them to each other. */

#include "tools/trace/format.h"
#include "tools/trace/recorder/recorder.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum
{
  USER_EVENTS = GASP_UPC_USEREVT_END - GASP_UPC_USEREVT_START + 1
};

struct user_event
{
  char *name;
  char *format;
};

/* Written under the mutex; `count` is the last to be written, so what it counts may be read
   without. */
PROCESS_WIDE static struct user_event events[USER_EVENTS];
PROCESS_WIDE static atomic_int count;
PROCESS_WIDE static pthread_mutex_t mutex;

static const struct user_event no_event = { (char *) "user event", (char *) "" };

/* Acquire: the event is complete. */
static const struct user_event *
event_of (unsigned tag)
{
  int index = tag - GASP_UPC_USEREVT_START;

  return index < atomic_load_explicit (&count, memory_order_acquire) ? &events[index] : &no_event;
}

static int
find_event (const char *name, const char *format)
{
  int known = atomic_load_explicit (&count, memory_order_relaxed);

  for (int i = 0; i < known; i++)
    if (strcmp (events[i].name, name) == 0 && strcmp (events[i].format, format) == 0)
      return i;
  return -1;
}

/* The last number is everything that there is no number for. */
static int
add_event (const char *name, const char *format)
{
  int known = atomic_load_explicit (&count, memory_order_relaxed);
  bool is_last = known == USER_EVENTS - 1;
  struct user_event event;

  if (known == USER_EVENTS)
    return USER_EVENTS - 1;
  if (is_last)
    trace_say ("warning", "more than %d user events; the others are recorded as one",
               USER_EVENTS - 1);
  event = (struct user_event){ strdup (is_last ? "other user events" : name),
                               strdup (is_last ? "" : format) };
  if (!event.name || !event.format)
    {
      free (event.name);
      free (event.format);
      return USER_EVENTS - 1;
    }
  events[known] = event;
  atomic_store_explicit (&count, known + 1, memory_order_release);
  return known;
}

unsigned
create_event (const char *name, const char *format)
{
  int index;

  name = name ? name : "user event";
  format = format ? format : "";
  pthread_mutex_lock (&mutex);
  index = find_event (name, format);
  if (index < 0)
    index = add_event (name, format);
  pthread_mutex_unlock (&mutex);
  return GASP_UPC_USEREVT_START + index;
}

void
define_user_event (gasp_context_t context, unsigned tag)
{
  unsigned index = (tag - GASP_UPC_USEREVT_START) % USER_EVENTS, words;
  unsigned char bit = 1 << index % 8;
  const struct user_event *event = event_of (tag);
  size_t name_bytes, format_bytes;
  uint64_t *at;

  if (context->user_defined[index / 8] & bit)
    return;
  name_bytes = strnlen (event->name, TRACE_MAX_TEXT);
  format_bytes = strnlen (event->format, TRACE_MAX_TEXT);
  words = 1 + (name_bytes + format_bytes + 7) / 8;
  at = reserve (context, words + 1);
  if (!at)
    return;
  at[0] = trace_first_word (TRACE_USER, 0, words, 0);
  at[words] = 0;
  at[1] = tag | (uint64_t) name_bytes << 32 | (uint64_t) format_bytes << 48;
  memcpy (at + 2, event->name, name_bytes);
  memcpy ((char *) (at + 2) + name_bytes, event->format, format_bytes);
  commit (context, words + 1);
  context->user_defined[index / 8] |= bit;
}

static unsigned
take_string (const char *text, int precision, uint64_t *words, unsigned size)
{
  size_t most = precision >= 0 && precision < TRACE_STRING_MOST ? (size_t) precision
                                                                : TRACE_STRING_MOST;
  size_t length;

  text = text ? text : "(null)";
  length = strnlen (text, most);
  if (1 + (length + 7) / 8 > size)
    return 0;
  words[0] = length;
  words[(length + 7) / 8] = length ? 0 : words[0];
  memcpy (words + 1, text, length);
  return 1 + (length + 7) / 8;
}

static uint64_t
take_value (enum trace_value value, va_list *args)
{
  double number;
  uint64_t word;

  switch (value)
    {
    case TRACE_INT:
    case TRACE_CHAR:
      return va_arg (*args, int);
    case TRACE_UNSIGNED:
      return va_arg (*args, unsigned);
    case TRACE_DOUBLE:
    case TRACE_LONG_DOUBLE:
      number = value == TRACE_DOUBLE ? va_arg (*args, double)
                                     : (double) va_arg (*args, long double);
      memcpy (&word, &number, sizeof word);
      return word;
    default:
      return va_arg (*args, uint64_t);
    }
}

unsigned
take_values (unsigned tag, va_list args, uint64_t *words)
{
  const char *at = event_of (tag)->format;
  struct trace_conversion conversion;
  unsigned used = 0;
  va_list copy;

  va_copy (copy, args);
  while (used + 4 < TRACE_MAX_PAYLOAD && trace_next_conversion (&at, &conversion))
    {
      int precision = conversion.precision;

      for (unsigned i = 0; i < conversion.stars; i++)
        {
          int star = va_arg (copy, int);

          words[used++] = star;
          if (conversion.precision == -2)
            precision = star;
        }
      if (conversion.value == TRACE_COUNT)
        va_arg (copy, void *);
      else if (conversion.value == TRACE_STRING)
        {
          unsigned taken = take_string (va_arg (copy, const char *), precision, words + used,
                                        TRACE_MAX_PAYLOAD - used);
          if (!taken)
            break;
          used += taken;
        }
      else
        words[used++] = take_value (conversion.value, &copy);
    }
  va_end (copy);
  return used;
}
