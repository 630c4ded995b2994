/* Variables that exist only in checked builds. */

#include "runtime/sync/mechanism/debug.h"

#include "runtime/sync/mechanism/fence.h"

#ifdef UPCR_HAS_RACE_POINTS
void (*upcr_race_hook) (void);
#endif

#ifdef UPCR_TSAN
_Atomic uint32_t upcr_fence_word;
#endif
