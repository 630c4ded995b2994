/* Where code is, in the words of the source: frames of a stack and what addr2line
   says of them. All of it may be called in a signal handler: no lock, no malloc. */

#ifndef UPCR_WHERE_H
#define UPCR_WHERE_H

#include <stdbool.h>

/* The calls that led here, the innermost first: addresses within the calls. Returns
   how many there are, at most MOST. */
int upcr_frames (const void **frames, int most);

/* Is this an address in the code of the program itself, not of a shared library? */
bool upcr_is_program_code (const void *address);

/* What is at an address of the program's code; where functions are inlined, the
   innermost that is not the runtime's. FUNCTION and FILE are empty where they are not
   known. */
struct upcr_where
{
  const void *address;
  int line;              /* 0: not known */
  bool is_runtime;       /* of libupc.a, or nothing is known */
  char function[128];
  char file[512];
};

/* Fills in N of them, of which the addresses are given. Of two calls at a time the second
   finds nothing. */
void upcr_where_find (struct upcr_where *where, int n);

/* The innermost call that led here from a line of the program; false where none is
   known. */
bool upcr_where_here (struct upcr_where *where);

#endif
