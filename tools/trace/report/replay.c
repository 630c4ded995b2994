/* Turns records into intervals that nest.

   A stack holds what has begun. An end closes the newest interval of the same call, and what
   is above that:

   - a construct or a function above has lost its end, by longjmp or because recording was
     off: it ends here too;
   - a user event above goes on, as programs may let those overlap: its interval is split, and
     continued in another. A few are; a program that never ends its events has no more than
     that.

   An end that has no start, as after recording was off, is dropped. What is open when the
   records end is closed there.

   Times: recording a start and its end takes `cost`, of which `inside` lies between the two
   times. So an interval with N others in it is longer by inside + N × cost than it would have
   been; that is taken out, and so is the time while recording was off and while a chunk was
   written. */

#include "tools/trace/report/report.h"

#include <stdlib.h>
#include <string.h>

enum
{
  MAX_DEPTH = 100000,
  MAX_CONTINUED = 16
};

struct frame
{
  struct interval interval;
  double children;    /* their inclusive times */
  double costs;       /* of what was recorded in it */
  int64_t off_before; /* how long recording had been off when it began */
  uint64_t *values;   /* its own copy, or null */
};

struct stack
{
  struct trace *trace;
  const struct visitor *visitors;
  struct frame *frame;
  size_t depth, capacity;
  size_t too_deep;
  uint32_t *open_calls, *open_rows; /* by number: how many are on the stack */
  size_t call_capacity, row_capacity;
  int64_t now;
  int64_t off_since, off_total;
  bool is_off;
  double ns_per_tick;
  double plain_cost, plain_inside, transfer_cost, transfer_inside;
  double outermost; /* inclusive times of what is in nothing */
  double outermost_costs;
};

#define TELL(stack, function, ...)                                \
  for (const struct visitor *v = (stack)->visitors; v->data; v++) \
    if (v->function)                                              \
  v->function (v->data, __VA_ARGS__)

static const struct site *
site_of (const struct stack *stack, uint32_t site)
{
  return &stack->trace->sites.site[site];
}

static void
count_open (struct stack *stack, uint32_t site, int change)
{
  const struct site *p = site_of (stack, site);

  stack->open_calls = grow_array (stack->open_calls, p->call + 1, &stack->call_capacity,
                                  sizeof *stack->open_calls);
  stack->open_rows = grow_array (stack->open_rows, p->row + 1, &stack->row_capacity,
                                 sizeof *stack->open_rows);
  stack->open_calls[p->call] += change;
  stack->open_rows[p->row] += change;
}

static void
take_words (struct stack *stack, struct frame *frame, const uint64_t *words, unsigned count)
{
  const struct site *site = site_of (stack, frame->interval.site);

  if (!count)
    return;
  if (site->event->payload == TRACE_FREED)
    {
      TELL (stack, heap, stack->now, words[0]);
      return;
    }
  if (trace_moves_at_start (site->event))
    {
      frame->interval.has_transfer = true;
      frame->interval.transfer = words[0];
      if (count > 1 && words[1] && words[1] <= UINT32_MAX)
        frame->interval.weight = words[1];
      return;
    }
  frame->values = xcalloc (count, sizeof *words);
  memcpy (frame->values, words, count * sizeof *words);
  frame->interval.values = frame->values;
  frame->interval.value_count = count;
}

static void
push (struct stack *stack, struct frame frame)
{
  stack->frame = grow_array (stack->frame, stack->depth + 1, &stack->capacity,
                             sizeof *stack->frame);
  frame.interval.depth = stack->depth;
  frame.off_before = stack->off_total;
  count_open (stack, frame.interval.site, 1);
  stack->frame[stack->depth++] = frame;
  TELL (stack, enter, &stack->frame[stack->depth - 1].interval);
}

static void
add_costs (struct stack *stack, double costs, double inclusive)
{
  if (stack->depth)
    {
      stack->frame[stack->depth - 1].costs += costs;
      stack->frame[stack->depth - 1].children += inclusive;
    }
  else
    {
      stack->outermost_costs += costs;
      stack->outermost += inclusive;
    }
}

