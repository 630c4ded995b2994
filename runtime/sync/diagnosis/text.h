/* A text that is truncated when it is full. */

#ifndef UPCR_SYNC_TEXT_H
#define UPCR_SYNC_TEXT_H

#include <stddef.h>

struct upcr_text
{
  char *bytes;
  size_t size;
  size_t used;
};

void upcr_text_add (struct upcr_text *text, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));

/* Prints it as a line on stderr. There is room for its end. */
void upcr_text_print (struct upcr_text *text);

#endif
