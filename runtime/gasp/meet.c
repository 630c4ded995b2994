/* The end of a program in one process, whose threads meet by themselves. */

#include "runtime/gasp/tool.h"

void
upcr_gasp_meet_processes (void)
{
}
