/* The text of the output, as bytes. output.c knows its place in the source. */

#ifndef UPC2C_TEXT_H
#define UPC2C_TEXT_H

#include <stddef.h>

void append (const char *text, size_t size);
/* The same, with a space before it where it would become one token with the last one. */
void append_apart (const char *text, size_t size);
/* A line feed, unless the last line is empty. */
void end_line (void);
/* The last byte; a line feed if there is none. */
char last_written (void);
/* How many bytes before END, of those from START on, are on its line. */
size_t bytes_on_line (const char *start, const char *end);
size_t bytes_on_last_line (void);
void clear_output (void);

/* write_output puts the names of types of pointers-to-shared behind what is written so far. */
void mark_place_of_typedefs (void);

/* What is written from begin_text to end_text comes back as a string of the arena; OUTER is
   what begin_text returned. */
struct buffer;
struct buffer *begin_text (void);
const char *end_text (struct buffer *outer);

#endif
