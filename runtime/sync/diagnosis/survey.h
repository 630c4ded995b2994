/* What all threads do at one time, for the deadlock detector and its reports. */

#ifndef UPCR_SYNC_SURVEY_H
#define UPCR_SYNC_SURVEY_H

#include "runtime/host/host.h"

#include <stdbool.h>
#include <stdint.h>

struct upcr_lock;

struct upcr_thread_state
{
  bool has_ended, waits, has_notified;
  uint32_t epoch;               /* of the barrier that it has notified in */
  const char *what;             /* the function that it waits in */
  const struct upcr_lock *lock; /* that it waits for, or NULL */
  int holder;                   /* of that; -1: nobody */
};

enum
{
  UPCR_SURVEY_LINE_BYTES = 512
};

struct upcr_survey
{
  struct upcr_thread_state states[UPCR_MAX_THREADS];
  char lines[UPCR_MAX_THREADS]
            [UPCR_SURVEY_LINE_BYTES]; /* what each does, in words that fit several threads, too */
};

/* One that is empty; NULL: there is no memory. Reports are made in signal handlers: no malloc. */
struct upcr_survey *upcr_survey_begin (void);
void upcr_survey_end (struct upcr_survey *survey);

/* Before the lines are asked for: watches which threads poll. */
void upcr_survey_watch (void);

/* Fills in the states, and the lines. False: another thread is at lines. */
void upcr_survey_states (struct upcr_survey *survey);
bool upcr_survey_lines (struct upcr_survey *survey);

/* Behind the lines: where threads are, if that is not here. */
void upcr_survey_print_places (void);

#endif
