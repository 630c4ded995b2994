/* Surveys of several processes: process 0 asks the others. Only its progress thread does so, or, if there
   is one process, any thread that reports. */

#ifndef UPCR_SYNC_NETWORK_SURVEY_H
#define UPCR_SYNC_NETWORK_SURVEY_H

#include "runtime/sync/diagnosis/survey.h"

#include <stdatomic.h>

/* What all processes have counted, none of which can go on by itself: sums, none of which ever decreases. */
struct upcr_stillness
{
  uint64_t sleeps, tells_begun, tells_done;
  bool may_be_signalled;
};

/* False: somebody may go on. */
bool upcr_survey_stillness (struct upcr_stillness *all);

/* At the start: what process 0 asks of this one, and what it is asked for. */
void upcr_serve_survey (void);

/* By the progress thread: what takes time, if process 0 has asked for it. */
void upcr_survey_answer (void);

/* Asks process 0 for a report. */
void upcr_survey_ask_for_report (void);

/* In process 0: somebody has asked for a report. */
extern atomic_bool upcr_survey_is_wanted;

#endif
