/* The path of an event, and the functions of gasp.h behind gasp_init. */

#include "tools/trace/recorder/processes.h"
#include "tools/trace/recorder/recorder.h"

#include <upc_tick.h>

/* Constant texts have one address each, so a site is found by addresses and numbers. */
static inline uint32_t
find_site (gasp_context_t context, const struct recorded_site *key)
{
  uint64_t mixed = ((uintptr_t) key->file ^ (uintptr_t) key->name << 7)
                   + ((uint64_t) key->line << 20) + ((uint64_t) key->column << 44) + key->tag;
  uint32_t slot = mixed * 0x9e3779b97f4a7c15u >> 48;
  _Static_assert(SITE_SLOTS == 1 << 16, "a slot is the upper 16 bits");

  for (;; slot = (slot + 1) % SITE_SLOTS)
    {
      const struct recorded_site *site = &context->site[slot];

      if (site->line == key->line && site->tag == key->tag && site->file == key->file
          && site->column == key->column && site->name == key->name && site->number)
        return site->number;
      if (!site->number)
        return add_site (context, *key, slot);
    }
}

/* Says how long writing took. Returns where the next record goes; a new chunk has room. */
static __attribute__ ((noinline)) uint64_t *
note_pause (gasp_context_t context)
{
  uint64_t *at = reserve (context, 2);

  at[0] = trace_first_word (TRACE_PAUSE, 0, 1, 0);
  at[1] = context->pause;
  context->pause = 0;
  commit (context, 2);
  return at + 2;
}

/* An interval's end is read off the clock first and its start last, so that what recording
   takes lies outside of it; that a chunk was written in between is said in the same order. */
static inline void
record (gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line,
        int column, va_list args)
{
  uint64_t now = type == GASP_START ? 0 : upc_ticks_now ();
  struct recorded_site key = { .file = file, .tag = tag, .line = line, .column = column };
  uint64_t payload[TRACE_MAX_PAYLOAD], *at;
  unsigned words = 0;
  uint32_t site;

  if (tag == GASP_C_FUNC)
    key.name = va_arg (args, const char *);
  else
    words = take_arguments (context, tag, type, args, payload);
  if (__builtin_expect (context->weight > 1, 0))
    payload[words++] = context->weight;
  site = find_site (context, &key);
  at = reserve (context, words + 5);
  if (!at)
    return;
  if (type == GASP_START)
    {
      if (__builtin_expect (context->pause != 0, 0))
        at = note_pause (context);
      now = upc_ticks_now ();
    }
  if (__builtin_expect (now - context->last > UINT32_MAX, 0))
    {
      at[0] = trace_first_word (TRACE_TIME, 0, 1, 0);
      at[1] = context->last = now;
      commit (context, 2);
      at += 2;
    }
  at[0] = trace_first_word ((enum trace_kind) (TRACE_START + type), site, words,
                            now - context->last);
  context->last = now;
  for (unsigned i = 0; i < words; i++)
    at[i + 1] = payload[i];
  commit (context, words + 1);
  if (__builtin_expect (context->pause != 0, 0))
    note_pause (context);
}

/* The run ends with the last thread that has left the final barrier, or with the first that
   calls upc_global_exit. */
static void
notice_exit (gasp_context_t context, unsigned tag, gasp_evttype_t type)
{
  bool is_whole = tag == GASP_UPC_COLLECTIVE_EXIT && type == GASP_END;

  if (tag == GASP_UPC_COLLECTIVE_EXIT && type == GASP_START)
    compare_clocks_at_end ();
  if (context->has_ended || (!is_whole && tag != GASP_UPC_NONCOLLECTIVE_EXIT))
    return;
  context->has_ended = true;
  context->is_recording = false;
  if (context->has_file)
    end_file (context, is_whole ? TRACE_ENDED : TRACE_STOPPED);
  if (is_whole ? !leaves_last (context) : !context->has_file)
    return;
  if (!is_whole)
    stop_run ();
  if (!atomic_flag_test_and_set_explicit (&trace_run.is_reported, memory_order_relaxed))
    run_report ();
}

static inline void
notify (gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line,
        int column, va_list args)
{
  if (!context)
    return;
  context->weight = 1;
  if ((tag == GASP_UPC_GET || tag == GASP_UPC_PUT) && type == GASP_START)
    context->weight = sample_access (context);
  /* Relaxed: an event more or less is recorded. */
  if (context->is_recording && !atomic_load_explicit (&trace_run.is_stopped, memory_order_relaxed))
    record (context, tag, type, file, line, column, args);
  else if (context->has_file && context->on && !context->has_ended)
    context->header->dropped++;
  if (__builtin_expect (tag == GASP_UPC_COLLECTIVE_EXIT || tag == GASP_UPC_NONCOLLECTIVE_EXIT, 0))
    notice_exit (context, tag, type);
}

void
gasp_event_notify (gasp_context_t context, unsigned int evttag, gasp_evttype_t evttype,
                   const char *filename, int linenum, int colnum, ...)
{
  va_list args;

  va_start (args, colnum);
  notify (context, evttag, evttype, filename, linenum, colnum, args);
  va_end (args);
}

void
gasp_event_notifyVA (gasp_context_t context, unsigned int evttag, gasp_evttype_t evttype,
                     const char *filename, int linenum, int colnum, va_list varargs)
{
  va_list args;

  va_copy (args, varargs);
  notify (context, evttag, evttype, filename, linenum, colnum, args);
  va_end (args);
}

int
gasp_control (gasp_context_t context, int on)
{
  int before;
  uint64_t *at;

  if (!context)
    return 1;
  before = context->on;
  context->on = on;
  if (!before == !on || !context->has_file || context->has_ended)
    return before;
  at = reserve (context, 3);
  if (at)
    {
      uint64_t now = upc_ticks_now ();

      at[0] = trace_first_word (TRACE_TIME, 0, 1, 0);
      at[1] = context->last = now;
      at[2] = trace_first_word (on ? TRACE_ON : TRACE_OFF, 0, 0, 0);
      commit (context, 3);
    }
  context->is_recording = on;
  return before;
}

unsigned int
gasp_create_event (gasp_context_t context, const char *name, const char *desc)
{
  (void) context;
  return create_event (name, desc);
}
