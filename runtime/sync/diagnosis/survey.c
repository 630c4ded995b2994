/* Surveys within one process. */

#include "runtime/sync/diagnosis/survey.h"

#include "runtime/sync/diagnosis/describe.h"
#include "runtime/sync/diagnosis/polling.h"

void
upcr_survey_watch (void)
{
  upcr_polling_watch ();
}

void
upcr_survey_states (struct upcr_survey *survey)
{
  upcr_own_states (survey->states);
  upcr_find_holders (survey->states);
}

bool
upcr_survey_lines (struct upcr_survey *survey)
{
  return upcr_own_lines (survey->lines);
}

void
upcr_survey_print_places (void)
{
}
