/* gasp.h: the interface between a UPC program and a performance tool: GASP, the Global
   Address Space Performance tool interface, version 1.4 of 11/1/2005.

   A tool defines the five functions below, in C, and struct _gasp_context_S for itself.
   The program calls them. All five are needed, and linked to the program as an object,
   an archive, a shared library or by LD_PRELOAD.

   A tool's globals and statics are private to each UPC thread when it is linked as an
   object or an archive, and one for the process in a shared library and where they are
   in the section `upc_process` (README, "What is private, what is shared").

   A macro before the first #include, or -D, makes the names of another version known
   beside those of 1.4:

   GASP_COMPAT_1_3   of 1.3-pre2: GASP_USEREVT_START and _END, GASP_COLLECTIVE_EXIT and
                     GASP_NONCOLLECTIVE_EXIT, gasp_upc_reduc_t with GASP_UPC_REDUCE_….
                     Arguments are those of 1.4: GASP_UPC_ALLOC has no nblocks, and the
                     GASP_UPC_NB_…_INIT are intervals. gasp_control_query, which 1.3-pre2
                     names without saying what it is, is not declared.
   GASP_COMPAT_1_5   of 1.5 as GNU UPC ships it: gasp_model_t with GASP_MODEL_UPC and so on;
                     GASP_VERSION is 20060914. */

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

/* The language whose events a context is for; here always GASP_LANG_UPC. (3.2) */
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

/* What a tool keeps for a thread: only the tool knows what is in it. (3.2) */
struct _gasp_context_S;
typedef struct _gasp_context_S *gasp_context_t;

/* The beginning or the end of an interval, or a point in time. (3.2) */
typedef enum
{
  GASP_START,
  GASP_END,
  GASP_ATOMIC
} gasp_evttype_t;

/* Called once in each UPC thread, when shared memory and the other threads are there and
   before constructors and main. The tool may change *ARGC and *ARGV, which are the thread's
   own: main sees them so. What it returns, null too, comes back with each event of the
   thread. (3.2) */
extern gasp_context_t gasp_init (gasp_lang_t srclanguage, int *argc, char ***argv);

/* Called for each event, by the thread it happens in. FILENAME, LINENUM and COLNUM are the
   place in the source; null and 0 where it is not known. The arguments after that depend on
   the event: gasp_upc.h has them all. Data they point to is not the tool's to change, and
   may be gone after the call. The tool may call UPC code, which raises no events then.
   (3.2) */
extern void gasp_event_notify (gasp_context_t context, unsigned int evttag,
                               gasp_evttype_t evttype, const char *filename, int linenum,
                               int colnum, ...);

/* The same; programs may call either. (3.2) */
extern void gasp_event_notifyVA (gasp_context_t context, unsigned int evttag,
                                 gasp_evttype_t evttype, const char *filename, int linenum,
                                 int colnum, va_list varargs);

/* Called for pupc_control: ON 0, the tool stops to measure the calling thread, else it goes
   on. Returns the ON of the call before, or nonzero when there was none. (3.3) */
extern int gasp_control (gasp_context_t context, int on);

/* Called for pupc_create_event: a number for the event NAME, from GASP_UPC_USEREVT_START
   to GASP_UPC_USEREVT_END. DESC is null or a format as printf's for the event's
   arguments. (3.4) */
extern unsigned int gasp_create_event (gasp_context_t context, const char *name,
                                       const char *desc);

#ifdef __cplusplus
}
#endif

/* The numbers of the events. (3.5) */
#include <gasp_upc.h>

#endif
