/* A performance tool that counts where in the program a thread accesses other threads' data. It is linked to
   a program that is compiled with --profile, which calls it at each event (gasp.h). */

#include <gasp.h>
#include <gasp_upc.h>
#include <stdio.h>
#include <string.h>

enum
{
  MOST_LINES = 100
};

/* Each UPC thread has its own statics of an object. */
struct _gasp_context_S
{
  int lines;
  struct
  {
    const char *file;
    int line;
    unsigned long gets, puts;
  } at[MOST_LINES];
};
static struct _gasp_context_S mine;
extern int MYTHREAD;

static void
count (gasp_context_t context, int is_put, const char *file, int line)
{
  int i = 0;

  while (i < context->lines
         && (context->at[i].line != line || strcmp (context->at[i].file, file) != 0))
    i++;
  if (i == MOST_LINES)
    return;
  if (i == context->lines)
    {
      context->at[i].file = file;
      context->at[i].line = line;
      context->lines++;
    }
  if (is_put)
    context->at[i].puts++;
  else
    context->at[i].gets++;
}

static void
print (gasp_context_t context)
{
  for (int i = 0; i < context->lines; i++)
    fprintf (stderr, "%s:%d: thread %d: %lu gets, %lu puts\n", context->at[i].file,
             context->at[i].line, MYTHREAD, context->at[i].gets, context->at[i].puts);
}

gasp_context_t
gasp_init (gasp_lang_t language, int *argc, char ***argv)
{
  (void) language, (void) argc, (void) argv;
  return &mine;
}

void
gasp_event_notifyVA (gasp_context_t context, unsigned event, gasp_evttype_t type, const char *file,
                     int line, int column, va_list arguments)
{
  (void) column, (void) arguments;
  if (type != GASP_START)
    return;
  if (event == GASP_UPC_GET || event == GASP_UPC_PUT)
    count (context, event == GASP_UPC_PUT, file, line);
  else if (event == GASP_UPC_COLLECTIVE_EXIT)
    print (context);
}

void
gasp_event_notify (gasp_context_t context, unsigned event, gasp_evttype_t type, const char *file,
                   int line, int column, ...)
{
  va_list arguments;

  va_start (arguments, column);
  gasp_event_notifyVA (context, event, type, file, line, column, arguments);
  va_end (arguments);
}

int
gasp_control (gasp_context_t context, int on)
{
  (void) context;
  return on;
}

unsigned
gasp_create_event (gasp_context_t context, const char *name, const char *description)
{
  (void) context, (void) name, (void) description;
  return GASP_UPC_USEREVT_START;
}
