/* The memory of surveys. */

#include "runtime/sync/diagnosis/survey.h"

#include <stddef.h>
#include <sys/mman.h>

struct upcr_survey *
upcr_survey_begin (void)
{
  void *memory = mmap (NULL, sizeof (struct upcr_survey), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  return memory == MAP_FAILED ? NULL : memory;
}

void
upcr_survey_end (struct upcr_survey *survey)
{
  munmap (survey, sizeof *survey);
}
