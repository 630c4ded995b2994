/* Letters.

   field of upcr_near      written by                       read by
   letters[t][i].text      t, when all have read the last   all, behind the number
                           one of the place
   letters[t][i].number    t, with release order            all, with acquire order
   have_read[t]            t, with release order            who wants to write, with acquire order */

#include "runtime/sync/network/letter.h"

#include "runtime/shared/shared.h"
#include "runtime/sync/mechanism/sleep.h"
#include "runtime/sync/network/near.h"
#include "runtime/sync/network/nodes.h"
#include "runtime/sync/network/post.h"
#include "runtime/sync/primitives/barrier.h"

#include <string.h>

/* Each thread's own. */
static struct
{
  _Alignas(64) uint32_t number;
  uint32_t has_room_to; /* all have read what lies in the places up to this number */
} own[UPCR_MAX_THREADS];

static uint32_t
load (const struct upcr_near_word *word)
{
  return atomic_load_explicit (&word->value, memory_order_acquire);
}

/* Numbers go round. */
static bool
is_behind (uint32_t a, uint32_t b)
{
  return (int32_t) (a - b) < 0;
}

static void
await_readers (uint32_t number)
{
  uint32_t least = number;

  for (int t = upcr_near_first; t < upcr_near_first + upcr_near_threads; t++)
    {
      struct upcr_near_word *word = &upcr_near->have_read[t].number;
      uint32_t read;

      while (is_behind (read = load (word), number - UPCR_LETTERS))
        upcr_near_await (word, read);
      if (is_behind (read, least))
        least = read;
    }
  own[MYTHREAD].has_room_to = least + UPCR_LETTERS;
}

uint32_t
upcr_letters_begin (const char *what)
{
  uint32_t number = ++own[MYTHREAD].number;

  upcr_set_wait_reason (what, NULL);
  if (number % UPCR_POST_NUMBERS == 0 && !upcr_are_all_near ())
    upcr_collective_barrier (what);
  if (is_behind (own[MYTHREAD].has_room_to, number))
    await_readers (number);
  return number;
}

void
upcr_letter_leave (uint32_t number, const void *text, size_t bytes)
{
  struct upcr_near_letter *letter = &upcr_near->letters[MYTHREAD][number % UPCR_LETTERS];

  memcpy (letter->text, text, bytes);
  upcr_near_set (&letter->number, number);
}

const void *
upcr_letter_of (int thread, uint32_t number)
{
  struct upcr_near_letter *letter = &upcr_near->letters[thread][number % UPCR_LETTERS];
  uint32_t seen;

  while ((seen = load (&letter->number)) != number)
    upcr_near_await (&letter->number, seen);
  return letter->text;
}

void
upcr_letters_end (uint32_t number)
{
  upcr_near_set (&upcr_near->have_read[MYTHREAD].number, number);
}

const void *
upcr_letter_down (uint32_t number, int root, const void *text, size_t bytes)
{
  int nodes = upcr_net_node_count (), rank = (upcr_own_node () - root + nodes) % nodes;
  int bit = upcr_bit_to_parent (rank, nodes);

  if (rank != 0)
    text = upcr_post_await (number, UPCR_POST_DOWN);
  while ((bit >>= 1) > 0)
    if (rank + bit < nodes)
      upcr_post_send ((rank + bit + root) % nodes, number, UPCR_POST_DOWN, text, bytes);
  return text;
}

void
upcr_letter_to_all (const char *what, int root, const void *text, void *to, size_t bytes)
{
  uint32_t number = upcr_letters_begin (what);
  int node = upcr_node_of_thread (root);
  int sender = node == upcr_own_node () ? root : upcr_near_first;

  if (MYTHREAD == root)
    upcr_letter_leave (number, text, bytes);
  if (upcr_is_first_of_node () && !upcr_are_all_near ())
    {
      const void *mine = node == upcr_own_node () ? upcr_letter_of (sender, number) : NULL;
      const void *came = upcr_letter_down (number, node, mine, bytes);

      if (!mine)
        upcr_letter_leave (number, came, bytes);
    }
  memcpy (to, upcr_letter_of (sender, number), bytes);
  upcr_letters_end (number);
}

void
upcr_letters_meet (const char *what)
{
  uint32_t number = upcr_letters_begin (what);

  upcr_letter_leave (number, "", 0);
  for (int t = upcr_near_first; t < upcr_near_first + upcr_near_threads; t++)
    upcr_letter_of (t, number);
  upcr_letters_end (number);
}
