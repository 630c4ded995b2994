/* Sizes as users write them. The tools use this file, too, so it calls nothing else of the
   runtime. */

#ifndef UPCR_HOST_SIZE_H
#define UPCR_HOST_SIZE_H

#include <stdbool.h>
#include <stddef.h>

/* Reads TEXT, such as "4096", "64M", "1.5GB" or "2t": a decimal number, then B, K, M, G or T, in
   either case, the last four with B behind them or without; or a hexadecimal number, "0x40" or "0x40M", where B
   is a digit. UNIT is that of a bare number. False where TEXT is no size, or too large for *BYTES. */
bool upcr_parse_size (const char *text, char unit, size_t *bytes);

/* Is TEXT a whole number without a unit? */
bool upcr_is_bare_size (const char *text);

#endif
