/* Post: short texts between the first processes of nodes, when all threads exchange something: a barrier,
   a collective function. (A node consists of the processes that share memory.) Each such exchange has a
   number, the same for all. Its texts have boxes, according to their purpose. */

#ifndef UPCR_SYNC_POST_H
#define UPCR_SYNC_POST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum
{
  UPCR_POST_BYTES = 448,
  UPCR_POST_ROUNDS = 10, /* for up to 1,024 nodes */
  UPCR_POST_NUMBERS = 32 /* what has so many numbers less has been read */
};

/* The boxes: of rounds, of a tree's broadcast; and of the barrier's rounds, whose numbers are its own. */
enum upcr_post_box
{
  UPCR_POST_ROUND = 0,
  UPCR_POST_DOWN = UPCR_POST_ROUNDS,
  UPCR_POST_BARRIER,
  UPCR_POST_BOXES = UPCR_POST_BARRIER + UPCR_POST_ROUNDS
};

/* At the start: what other processes send. */
void upcr_serve_post (void);

/* By the first process of a node. */
void upcr_post_send (int node, uint32_t number, unsigned box, const void *text, size_t bytes);
bool upcr_post_has_come (uint32_t number, unsigned box);
const void *upcr_post_text (uint32_t number, unsigned box);
const void *upcr_post_await (uint32_t number, unsigned box);

#endif
