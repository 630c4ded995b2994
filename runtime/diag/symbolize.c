/* One run of addr2line for all addresses: it reads the program's debug information
   once. Its child shares this process's memory until it has become addr2line: that
   needs no copy of the page tables, which may be large, and no handler of fork runs.

   The runtime's own functions are recognised by their file, which is in the folder that
   this file was compiled in. So the first address is one of this file. Its answer
   also tells whether the program has symbols: for a stripped one, addr2line names the
   last exported function before the address, however far away. The second one is the
   program's main, whose file tells how the sources are called (source_name.h). */

#include "runtime/diag/diag.h"
#include "runtime/diag/source_name.h"
#include "runtime/diag/unwinder.h"
#include "runtime/host/host.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
  MOST_ADDRESSES = 256,
  OWN_ADDRESSES = 2,
  MOST_CALLS = 64,
  HEX_BYTES = 20,
  FIXED_WORDS = 4,
  CHILD_STACK_BYTES = 64 << 10
};

extern const ElfW (Ehdr) __ehdr_start __attribute__ ((visibility ("hidden")));
extern const char etext[];
/* The program's main; where UPC code is a library, there is none. */
extern const char upc_main[] __attribute__ ((weak));

struct walk
{
  const void **frames;
  int most;
  int n;
};

static _Unwind_Reason_Code
add_frame (struct _Unwind_Context *context, void *argument)
{
  struct walk *walk = argument;
  int is_interrupted = 0;
  uintptr_t address = upcr_unwind_get_ip_info (context, &is_interrupted);

  if (walk->n == walk->most)
    return _URC_END_OF_STACK;
  /* A return address may be the next line's, or the next function's. */
  if (address != 0)
    walk->frames[walk->n++] = (const void *) (address - !is_interrupted);
  return _URC_NO_REASON;
}

int
upcr_unwind (const void **frames, int most)
{
  struct walk walk = { frames, most, 0 };

  upcr_unwind_backtrace (add_frame, &walk);
  return walk.n;
}

bool
upcr_is_program_code (const void *address)
{
  return (const char *) address >= (const char *) &__ehdr_start && (const char *) address < etext;
}

/* libc's clone, by the name that ThreadSanitizer does not intercept: it takes the child for one of
   fork, and would ignore from then on what the caller does, in the memory that both share. */
int __clone (int (*run) (void *), void *stack, int flags, void *argument, ...);

/* The child's words, and its stack. Static: signal stacks are small. */
static char hex[MOST_ADDRESSES][HEX_BYTES];
static char *words[FIXED_WORDS + MOST_ADDRESSES + 1];
static _Alignas(16) char child_stack[CHILD_STACK_BYTES];

/* Not seen by ThreadSanitizer, whose notes on the caller are in the memory that both share: it would
   take this call, which does not return, and the copy of the descriptor for the caller's. */
__attribute__ ((no_sanitize ("thread"))) static int
become_addr2line (void *output)
{
  syscall (SYS_dup3, *(int *) output, STDOUT_FILENO, 0);
  execvp (words[0], words);
  _exit (127);
}

/* FILE is loaded at BASE. */
static void
write_words (const struct upcr_symbol *symbols, int n, char *file, uintptr_t base)
{
  static char *const fixed[] = { "addr2line", "-aCfie" };
  int word = 0;

  words[word++] = fixed[0];
  words[word++] = fixed[1];
  words[word++] = file;
  for (int i = 0; i < n; i++)
    {
      snprintf (hex[i], HEX_BYTES, "0x%lx",
                (unsigned long) ((uintptr_t) symbols[i].address - base));
      words[word++] = hex[i];
    }
  words[word] = NULL;
}

/* Reads a line without its end; what does not fit is lost. False at the end. */
static bool
read_line (int fd, char *line, size_t bytes)
{
  static char buffer[4096];
  static size_t used, next;
  size_t n = 0;
  bool is_any = false;

  /* FD -1 forgets what is left of the file before. */
  if (fd < 0)
    {
      used = next = 0;
      return false;
    }
  for (;;)
    {
      if (next == used)
        {
          ssize_t got = read (fd, buffer, sizeof buffer);
          if (got <= 0)
            break;
          used = got;
          next = 0;
        }
      is_any = true;
      if (buffer[next] == '\n')
        {
          next++;
          break;
        }
      if (n < bytes - 1)
        line[n++] = buffer[next];
      next++;
    }
  line[n] = '\0';
  return is_any;
}

/* Without its "./" in the middle, which headers have. */
static void
normalise (char *file)
{
  for (char *dot; (dot = strstr (file, "/./"));)
    memmove (dot, dot + 2, strlen (dot + 2) + 1);
}