static double
above_zero (double number)
{
  return number > 0 ? number : 0;
}

/* Closes the newest interval at the present. */
static void
pop (struct stack *stack)
{
  struct frame frame = stack->frame[--stack->depth];
  struct interval *interval = &frame.interval;
  const struct site *site = site_of (stack, interval->site);
  bool transfers = interval->has_transfer;
  double raw;

  count_open (stack, interval->site, -1);
  interval->end = stack->now;
  raw = interval->end - interval->start - (stack->off_total - frame.off_before);
  raw -= transfers ? stack->transfer_inside : stack->plain_inside;
  interval->inclusive = above_zero (raw - frame.costs);
  interval->exclusive = above_zero (interval->inclusive - frame.children);
  interval->is_nested_call = stack->open_calls[site->call] > 0;
  interval->is_nested_row = stack->open_rows[site->row] > 0;
  add_costs (stack, frame.costs + (transfers ? stack->transfer_cost : stack->plain_cost),
             interval->inclusive);
  TELL (stack, leave, interval);
  free (frame.values);
}

static void
start (struct stack *stack, const struct event *event)
{
  struct frame frame = { .interval = { .site = event->site, .start = event->ns, .weight = 1 } };

  if (stack->depth == MAX_DEPTH)
    {
      stack->too_deep++;
      return;
    }
  take_words (stack, &frame, event->words, event->count);
  push (stack, frame);
}

static bool
is_same_call (const struct stack *stack, uint32_t a, uint32_t b)
{
  return site_of (stack, a)->call == site_of (stack, b)->call;
}

/* Closes what is above BOTTOM; the user events among it, the newest few, are kept in KEPT,
   oldest first, and their number is returned. */
static unsigned
pop_above (struct stack *stack, size_t bottom, struct frame *kept)
{
  unsigned count = 0;

  while (stack->depth > bottom)
    {
      struct frame *top = &stack->frame[stack->depth - 1];

      if (site_of (stack, top->interval.site)->event->category == TRACE_USER_EVENT
          && count < MAX_CONTINUED)
        {
          struct frame copy = { .interval = { .site = top->interval.site,
                                              .start = stack->now,
                                              .weight = 1,
                                              .is_continued = true } };

          memmove (kept + 1, kept, count * sizeof *kept);
          take_words (stack, &copy, top->interval.values, top->interval.value_count);
          kept[0] = copy;
          count++;
        }
      pop (stack);
    }
  return count;
}

static void
take_end_words (struct stack *stack, struct interval *interval, const struct event *event)
{
  const struct trace_event *kind = site_of (stack, event->site)->event;

  if (event->count && trace_allocates (kind))
    {
      TELL (stack, heap, stack->now, event->words[0]);
      return;
    }
  interval->has_transfer |= event->count && trace_moves_at_end (kind);
  if (event->count && trace_moves_at_end (kind))
    interval->transfer = event->words[0];
  else
    {
      interval->end_values = event->words;
      interval->end_count = event->count;
    }
}

static void
end (struct stack *stack, const struct event *event)
{
  struct frame kept[MAX_CONTINUED];
  const struct site *site = site_of (stack, event->site);
  size_t at = stack->depth;
  unsigned count;

  if (stack->too_deep)
    {
      stack->too_deep--;
      return;
    }
  count_open (stack, event->site, 0);
  if (!stack->open_calls[site->call])
    return;
  while (!is_same_call (stack, stack->frame[--at].interval.site, event->site))
    ;
  count = pop_above (stack, at + 1, kept);
  take_end_words (stack, &stack->frame[at].interval, event);
  pop (stack);
  for (unsigned i = 0; i < count; i++)
    push (stack, kept[i]);
}

