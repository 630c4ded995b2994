/* The memory of this process, as messages of others use it. */

#include "runtime/net/target.h"

#include "runtime/net/message.h"

#include <string.h>

#define STORE_WORDS(type)                                              \
  {                                                                    \
    _Atomic type *words = to;                                          \
    const char *next = from;                                           \
    for (size_t i = 0; i < bytes / sizeof (type); i++)                 \
      {                                                                \
        type word;                                                     \
        memcpy (&word, next + i * sizeof word, sizeof word);           \
        atomic_store_explicit (&words[i], word, memory_order_release); \
      }                                                                \
    return;                                                            \
  }

#define LOAD_WORDS(type)                                                    \
  {                                                                         \
    const _Atomic type *words = from;                                       \
    char *next = to;                                                        \
    for (size_t i = 0; i < bytes / sizeof (type); i++)                      \
      {                                                                     \
        type word = atomic_load_explicit (&words[i], memory_order_acquire); \
        memcpy (next + i * sizeof word, &word, sizeof word);                \
      }                                                                     \
    return;                                                                 \
  }

/* How long the words are that an access of so many BYTES at ADDRESS consists of: so an element that is whole for the
   processor is whole here, whichever are its neighbours. */
static size_t
word_bytes (const void *address, size_t bytes)
{
  uintptr_t bits = (uintptr_t) address | bytes | sizeof (uint64_t);

  return bits & -bits;
}

void
upcr_target_store (void *to, const void *from, size_t bytes)
{
  switch (word_bytes (to, bytes))
    {
    case 8:
      STORE_WORDS (uint64_t)
    case 4:
      STORE_WORDS (uint32_t)
    case 2:
      STORE_WORDS (uint16_t)
    default:
      memcpy (to, from, bytes);
    }
}

void
upcr_target_load (void *to, const void *from, size_t bytes)
{
  switch (word_bytes (from, bytes))
    {
    case 8:
      LOAD_WORDS (uint64_t)
    case 4:
      LOAD_WORDS (uint32_t)
    case 2:
      LOAD_WORDS (uint16_t)
    default:
      memcpy (to, from, bytes);
    }
}

void
upcr_net_store_own_bits (unsigned char *to, const unsigned char *from, const unsigned char *mask,
                         size_t bytes)
{
  for (size_t i = 0; i < bytes; i++)
    if (mask[i])
      to[i] = (to[i] & ~mask[i]) | (from[i] & mask[i]);
}

void
upcr_target_unjoin (int sender, const char *body, size_t bytes)
{
  struct upcr_record record;

  for (const char *at = body; at < body + bytes; at += (record.bytes + 7) & ~7ul)
    {
      memcpy (&record, at, sizeof record);
      at += sizeof record;
      if (record.is_call)
        upcr_call_service (record.to, (struct upcr_net_caller){ .process = sender }, at);
      else
        upcr_target_store ((void *) (uintptr_t) record.to, at, record.bytes);
    }
}

/* COUNT words. What upcr_target_load asks of each element takes longer than its load. */
static char *
load_run (char *values, const char *from, int64_t stride, unsigned count)
{
  for (unsigned i = 0; i < count; i++, values += sizeof (uint64_t))
    {
      const _Atomic uint64_t *words = (const void *) (from + i * stride);
      uint64_t word = atomic_load_explicit (words, memory_order_acquire);

      memcpy (values, &word, sizeof word);
    }
  return values;
}

/* The run at AT, and its stride. Returns what is behind it. */
static const char *
read_run (const char *at, struct upcr_run *run, int64_t *stride)
{
  memcpy (run, at, sizeof *run);
  at += sizeof *run;
  if (run->count == 1)
    return at;
  memcpy (stride, at, sizeof *stride);
  return at + sizeof *stride;
}

static bool (*look_up) (const void *address, size_t bytes);

void
upcr_net_hook_look_up (bool (*function) (const void *address, size_t bytes))
{
  look_up = function;
}

bool
upcr_target_may_gather (const char *body, size_t bytes, size_t element)
{
  struct upcr_run run;
  int64_t stride = 0;

  for (const char *at = body; at < body + bytes;)
    {
      const char *from;

      at = read_run (at, &run, &stride);
      from = (const char *) (uintptr_t) run.from;
      for (unsigned i = 0; i < run.count; i++)
        if (!look_up (from + i * stride, element))
          return false;
    }
  return true;
}

void
upcr_target_gather (char *values, const char *body, size_t bytes, size_t element)
{
  struct upcr_run run;
  int64_t stride = 0;

  for (const char *at = body; at < body + bytes;)
    {
      const char *from;

      at = read_run (at, &run, &stride);
      from = (const char *) (uintptr_t) run.from;
      if (element == sizeof (uint64_t) && ((run.from | stride) & 7) == 0)
        values = load_run (values, from, stride, run.count);
      else
        for (unsigned i = 0; i < run.count; i++, values += element)
          upcr_target_load (values, from + i * stride, element);
    }
}