/* TEXT is "FILE:LINE", or with " (discriminator N)" behind; "?" stands for what is unknown. Leaves the
   path of the file in it. */
static void
take_location (struct upcr_symbol *symbol, char *text)
{
  char *colon = strrchr (text, ':');

  if (!colon || text[0] == '?')
    {
      *text = '\0';
      return;
    }
  symbol->line = atoi (colon + 1);
  *colon = '\0';
  snprintf (symbol->file, sizeof symbol->file, "%.*s", (int) (colon - text), text);
  normalise (symbol->file);
}

/* The name of the file as the compiler was given it, the end of PATH. */
static void
take_given_file (struct upcr_symbol *symbol, const char *path)
{
  const char *given = upcr_given_file (path);

  if (given != path)
    snprintf (symbol->file, sizeof symbol->file, "%.*s", (int) sizeof symbol->file - 1, given);
}

static void
take_function (struct upcr_symbol *symbol, const char *text)
{
  if (text[0] == '?')
    return;
  /* As the source has it. */
  if (strcmp (text, "upc_main") == 0)
    text = "main";
  snprintf (symbol->function, sizeof symbol->function, "%.*s", (int) sizeof symbol->function - 1,
            text);
}

/* The folder of the runtime's sources, with a slash behind. */
struct folder
{
  size_t bytes; /* 0: not known */
  char name[512];
};

static void
take_folder (struct folder *folder, const struct upcr_symbol *self)
{
  static const char below[] = "diag/symbolize.c";
  size_t n = strlen (self->file), m = sizeof below - 1;

  folder->bytes = n > m && strcmp (self->file + n - m, below) == 0 ? n - m : 0;
  memcpy (folder->name, self->file, sizeof folder->name);
}

/* The header's inline functions have names that no program may have. */
static bool
is_runtime (const struct upcr_symbol *symbol, const struct folder *folder)
{
  return strncmp (symbol->function, "__upc_", 6) == 0
         || (folder->bytes && strncmp (symbol->file, folder->name, folder->bytes) == 0);
}

/* For each address its echo, then two lines for each function that is inlined there,
   the innermost first, and for the one that they are inlined in. */
static void
read_answers (int fd, struct upcr_symbol *symbols, int n)
{
  char line[1024];
  struct folder folder = { 0 };
  bool has_symbols = false;
  int i = -1;

  read_line (-1, NULL, 0);
  while (read_line (fd, line, sizeof line))
    {
      struct upcr_symbol found = { 0 };
      if (strncmp (line, "0x", 2) == 0)
        {
          i++;
          continue;
        }
      take_function (&found, line);
      if (!read_line (fd, line, sizeof line) || i < 0 || i >= n)
        return;
      take_location (&found, line);
      if (i == 0)
        {
          take_folder (&folder, &found);
          has_symbols = strcmp (found.function, "upcr_symbolize") == 0;
        }
      if (!has_symbols && !found.file[0])
        found.function[0] = '\0';
      if (symbols[i].address == upc_main)
        upcr_learn_folder (line);
      found.address = symbols[i].address;
      found.is_runtime = is_runtime (&found, &folder);
      if (!found.is_runtime)
        take_given_file (&found, line);
      if (symbols[i].is_runtime)
        symbols[i] = found;
    }
}

