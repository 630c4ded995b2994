/* Functions of libc that keep state between calls, with that state per
   thread: each UPC thread finds what a process of its own would. upc-privatize gives
   the program's undefined references these names (privatize/names.c), so shared
   libraries and the runtime itself go on calling libc. Results are those of glibc,
   call by call.

   Threads that the program made have state of their own as well. */

#ifndef UPCR_LIBC_LIBC_H
#define UPCR_LIBC_LIBC_H

#include <aliases.h>
#include <getopt.h>
#include <grp.h>
#include <link.h>
#include <mntent.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <pthread.h>
#include <pwd.h>
#include <rpc/netdb.h>
#include <search.h>
#include <shadow.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <threads.h>
#include <time.h>
#include <uchar.h>
#include <wchar.h>

/* exit.c. Exit as a UPC thread sees it: each thread has its handlers, which see its own
   statics, as in a process of its own. */

/* Ends the calling UPC thread, after its handlers in reverse order and the
   destructors of its objects. The process ends when all threads have. In a thread
   that the program created itself, the process ends. */
_Noreturn void upcr_exit (int status);

/* Waits until the threads have ended that the calling UPC thread has created: after
   pthread_exit, as a process does then. */
void upcr_await_created_threads (void);

int upcr_atexit (void (*handler) (void));
int upcr_on_exit (void (*handler) (int, void *), void *argument);
int upcr_cxa_atexit (void (*handler) (void *), void *argument, void *dso);

/* The destructor of a thread_local object: as in a process, those of a thread that ends
   run before its other handlers. */
int upcr_cxa_thread_atexit (void (*handler) (void *), void *argument, void *dso);

/* thread.c. Threads that the program creates belong to the UPC thread that created them: they have
   its MYTHREAD, and copies of their own of the private data with its initial values.
   Their stacks have space for that besides what the program asked for. */
int upcr_pthread_create (pthread_t *thread, const pthread_attr_t *attributes,
                         void *(*start) (void *), void *argument);

/* The same for a shared library, whose threads upcr_await_created_threads does not await. */
int upcr_library_pthread_create (pthread_t *thread, const pthread_attr_t *attributes,
                                 void *(*start) (void *), void *argument);
int upcr_library_thrd_create (thrd_t *thread, thrd_start_t start, void *argument);

int upcr_pthread_join (pthread_t thread, void **result);
int upcr_pthread_tryjoin_np (pthread_t thread, void **result);
int upcr_pthread_timedjoin_np (pthread_t thread, void **result, const struct timespec *limit);
int upcr_pthread_clockjoin_np (pthread_t thread, void **result, clockid_t clock,
                               const struct timespec *limit);
int upcr_pthread_detach (pthread_t thread);
int upcr_thrd_create (thrd_t *thread, thrd_start_t start, void *argument);
int upcr_thrd_join (thrd_t thread, int *result);
int upcr_thrd_detach (thrd_t thread);

/* fork.c */
int upcr_pthread_atfork (void (*prepare) (void), void (*parent) (void), void (*child) (void));

/* getopt.c */
extern __thread int upcr_optind, upcr_opterr, upcr_optopt;
extern __thread char *upcr_optarg;
int upcr_getopt (int argc, char *const *argv, const char *letters);
int upcr_posix_getopt (int argc, char *const *argv, const char *letters);
int upcr_getopt_long (int argc, char *const *argv, const char *letters,
                      const struct option *longs, int *long_index);
int upcr_getopt_long_only (int argc, char *const *argv, const char *letters,
                           const struct option *longs, int *long_index);

/* random.c */
int upcr_rand (void);
void upcr_srand (unsigned seed);
long upcr_random (void);
void upcr_srandom (unsigned seed);
char *upcr_initstate (unsigned seed, char *state, size_t bytes);
char *upcr_setstate (char *state);

/* drand48.c */
double upcr_drand48 (void);
double upcr_erand48 (unsigned short state[3]);
long upcr_lrand48 (void);
long upcr_nrand48 (unsigned short state[3]);
long upcr_mrand48 (void);
long upcr_jrand48 (unsigned short state[3]);
void upcr_srand48 (long seed);
unsigned short *upcr_seed48 (unsigned short seed[3]);
void upcr_lcong48 (unsigned short parameters[7]);

/* text.c */
char *upcr_strtok (char *text, const char *delimiters);
char *upcr_l64a (long value);
char *upcr_ecvt (double value, int digits, int *point, int *sign);
char *upcr_fcvt (double value, int digits, int *point, int *sign);
char *upcr_qecvt (long double value, int digits, int *point, int *sign);
char *upcr_qfcvt (long double value, int digits, int *point, int *sign);
char *upcr_ether_ntoa (const struct ether_addr *address);
struct ether_addr *upcr_ether_aton (const char *text);

/* time.c */
extern __thread int upcr_getdate_err;
struct tm *upcr_localtime (const time_t *time);
struct tm *upcr_gmtime (const time_t *time);
char *upcr_asctime (const struct tm *tm);
char *upcr_ctime (const time_t *time);
struct tm *upcr_getdate (const char *text);

