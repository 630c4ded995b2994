/* gasp.h: the interface between a UPC program and a performance tool: GASP, the Global
   Address Space Performance tool interface, version 1.4 of 11/1/2005. For C, C++ and UPC.

   A tool defines the five functions below and struct _gasp_context_S; the program calls the
   functions. A tool is linked to the program as an object, an archive or a shared library, or
   preloaded (LD_PRELOAD). It has to define all five.

   Globals and statics of a tool in an object or an archive are private to each UPC thread,
   except in the section `upc_process`. Those in a shared library are shared by all threads.

   To use the names of another version beside those of 1.4, define before the first #include:

   GASP_COMPAT_1_3   version 1.3-pre2: GASP_USEREVT_START and _END, GASP_COLLECTIVE_EXIT and
                     GASP_NONCOLLECTIVE_EXIT, gasp_upc_reduc_t with GASP_UPC_REDUCE_…,
                     gasp_control_query. A tool of which any part is compiled so is told what
                     its tables say: GASP_UPC_ALLOC has nblocks, GASP_UPC_NB_…_INIT are points
                     in time, there is no GASP_UPC_NB_SYNC of trivial handles, and sizes are 0 at
                     the end of a malloc or realloc that failed.
   GASP_COMPAT_1_5   version 1.5 as GNU UPC ships it: gasp_model_t with GASP_MODEL_UPC and so
                     on; GASP_VERSION is 20060914. */

#ifndef _GASP_H
#define _GASP_H

#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version as a date, YYYYMMDD. (3.5) */
#ifdef GASP_COMPAT_1_5
#define GASP_VERSION 20060914
#else
#define GASP_VERSION 20051101
#endif

/* The source language of a context; in this implementation always GASP_LANG_UPC. (3.2) */
typedef enum
{
  GASP_LANG_UPC,
  GASP_LANG_TITANIUM,
  GASP_LANG_CAF,
  GASP_LANG_MPI,
  GASP_LANG_SHMEM
} gasp_lang_t;

#ifdef GASP_COMPAT_1_5
typedef gasp_lang_t gasp_model_t;
#define GASP_MODEL_UPC GASP_LANG_UPC
#define GASP_MODEL_TITANIUM GASP_LANG_TITANIUM
#define GASP_MODEL_CAF GASP_LANG_CAF
#define GASP_MODEL_MPI GASP_LANG_MPI
#define GASP_MODEL_SHMEM GASP_LANG_SHMEM
#endif

/* The tool's data for a thread. Only the tool knows its contents. (3.2) */
struct _gasp_context_S;
typedef struct _gasp_context_S *gasp_context_t;

/* The beginning or the end of an interval, or a point in time. (3.2) */
typedef enum
{
  GASP_START,
  GASP_END,
  GASP_ATOMIC
} gasp_evttype_t;

/* Called once by each UPC thread, after constructors and before main. Shared memory exists and
   all threads run. The tool may change *ARGC and *ARGV, which belong to the thread and are
   passed to main. The result, which may be null, is passed with each event of the thread.
   (3.2) */
extern gasp_context_t gasp_init (gasp_lang_t srclanguage, int *argc, char ***argv);

/* Called for each event, by the thread where it happens. FILENAME, LINENUM and COLNUM are the
   source position; null and 0 if it is not known. The other arguments depend on the event:
   see gasp_upc.h. The tool must not change what they point to, nor keep the pointers after
   the call. The tool may call UPC code, which then raises no events. (3.2) */
extern void gasp_event_notify (gasp_context_t context, unsigned int evttag, gasp_evttype_t evttype,
                               const char *filename, int linenum, int colnum, ...);

/* The same with a va_list. Either may be called for any event. (3.2) */
extern void gasp_event_notifyVA (gasp_context_t context, unsigned int evttag,
                                 gasp_evttype_t evttype, const char *filename, int linenum,
                                 int colnum, va_list varargs);

/* Called by pupc_control: switches measurement of the calling thread off (ON is 0) or on.
   Returns the ON of the previous call, nonzero in the first call. (3.3) */
extern int gasp_control (gasp_context_t context, int on);

/* Called by pupc_create_event: returns a number for the event NAME, from
   GASP_UPC_USEREVT_START to GASP_UPC_USEREVT_END. DESC is null or a printf format for the
   arguments of the event. (3.4) */
extern unsigned int gasp_create_event (gasp_context_t context, const char *name, const char *desc);

#ifdef GASP_COMPAT_1_3
/* Named in 1.3-pre2 (3.5), not described. The value that the calling thread last gave to
   pupc_control, nonzero where there is none. A tool may define its own. */
extern int gasp_control_query (gasp_context_t context);

/* Tells the runtime that the tool is of this version. */
extern const char upct_gasp_is_of_1_3 __attribute__ ((__weak__, __visibility__ ("default")));
const char upct_gasp_is_of_1_3 = 1;
#endif

#ifdef __cplusplus
}
#endif

/* The numbers of the events. (3.5) */
#include <gasp_upc.h>

#endif
