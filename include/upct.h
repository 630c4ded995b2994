/* upct.h: UPC threads in a process whose main is not UPC's, for C, C++ and languages that can call C.

   `upcc -shared FILE... -o libNAME.so` makes a shared library of UPC and C sources. The library
   exports these functions and its own. A program in any language loads it, starts UPC threads, and
   lets them run functions of the library:

     upct_init (4);
     upct_run (solve, &problem);
     upct_finish ();

   Shared data, and the statics of each UPC thread, live from upct_init to upct_finish.

   The thread that calls upct_run is UPC thread 0 during the call. Any thread of the process may call
   it, one at a time. Functions of the library that the process calls outside upct_run see the statics
   of thread 0, and can read and write shared data. Functions that are collective or take locks are
   for upct_run only. The other UPC threads are separate threads, which sleep between two calls.

   The functions return UPCT_OK, or one of the errors below; in that case they have done nothing.
   Errors of UPC code, and invalid values of UPC_… in the environment, end the process with a line on
   stderr, as they end a program. So does exit in a function that UPC threads run. A child of fork
   has no UPC threads. */

#ifndef _UPCT_H
#define _UPCT_H

#ifdef __cplusplus
extern "C" {
#endif

enum upct_error
{
  UPCT_OK = 0,
  UPCT_BAD_THREADS = -1,   /* the number of threads is not from 1 to 1024 */
  UPCT_FIXED_THREADS = -2, /* the library was compiled for another number of threads */
  UPCT_IN_USE = -3,  /* the process has UPC threads already: a UPC program, or another library */
  UPCT_STARTED = -4, /* upct_init has been called before; it may be called once */
  UPCT_NOT_STARTED = -5, /* before upct_init, after upct_finish, or in a child of fork */
  UPCT_BUSY = -6, /* in a function that upct_run runs, or while another thread is in upct_run */
  UPCT_NO_FUNCTION = -7 /* the function for upct_run is a null pointer */
};

/* Starts THREADS UPC threads. 0 means as many as UPC_THREADS in the environment says, or else one
   for each CPU. */
int upct_init (int threads);

/* Calls FUNCTION with ARGUMENT in all UPC threads, and returns when it has returned in all of them.
   FUNCTION may call collective functions. There is a barrier between two calls of upct_run. */
int upct_run (void (*function) (void *argument), void *argument);

/* Runs the exit handlers and destructors of each UPC thread, and ends the threads. Shared memory and
   its addresses go back to the system. Afterwards another library may start UPC threads. */
int upct_finish (void);

/* The number of UPC threads; 0 if there are none. */
int upct_threads (void);

/* The meaning of ERROR: one line without a newline. */
const char *upct_error_text (int error);

#ifdef __cplusplus
}
#endif

#endif