/* multibyte.c. The …_chk are what headers call with _FORTIFY_SOURCE. */
int upcr_mblen (const char *text, size_t bytes);
int upcr_mbtowc (wchar_t *wide, const char *text, size_t bytes);
int upcr_wctomb (char *text, wchar_t wide);
int upcr_wctomb_chk (char *text, wchar_t wide, size_t space);
size_t upcr_mbrlen (const char *text, size_t bytes, mbstate_t *state);
size_t upcr_mbrtowc (wchar_t *wide, const char *text, size_t bytes, mbstate_t *state);
size_t upcr_wcrtomb (char *text, wchar_t wide, mbstate_t *state);
size_t upcr_wcrtomb_chk (char *text, wchar_t wide, mbstate_t *state, size_t space);
size_t upcr_mbsrtowcs (wchar_t *to, const char **from, size_t count, mbstate_t *state);
size_t upcr_mbsrtowcs_chk (wchar_t *to, const char **from, size_t count, mbstate_t *state,
                           size_t space);
size_t upcr_wcsrtombs (char *to, const wchar_t **from, size_t bytes, mbstate_t *state);
size_t upcr_wcsrtombs_chk (char *to, const wchar_t **from, size_t bytes, mbstate_t *state,
                           size_t space);
size_t upcr_mbsnrtowcs (wchar_t *to, const char **from, size_t bytes, size_t count,
                        mbstate_t *state);
size_t upcr_mbsnrtowcs_chk (wchar_t *to, const char **from, size_t bytes, size_t count,
                            mbstate_t *state, size_t space);
size_t upcr_wcsnrtombs (char *to, const wchar_t **from, size_t count, size_t bytes,
                        mbstate_t *state);
size_t upcr_wcsnrtombs_chk (char *to, const wchar_t **from, size_t count, size_t bytes,
                            mbstate_t *state, size_t space);
size_t upcr_mbrtoc16 (char16_t *wide, const char *text, size_t bytes, mbstate_t *state);
size_t upcr_c16rtomb (char *text, char16_t wide, mbstate_t *state);
size_t upcr_mbrtoc32 (char32_t *wide, const char *text, size_t bytes, mbstate_t *state);
size_t upcr_c32rtomb (char *text, char32_t wide, mbstate_t *state);
#if __GLIBC_PREREQ (2, 36)
size_t upcr_mbrtoc8 (char8_t *unit, const char *text, size_t bytes, mbstate_t *state);
size_t upcr_c8rtomb (char *text, char8_t unit, mbstate_t *state);
#endif

/* search.c */
int upcr_hcreate (size_t entries);
void upcr_hdestroy (void);
ENTRY *upcr_hsearch (ENTRY item, ACTION action);

/* gamma.c */
extern __thread int upcr_signgam;
double upcr_lgamma (double x);
float upcr_lgammaf (float x);
long double upcr_lgammal (long double x);
double upcr_gamma (double x);
float upcr_gammaf (float x);
long double upcr_gammal (long double x);

/* names.c */
char *upcr_tmpnam (char *name);
char *upcr_ttyname (int fd);
char *upcr_ptsname (int fd);
char *upcr_getlogin (void);

/* users.c. The position of the …ent functions is the process's. */
struct passwd *upcr_getpwnam (const char *name);
struct passwd *upcr_getpwuid (uid_t id);
struct passwd *upcr_getpwent (void);
struct passwd *upcr_fgetpwent (FILE *stream);
struct group *upcr_getgrnam (const char *name);
struct group *upcr_getgrgid (gid_t id);
struct group *upcr_getgrent (void);
struct group *upcr_fgetgrent (FILE *stream);
struct spwd *upcr_getspnam (const char *name);
struct spwd *upcr_getspent (void);
struct spwd *upcr_fgetspent (FILE *stream);
struct spwd *upcr_sgetspent (const char *text);
struct mntent *upcr_getmntent (FILE *stream);
char *upcr_cuserid (char *name);

/* segments.c */
int upcr_dl_iterate_phdr (int (*visit) (struct dl_phdr_info *info, size_t size, void *data),
                          void *data);

/* streams.c */
void upcr_ios_init (void *self);

/* coverage_gcc.c, coverage_llvm.c */
struct gcov_info;
void upcr_gcov_init (struct gcov_info *info);
void upcr_gcov_exit (void);
void upcr_gcov_dump (void);
void upcr_llvm_gcov_init (void (*write) (void), void (*reset) (void));

/* hosts.c, likewise */
struct hostent *upcr_gethostbyname (const char *name);
struct hostent *upcr_gethostbyname2 (const char *name, int family);
struct hostent *upcr_gethostbyaddr (const void *address, socklen_t bytes, int family);
struct hostent *upcr_gethostent (void);
struct netent *upcr_getnetbyname (const char *name);
struct netent *upcr_getnetbyaddr (uint32_t net, int family);
struct netent *upcr_getnetent (void);
struct servent *upcr_getservbyname (const char *name, const char *protocol);
struct servent *upcr_getservbyport (int port, const char *protocol);
struct servent *upcr_getservent (void);
struct protoent *upcr_getprotobyname (const char *name);
struct protoent *upcr_getprotobynumber (int number);
struct protoent *upcr_getprotoent (void);
struct rpcent *upcr_getrpcbyname (const char *name);
struct rpcent *upcr_getrpcbynumber (int number);
struct rpcent *upcr_getrpcent (void);
struct aliasent *upcr_getaliasbyname (const char *name);
struct aliasent *upcr_getaliasent (void);

#endif
