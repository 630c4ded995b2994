/* The meeting of collective functions whose work thread 0 does alone. */

#ifndef UPCR_COLL_MEET_H
#define UPCR_COLL_MEET_H

#include "runtime/shared/shared.h"

/* One thread's call of a collective function. */
struct upcr_record
{
  const char *what;    /* the function, for messages */
  size_t arguments[2];
  upcr_pts result;
};

/* Meets the other threads and returns thread 0's record of this call, which stays
   until the next call. It is an error when that is of another function. */
const struct upcr_record *upcr_meet (const struct upcr_record *mine);

/* True on thread 0, once all threads have come with the same pointer: nobody uses
   the object any more. Another pointer than thread 0's is an error. */
bool upcr_last_use (upcr_pts object, const char *what);

#endif