/* A moment is recorded at half of what an interval takes. */
static void
point (struct stack *stack, const struct event *event)
{
  add_costs (stack, stack->plain_cost / 2, 0);
  TELL (stack, point, event->site, event->ns, stack->depth, event->words, event->count);
}

static void
measure (struct stack *stack, int64_t ns, bool on)
{
  if (on == !stack->is_off)
    return;
  stack->is_off = !on;
  if (on)
    stack->off_total += ns - stack->off_since;
  else
    stack->off_since = ns;
  TELL (stack, measure, ns, on);
}

/* A day is no pause but damage. */
static void
pause_for (struct stack *stack, uint64_t ticks)
{
  double ns = (double) ticks * stack->ns_per_tick;

  if (ns < 86400e9)
    stack->off_total += ns;
}

static void
take_event (struct stack *stack, const struct event *event)
{
  stack->now = event->ns;
  if (event->kind == TRACE_START)
    start (stack, event);
  else if (event->kind == TRACE_END)
    end (stack, event);
  else if (event->kind == TRACE_ATOMIC)
    point (stack, event);
  else if (event->kind == TRACE_PAUSE)
    pause_for (stack, event->words[0]);
  else
    measure (stack, event->ns, event->kind == TRACE_ON);
}

/* Costs that are as large as this were not measured but made up. */
static double
cost_ns (uint64_t cost, double ns_per_tick)
{
  enum
  {
    MOST_NS = 100000
  };
  double ns = (double) cost / 256 * ns_per_tick;

  return ns < MOST_NS ? ns : 0;
}

static void
read_costs (struct stack *stack, const struct trace_header *header, double ns_per_tick)
{
  stack->ns_per_tick = ns_per_tick;
  stack->plain_cost = cost_ns (header->pair_cost, ns_per_tick);
  stack->plain_inside = cost_ns (header->pair_inside, ns_per_tick);
  stack->transfer_cost = cost_ns (header->transfer_cost, ns_per_tick);
  stack->transfer_inside = cost_ns (header->transfer_inside, ns_per_tick);
}

/* A thread that was killed ends with its last event, one that ended when it said so. */
static void
finish (struct stack *stack, unsigned thread, const struct reader *reader)
{
  struct thread_file *file = &stack->trace->thread[thread];
  int64_t end = stack->now;

  if (file->header.end_ticks > reader->ticks)
    end = reader_ns (reader, file->header.end_ticks);
  if (file->header.state == TRACE_RUNNING || end < stack->now)
    end = stack->now;
  if (stack->depth || end > stack->now)
    stack->now = end;
  measure (stack, end, true);
  while (stack->depth)
    {
      stack->frame[stack->depth - 1].interval.is_unfinished = true;
      pop (stack);
    }
  file->end_ns = end;
  file->is_truncated = reader->is_truncated;
  if (end > stack->trace->duration_ns)
    stack->trace->duration_ns = end;
  double outside = above_zero (end - file->begin_ns - stack->off_total - stack->outermost_costs
                               - stack->outermost);
  TELL (stack, end_thread, thread, end, outside);
}

void
replay (struct trace *trace, unsigned thread, const struct visitor *visitors)
{
  struct thread_file *file = &trace->thread[thread];
  struct stack stack = { .trace = trace, .visitors = visitors };
  struct reader reader;
  struct event event;

  if (!file->path)
    return;
  reader_open (&reader, file->path, &file->header, trace->origin, &trace->sites);
  read_costs (&stack, &file->header, reader.ns_per_tick);
  file->begin_ns = reader_ns (&reader, file->header.start_ticks);
  file->events = 0;
  stack.now = file->begin_ns;
  TELL (&stack, begin_thread, thread);
  while (reader_next (&reader, &event))
    {
      file->events += event.kind <= TRACE_ATOMIC;
      take_event (&stack, &event);
    }
  finish (&stack, thread, &reader);
  reader_close (&reader);
  free (stack.frame);
  free (stack.open_calls);
  free (stack.open_rows);
}
