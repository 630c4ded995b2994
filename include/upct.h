/* upct.h: UPC threads in a process whose main is not UPC's, for C, C++ and whatever can call C.

   `upcc -shared FILE... -o libNAME.so` makes a shared library of UPC and C sources that has these
   functions beside its own. A program in any language loads it, starts UPC threads, and has them run
   functions of the library:

     upct_init (4);
     upct_run (solve, &problem);
     upct_finish ();

   Shared data, and the statics of each UPC thread, live from upct_init to upct_finish.

   UPC thread 0 is the thread that calls upct_run, for the time of the call; any thread of the process
   may, one at a time. So what the process calls of the library outside upct_run has the statics of
   thread 0, and can read and write shared data; functions that are collective or take locks are for
   upct_run only. The other UPC threads are threads of their own, which sleep between two calls.

   The functions return UPCT_OK or one of the errors below, and then have done nothing. Errors of UPC
   code, and values of UPC_… in the environment that are none, end the process with a line on stderr, as
   they end a program; so does exit in a function that UPC threads run. In a child of fork there are
   no UPC threads. */

#ifndef _UPCT_H
#define _UPCT_H

#ifdef __cplusplus
extern "C" {
#endif

enum upct_error
{
  UPCT_OK = 0,
  UPCT_BAD_THREADS = -1,   /* a number of threads that is not 1 to 1024 */
  UPCT_FIXED_THREADS = -2, /* another number than the library was compiled for */
  UPCT_IN_USE = -3,  /* the process has UPC threads already: a UPC program, or another library */
  UPCT_STARTED = -4, /* upct_init has been called before; it can be once */
  UPCT_NOT_STARTED = -5, /* before upct_init, behind upct_finish, or in a child of fork */
  UPCT_BUSY = -6,       /* within a function that upct_run runs, or while another thread calls it */
  UPCT_NO_FUNCTION = -7 /* the function for upct_run is a null pointer */
};

/* Starts THREADS UPC threads, or with 0 as many as UPC_THREADS in the environment says, else one for
   each CPU. */
int upct_init (int threads);

/* Calls FUNCTION with ARGUMENT in all UPC threads, and returns when it has returned in all. The
   function may be collective; between its calls there is a barrier. */
int upct_run (void (*function) (void *argument), void *argument);

/* Runs the exit handlers and destructors of each UPC thread, and ends them. Shared data is gone, and
   its memory and addresses are the system's again: another library may have UPC threads then. */
int upct_finish (void);

/* How many UPC threads there are; 0 where there are none. */
int upct_threads (void);

/* What an error is, in one line without its end. */
const char *upct_error_text (int error);

#ifdef __cplusplus
}
#endif

#endif
