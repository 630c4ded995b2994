/* The diag room: what the threads do, and where in the source, for reports. Stack traces, source
   lines, samples of all threads, crash reports.

   The rooms below it are arch and host. */

#ifndef UPCR_DIAG_H
#define UPCR_DIAG_H

#include "runtime/host/host.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- Source lines (symbolize.c). All of it may be called in a signal handler: no lock, no
   malloc. ---- */

/* The calls that led here, the innermost first: addresses within the calls. Returns
   how many there are, at most MOST. */
int upcr_unwind (const void **frames, int most);

/* Is this an address in the code of the program itself, not of a shared library? */
bool upcr_is_program_code (const void *address);

/* The source of an address in the program's code; where functions are inlined, the
   innermost that is not the runtime's. FUNCTION and FILE are empty where they are not
   known. */
struct upcr_symbol
{
  const void *address;
  int line;        /* 0: not known */
  bool is_runtime; /* of libupc.a, or nothing is known */
  char function[128];
  char file[512];
};

/* Fills in N of them, of which the addresses are given. While one call is under way,
   another finds nothing. */
void upcr_symbolize (struct upcr_symbol *symbols, int n);

/* Waits until no call is under way, or a second has passed. Not in a signal handler. */
void upcr_await_symbolizer (void);

/* FILE by the name that a child process has for it, whose /proc/self is its own. */
const char *upcr_path_for_child (const char *file, char *buffer, size_t bytes);

/* The innermost of N calls that is from a line of the program; false where none is known. The name
   of the file is good until the next call. */
bool upcr_find_line (const void *const *frames, int n, struct upcr_location *location);

/* The innermost call that led here from a line of the program; false where none is
   known. For upcr_find_location. */
bool upcr_find_caller (struct upcr_location *location);

/* A hook, or NULL: the file of the UPC code outside of the program that ADDRESS is in, and where it is
   loaded. NULL where it is in none. */
extern const char *(*upcr_find_plugin) (const void *address, uintptr_t *base);

/* ---- Variables by the program's symbol table (variable.c) ---- */

struct upcr_variable
{
  char name[128];
  size_t offset; /* of the address in it */
  size_t bytes;
};

/* The variable of the program that ADDRESS is in; false: none is known. Takes no lock and calls
   no malloc. */
bool upcr_find_variable (const void *address, struct upcr_variable *variable);

/* ---- Samples of the UPC threads: what each is doing when another asks (sample.c) ---- */

enum
{
  UPCR_SAMPLE_FRAMES = 24
};

struct upcr_sample
{
  bool is_given;                 /* false: the thread did not answer */
  struct upcr_location location; /* set by a `g` entry point, or no file */
  uint64_t state;                /* of registers and stack: the same if they were; 0: has not run */
  int n;
  const void *frames[UPCR_SAMPLE_FRAMES];
};

/* AT_QUIT is called at SIGQUIT, in the thread that receives the signal, or in the one that it was
   forwarded to. To be called once, before the other threads exist. */
void upcr_sample_init (void (*at_quit) (bool is_forwarded));

/* Has AT_QUIT called in another thread. False: that has ended. */
bool upcr_sample_forward (int index);

/* Each UPC thread calls these when it begins and, last of all, when it ends. */
void upcr_sample_begin_thread (int index);
void upcr_sample_end_thread (int index);

/* Has the thread ended? Once true it stays so. */
bool upcr_thread_has_ended (int index);

/* Samples all threads, waiting at most a second for their answers, which upcr_sample_of
   returns until the next call. The threads are interrupted and go on; one that is blocked
   in a system call that the kernel does not restart is not interrupted and gives no answer.
   Returns false when another thread is sampling. Otherwise to be followed by
   upcr_samples_release. */
bool upcr_samples_take (void);
void upcr_samples_release (void);
const struct upcr_sample *upcr_sample_of (int index);

/* The number of the system call that the thread was blocked in; -1: none. */
int upcr_sample_syscall (int index);

/* ---- Crash reports: the thread, the signal, the address, a backtrace (crash.c) ---- */

/* Describes an address that faulted, if it knows it: writes a text to BUFFER and returns
   true. */
typedef int upcr_describe_address (const void *address, char *buffer, unsigned long bytes);

/* What is said where the processor refuses an address and does not tell it (SI_KERNEL). */
#define UPCR_NO_ADDRESS_TEXT \
  "access through a pointer that is no address; an index below 0 or far outside of a shared array leads to one"

/* Installs the handlers, where nobody else (a sanitizer) has. DESCRIBERS ends in NULL; they
   are asked in turn. TELL is called behind the report, if it is not NULL; in a signal handler. Called once by the initial
   thread, before the others exist. */
void upcr_crash_init (upcr_describe_address *const *describers, void (*tell) (void));

/* Gives the calling thread a stack for its handlers, so that an overflow of its
   own stack is reported, too. */
void upcr_crash_begin_thread (int index);

#endif
