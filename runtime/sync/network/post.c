/* Post.

   field of boxes[i][b]   written by                                  read by
   text                   who delivers what came, in the order of     who waits for it, behind the number
                          numbers: it was read
   number                 the same, with release order                the same, with acquire order */

#include "runtime/sync/network/post.h"

#include "runtime/net/net.h"
#include "runtime/sync/network/near.h"

#include <stdatomic.h>
#include <string.h>

struct letter
{
  uint32_t number;
  uint32_t box;
  uint32_t bytes;
  char text[UPCR_POST_BYTES];
};

static UPCR_PER_PROCESS struct box
{
  _Alignas(64) _Atomic uint32_t number;
  _Alignas(16) char text[UPCR_POST_BYTES];
} boxes[UPCR_POST_NUMBERS][UPCR_POST_BOXES];

static void
deliver (struct upcr_net_caller caller, const void *arguments)
{
  struct letter letter;
  struct box *box;

  (void) caller;
  memcpy (&letter, arguments, offsetof (struct letter, text));
  box = &boxes[letter.number % UPCR_POST_NUMBERS][letter.box];
  memcpy (box->text, (const char *) arguments + offsetof (struct letter, text), letter.bytes);
  atomic_store_explicit (&box->number, letter.number, memory_order_release);
}

void
upcr_serve_post (void)
{
  upcr_net_serve (UPCR_NET_POST, deliver);
}

void
upcr_post_send (int node, uint32_t number, unsigned box, const void *text, size_t bytes)
{
  struct letter letter;

  letter.number = number;
  letter.box = box;
  letter.bytes = bytes;
  memcpy (letter.text, text, bytes);
  upcr_net_tell (upcr_net_first_of_node (node), UPCR_NET_POST, &letter,
                 offsetof (struct letter, text) + bytes);
}

bool
upcr_post_has_come (uint32_t number, unsigned box)
{
  struct box *b = &boxes[number % UPCR_POST_NUMBERS][box];

  return atomic_load_explicit (&b->number, memory_order_acquire) == number;
}

const void *
upcr_post_text (uint32_t number, unsigned box)
{
  return boxes[number % UPCR_POST_NUMBERS][box].text;
}

const void *
upcr_post_await (uint32_t number, unsigned box)
{
  _Atomic uint32_t *word = &boxes[number % UPCR_POST_NUMBERS][box].number;
  uint32_t seen;

  while ((seen = atomic_load_explicit (word, memory_order_acquire)) != number)
    upcr_await_change (word, seen);
  return upcr_post_text (number, box);
}
