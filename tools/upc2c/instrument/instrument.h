/* instrument: the C around a construct that raises its events for a performance tool (GASP 1.4,
   include/upct/gasp.h). Nothing of it is written without a switch for it. Needs write. */

#ifndef UPC2C_INSTRUMENT_H
#define UPC2C_INSTRUMENT_H

#include "tools/upc2c/write/write.h"

extern const struct event_hooks gasp_hooks;

#endif
