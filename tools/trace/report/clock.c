/* The processes of a run may have different clocks, which the recorder has compared with that of thread 0's process at the
   beginning and, as precisely as that could be, at the end. Between the two they go as they have gone then; where the
   second moment is not there, or too vague, as their rates say. */

#include "tools/trace/report/report.h"

/* Clocks are wrong by some parts in a million; a second moment that is worse than this says nothing of them. */
#define WORST_SLOPE 1e-5

/* What a damaged file may say. */
#define MOST_TICKS 0x1p62

double
ns_of_ticks (uint64_t rate)
{
  return (double) rate / (double) (1ull << TRACE_RATE_SHIFT);
}

static double
slope_of (const struct trace_header *header)
{
  const struct trace_clock *begin = &header->clock[0], *end = &header->clock[1];
  double nominal = (double) header->rate / (double) header->first_rate, measured, own;

  if (end->ticks <= begin->ticks || end->first <= begin->first)
    return nominal;
  own = (double) (end->ticks - begin->ticks);
  measured = (double) (end->first - begin->first) / own;
  if (((double) begin->width + (double) end->width) / 2 > WORST_SLOPE * own
      || measured < nominal * (1 - 100 * WORST_SLOPE)
      || measured > nominal * (1 + 100 * WORST_SLOPE))
    return nominal;
  return measured;
}

uint64_t
ticks_on_first (const struct trace_header *header, uint64_t ticks)
{
  const struct trace_clock *begin = &header->clock[0];
  double since;

  if (!begin->ticks)
    return ticks;
  since = (double) (int64_t) (ticks - begin->ticks) * slope_of (header);
  if (since > MOST_TICKS || since < -MOST_TICKS)
    return begin->first;
  return begin->first + (uint64_t) (int64_t) since;
}
