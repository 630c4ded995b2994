/* Short collective functions by letters: each thread leaves what it has for those of its node (runtime/sync/network/letter.h),
   and the first one of each node exchanges texts with those of other nodes, by a tree. */

#ifndef UPCR_COLL_NETWORK_LETTERS_H
#define UPCR_COLL_NETWORK_LETTERS_H

#include "runtime/coll/coll.h"

/* What a thread, or a node, has of a reduction. */
struct upcr_partial
{
  bool is_there;
  _Alignas(16) char value[16];
};

/* Of what lies with the calling thread. */
void upcr_fold_own (const struct upcr_coll *call, struct upcr_partial *partial);

/* Whether CALL goes by letters. All threads come to the same answer. */
bool upcr_is_by_letters (const struct upcr_coll *call);
void upcr_move_by_letters (const struct upcr_coll *call);
void upcr_reduce_by_letters (const struct upcr_coll *call);

#endif