/* Is what is at PATH the file of this program? */
static bool
is_own_file (const char *path)
{
  int file = open ("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  struct stat own, other;
  bool is_own = file >= 0 && fstat (file, &own) == 0 && stat (path, &other) == 0
                && own.st_dev == other.st_dev && own.st_ino == other.st_ino;

  if (file >= 0)
    close (file);
  return is_own;
}

/* In an emulator /proc/N/exe is the emulator, so it is used only where the program's own path is
   another file's by now, or nobody's. */
const char *
upcr_path_for_child (const char *file, char *buffer, size_t bytes)
{
  ssize_t length;

  if (strcmp (file, "/proc/self/exe") != 0)
    return file;
  length = readlink (file, buffer, bytes - 1);
  buffer[length > 0 ? length : 0] = '\0';
  if (length <= 0 || !is_own_file (buffer))
    snprintf (buffer, bytes, "/proc/%d/exe", (int) getpid ());
  return buffer;
}

/* No signal tells the program of this child; an emulator, which makes a copy of the process, has none
   without. */
static pid_t
start_addr2line (int *output)
{
  const int flags = CLONE_VM | CLONE_VFORK;
  char *stack = child_stack + sizeof child_stack;
  pid_t child = __clone (become_addr2line, stack, flags, output);

  return child > 0 ? child : __clone (become_addr2line, stack, flags | SIGCHLD, output);
}

static void
ask_addr2line (struct upcr_symbol *symbols, int n, const char *file, uintptr_t base)
{
  static char path[PATH_MAX];
  int ends[2];
  pid_t child;

  write_words (symbols, n, (char *) upcr_path_for_child (file, path, sizeof path), base);
  if (pipe (ends))
    return;
  child = start_addr2line (&ends[1]);
  close (ends[1]);
  if (child > 0)
    {
      read_answers (ends[0], symbols, n);
      waitpid (child, NULL, __WALL);
    }
  close (ends[0]);
}

/* Nobody waits: who comes may be a signal handler that interrupted the other call. */
static atomic_flag busy = ATOMIC_FLAG_INIT;

void
upcr_symbolize (struct upcr_symbol *symbols, int n)
{
  static struct upcr_symbol batch[MOST_ADDRESSES];
  uintptr_t base = __ehdr_start.e_type == ET_DYN ? (uintptr_t) &__ehdr_start : 0;

  for (int i = 0; i < n; i++)
    symbols[i] = (struct upcr_symbol){ .address = symbols[i].address, .is_runtime = true };
  if (atomic_flag_test_and_set_explicit (&busy, memory_order_acquire))
    return;
  for (int first = 0; first < n; first += MOST_ADDRESSES - OWN_ADDRESSES)
    {
      int left = n - first, most = MOST_ADDRESSES - OWN_ADDRESSES, some = left < most ? left : most;

      batch[0] = (struct upcr_symbol){ .address = upcr_symbolize, .is_runtime = true };
      batch[1] = (struct upcr_symbol){ .address = upc_main, .is_runtime = true };
      for (int i = 0; i < some; i++)
        batch[OWN_ADDRESSES + i] = symbols[first + i];
      ask_addr2line (batch, OWN_ADDRESSES + some, upcr_own_file (), base);
      memcpy (&symbols[first], &batch[OWN_ADDRESSES], some * sizeof *symbols);
    }
  atomic_flag_clear_explicit (&busy, memory_order_release);
}

void
upcr_await_symbolizer (void)
{
  for (int n = 0; n < 1000; n++)
    {
      if (!atomic_flag_test_and_set_explicit (&busy, memory_order_acquire))
        {
          atomic_flag_clear_explicit (&busy, memory_order_release);
          return;
        }
      usleep (1000);
    }
}

const char *(*upcr_find_plugin) (const void *address, uintptr_t *base);

/* ADDRESS, which is in a plugin's FILE. */
static bool
find_line_in_plugin (const void *address, const char *file, uintptr_t base,
                     struct upcr_location *location)
{
  static struct upcr_symbol symbol;

  symbol = (struct upcr_symbol){ .address = address, .is_runtime = true };
  if (atomic_flag_test_and_set_explicit (&busy, memory_order_acquire))
    return false;
  ask_addr2line (&symbol, 1, file, base);
  atomic_flag_clear_explicit (&busy, memory_order_release);
  *location = (struct upcr_location){ symbol.file, symbol.line };
  return symbol.line != 0;
}

static bool
find_line_in_program (const void *const *frames, int frame_count, struct upcr_location *location)
{
  static struct upcr_symbol calls[MOST_CALLS];
  int n = 0;

  for (int i = 0; i < frame_count && n < MOST_CALLS; i++)
    if (upcr_is_program_code (frames[i]))
      calls[n++].address = frames[i];
  upcr_symbolize (calls, n);
  for (int i = 0; i < n; i++)
    if (!calls[i].is_runtime && calls[i].line)
      {
        *location = (struct upcr_location){ calls[i].file, calls[i].line };
        return true;
      }
  return false;
}

/* The first line that is not the runtime's: before a plugin's frame there may be the program's, of a
   function that the plugin has called. */
bool
upcr_find_line (const void *const *frames, int frame_count, struct upcr_location *location)
{
  for (int i = 0; upcr_find_plugin && i < frame_count; i++)
    {
      uintptr_t base;
      const char *file = upcr_is_program_code (frames[i]) ? NULL
                                                          : upcr_find_plugin (frames[i], &base);

      if (file && !find_line_in_program (frames, i, location))
        return find_line_in_plugin (frames[i], file, base, location)
               || find_line_in_program (frames + i, frame_count - i, location);
      if (file)
        return true;
    }
  return find_line_in_program (frames, frame_count, location);
}

bool
upcr_find_caller (struct upcr_location *location)
{
  const void *frames[MOST_CALLS];

  return upcr_find_line (frames, upcr_unwind (frames, MOST_CALLS), location);
}
