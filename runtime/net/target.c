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
