/* upct/gasp.h: what code that upcc --profile compiled calls: events of a performance tool
   (gasp.h) with their place. For generated code; programs and tools have no use for it.

   Around a construct the code does, in line,

       static const struct upct_site site = { "prog.upc", 12, 5 };
       if (__builtin_expect (upct_gasp_tool, 0))
         upct_gasp_event (&site, GASP_UPC_BARRIER, GASP_START, 0, 0);
       … the plain library function …
       if (__builtin_expect (upct_gasp_tool, 0))
         upct_gasp_event (&site, GASP_UPC_BARRIER, GASP_END, 0, 0);

   No other header is needed, and none is included. */

#ifndef _UPCT_GASP_H
#define _UPCT_GASP_H

/* Tools throw no exceptions. Where a call might, gcc keeps what is alive behind it in memory, a sum
   of a loop for one. */
#define __UPC_NO_THROW __attribute__ ((__nothrow__))

struct _gasp_context_S;

/* A place in the source; 0 what is not known. Lives as long as the process. */
struct upct_site
{
  const char *file;
  int line;
  int column;
};

/* Is a tool linked in? One for the process, the same from the start to the end. */
extern _Bool upct_gasp_tool;

/* How many gets and puts the calling thread does without telling the tool, which may set it. */
extern __thread int upct_accesses_left;

/* How many iterations of loops that only read and write it does without gets and puts being told; in one of which all are
   told, -1. Behind that UPCT_SAMPLER, which the tool may set for the process, says how many with the tool's context of the
   thread; null: 0. */
extern __thread int upct_iterations_left;
extern int (*upct_sampler) (struct _gasp_context_S *context);
extern void upct_gasp_sampled (void) __UPC_NO_THROW;

/* Which events are wanted, by number below GASP_UPC_USEREVT_START: upcc --profile-only
   defines it at link, 1000 bytes, nonzero for an event of the list. All where there is
   none. */
extern const unsigned char upct_gasp_only[] __attribute__ ((__weak__));

/* Tells the tool of EVENT with its arguments, as gasp_upc.h has them. TYPE is a
   gasp_evttype_t. SITE may be null. Nothing where the calling thread is in the tool
   already, is no UPC thread, has not called gasp_init or has ended; nothing for events
   that are not wanted.

   An event that has begun is open until its end comes, and is closed when the program ends
   in between; user events are not. In between functions of the library raise no events of
   their own, but for those called by code in a function or upc_forall that is open. */
extern void upct_gasp_event (const struct upct_site *site, unsigned int event, int type,
                             ...) __UPC_NO_THROW;

/* What the code remembers of an open function or upc_forall, in a local variable. */
struct upct_gasp_frame
{
  unsigned long depth;
};

/* GASP_C_FUNC of the function with SIGNATURE begins. Called first in the function. */
extern void upct_gasp_enter (struct upct_gasp_frame *frame, const struct upct_site *site,
                             const char *signature) __UPC_NO_THROW;

/* The same of a upc_forall. */
extern void upct_gasp_enter_forall (struct upct_gasp_frame *frame,
                                    const struct upct_site *site) __UPC_NO_THROW;

/* The function or upc_forall ends, and what is still open in it: a break, return or goto out
   of a upc_forall may leave the end of that to the end of the function. SITE null: where it
   began. */
extern void upct_gasp_leave (struct upct_gasp_frame *frame,
                             const struct upct_site *site) __UPC_NO_THROW;

/* What is open in the function ends, not the function itself: after a setjmp that returned
   for the second time. Without it what longjmp skips is found by the stack pointer, at the
   thread's next event, but for functions that are compiled in line. */
extern void upct_gasp_unwind (struct upct_gasp_frame *frame) __UPC_NO_THROW;

/* The place of the exit that the calling thread does next: before exit and
   upc_global_exit, whose events the runtime raises. */
extern void upct_gasp_at (const struct upct_site *site) __UPC_NO_THROW;

#endif
