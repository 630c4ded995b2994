/* The open events of a thread, so that the end of each one is raised, in order, whatever way the
   program takes: if an error or upc_global_exit ends it in between, or if longjmp leaves
   functions.

   The stack, which grows downwards, shows what longjmp has left: a function that is still active
   was entered with a stack pointer not below that of any later event. That holds on one stack
   only. A signal handler on another stack is recognised by the bounds of the thread's own stack,
   and settles nothing. */

#include "runtime/gasp/tool.h"

#include "runtime/host/host.h"
#include "runtime/shared/shared.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

/* The letters of events.def: p is the address of a pointer-to-shared, any other a word. */
static const char *const arguments[] = {
#define EVENT(name, number, table, raised, arguments, ...) [number] = arguments,
#include "runtime/gasp/events.def"
};

static const char *
arguments_of (unsigned event)
{
  const char *letters = event < sizeof arguments / sizeof *arguments ? arguments[event] : NULL;

  return letters ? letters : "";
}

unsigned
upcr_event_words (unsigned event)
{
  return strcspn (arguments_of (event), ":");
}

unsigned
upcr_event_end_words (unsigned event)
{
  const char *letters = arguments_of (event);

  return strlen (letters) - (strchr (letters, ':') != NULL);
}

/* What the list begins with; the kernel gives pages as they are used. */
#define FIRST_BYTES (64ul << 10)

/* Not by malloc, which the program may be in, nor by mremap, of which ThreadSanitizer does not
   know that the memory is new. */
static struct upcr_open *
map_list (size_t bytes)
{
  void *block = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (block == MAP_FAILED)
    {
      /* The end of the run would close events, and there is no memory for more. */
      upcr_gasp_thread.is_active = false;
      upcr_fatal ("out of memory for %zu nested events of a thread", upcr_gasp_thread.count);
    }
  return block;
}

void
upcr_open_begin (void)
{
  upcr_gasp_thread.open = map_list (FIRST_BYTES);
  upcr_gasp_thread.capacity = FIRST_BYTES / sizeof *upcr_gasp_thread.open;
}

static void
double_capacity (struct upcr_gasp_thread *self)
{
  size_t bytes = self->capacity * sizeof *self->open;
  struct upcr_open *list = map_list (2 * bytes);

  memcpy (list, self->open, bytes);
  munmap (self->open, bytes);
  self->open = list;
  self->capacity *= 2;
}

struct upcr_open *
upcr_open_push (const struct upcr_gasp_at *at, unsigned event)
{
  struct upcr_gasp_thread *self = &upcr_gasp_thread;
  struct upcr_open *entry;

  if (self->count == self->capacity)
    double_capacity (self);
  entry = &self->open[self->count++];
  entry->site = at->site;
  entry->stack = at->stack;
  entry->event = event;
  return entry;
}

/* The words of the end of ENTRY. Where they point to is the stack of what has not returned,
   unless it IS_LEFT. */
static void
complete (struct upcr_open *entry, bool is_left, unsigned long *words)
{
  static const upcr_pts null;
  unsigned n = 0, given = upcr_event_words (entry->event);

  for (const char *letter = arguments_of (entry->event); *letter; letter++)
    if (*letter != ':')
      {
        bool is_known = n < given && !(is_left && *letter == 'p');
        words[n] = is_known ? entry->words[n] : *letter == 'p' ? (unsigned long) &null : 0;
        n++;
      }
}

/* Words stand for ints and pointers too: on machines whose calls pass each of them in a
   register or slot of 8 bytes, as x86-64's and 64-bit ARM's do, va_arg finds them. */
_Static_assert(sizeof (long) == 8 && sizeof (void *) == 8, "a word holds any argument");

void
upcr_tell (const struct upct_site *site, unsigned event, int type, unsigned long *w)
{
  gasp_context_t context;

  if (upcr_tool.is_of_1_3 && !upcr_translate_to_1_3 (event, &type, w))
    return;
  context = upcr_tool_enter ();
  upcr_tool.notify (context, event, type, site->file, site->line, site->column, w[0], w[1], w[2],
                    w[3], w[4], w[5], w[6], w[7], w[8], w[9]);
  upcr_tool_leave ();
}

void
upcr_open_close (const struct upct_site *site, bool is_left)
{
  struct upcr_open entry = upcr_gasp_thread.open[--upcr_gasp_thread.count];
  unsigned long words[UPCR_EVENT_WORDS] = { 0 };

  complete (&entry, is_left, words);
  upcr_tell (site ? site : &entry.site, entry.event, GASP_END, words);
}

void
upcr_open_close_to (size_t count, bool is_left)
{
  while (upcr_gasp_thread.count > count)
    upcr_open_close (NULL, is_left);
}

/* Finds the stack that the thread was made with; asked for when something seems to be left,
   once. */
static void
find_stack (struct upcr_gasp_thread *self)
{
  pthread_attr_t attributes;
  void *low = NULL;

  self->stack_bytes = 1;
  if (pthread_getattr_np (pthread_self (), &attributes))
    return;
  pthread_attr_getstack (&attributes, &low, &self->stack_bytes);
  self->stack = low;
  pthread_attr_destroy (&attributes);
}

static bool
is_own_stack (struct upcr_gasp_thread *self, const void *address)
{
  if (!self->stack_bytes)
    find_stack (self);
  return (size_t) ((const char *) address - self->stack) < self->stack_bytes;
}

void
upcr_open_unwind (const void *stack)
{
  struct upcr_gasp_thread *self = &upcr_gasp_thread;
  size_t kept = self->count;

  /* Only what has code inside stays open while the stack shrinks; it lies deeper than what
     was open before it, so the last to be kept is found from the end. */
  for (size_t i = self->count; i-- > 0;)
    if (upcr_event_has_code (self->open[i].event))
      {
        if ((const char *) self->open[i].stack >= (const char *) stack)
          break;
        kept = i;
      }
  if (__builtin_expect (kept < self->count, 0) && is_own_stack (self, stack)
      && is_own_stack (self, self->open[kept].stack))
    upcr_open_close_to (kept, true);
}
