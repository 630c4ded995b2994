/* Files that may be plugins. */

#include "runtime/libc/plugin.h"

#include "runtime/host/host.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

/* What upcc writes, too (tools/upcc/plugin.c). */
#define NOTE_NAME "UPCT"
#define NOTE_PLUGIN 1
#define NOTE_LIBRARY 2
#define NOTE_VERSION 1

#ifdef UPCR_PTS_STRUCT
#define OWN_PTS "struct"
#else
#define OWN_PTS "packed"
#endif

#if defined UPCR_TSAN
#define OWN_SANITIZER "thread"
#elif defined UPCR_ASAN
#define OWN_SANITIZER "address"
#else
#define OWN_SANITIZER "none"
#endif

/* In the folders that the loader searches for the program. */
static char *
search (const char *name)
{
  void *program = dlopen (NULL, RTLD_LAZY);
  Dl_serinfo size, *folders;
  char *found = NULL;

  if (!program || dlinfo (program, RTLD_DI_SERINFOSIZE, &size)
      || !(folders = malloc (size.dls_size)))
    return NULL;
  if (dlinfo (program, RTLD_DI_SERINFOSIZE, folders) == 0
      && dlinfo (program, RTLD_DI_SERINFO, folders) == 0)
    for (unsigned i = 0; i < folders->dls_cnt && !found; i++)
      {
        if (asprintf (&found, "%s/%s", folders->dls_serpath[i].dls_name, name) < 0)
          found = NULL;
        else if (access (found, R_OK) != 0)
          {
            free (found);
            found = NULL;
          }
      }
  free (folders);
  return found;
}

char *
upcr_plugin_find (const char *name)
{
  return strchr (name, '/') ? strdup (name) : search (name);
}

static bool
is_of_upcc (const Elf64_Nhdr *header, const char *name)
{
  return (header->n_type == NOTE_PLUGIN || header->n_type == NOTE_LIBRARY)
         && header->n_namesz == sizeof NOTE_NAME && strcmp (name, NOTE_NAME) == 0;
}

/* A plugin's note has four words, "1 packed 0 none". In the COUNT bytes of notes at NOTES. */
static bool
read_notes (const char *notes, size_t count, struct upcr_plugin_note *note)
{
  size_t at = 0;

  while (at + sizeof (Elf64_Nhdr) <= count)
    {
      const Elf64_Nhdr *header = (const void *) (notes + at);
      size_t name = at + sizeof *header, text = name + ((header->n_namesz + 3ul) & -4ul);
      size_t end = text + ((header->n_descsz + 3ul) & -4ul);

      if (end > count)
        return false;
      if (is_of_upcc (header, notes + name) && header->n_descsz
          && memchr (notes + text, 0, header->n_descsz))
        {
          note->has_runtime = header->n_type == NOTE_LIBRARY;
          return note->has_runtime
                 || sscanf (notes + text, "%d %7s %d %7s", &note->version, note->pts,
                            &note->threads, note->sanitizer)
                        == 4;
        }
      at = end;
    }
  return false;
}

static bool
read_file (int file, struct upcr_plugin_note *note)
{
  Elf64_Ehdr header;
  bool is_found = false;

  if (pread (file, &header, sizeof header, 0) != sizeof header
      || memcmp (header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_type != ET_DYN)
    return false;
  for (int i = 0; i < header.e_phnum && !is_found; i++)
    {
      _Alignas(8) char notes[1024];
      Elf64_Phdr segment;
      off_t at = (off_t) (header.e_phoff + i * sizeof segment);
      ssize_t bytes;

      if (pread (file, &segment, sizeof segment, at) != sizeof segment)
        return false;
      if (segment.p_type != PT_NOTE || segment.p_filesz > sizeof notes)
        continue;
      bytes = pread (file, notes, segment.p_filesz, (off_t) segment.p_offset);
      is_found = bytes > 0 && read_notes (notes, bytes, note);
    }
  return is_found;
}

bool
upcr_plugin_read (const char *path, struct upcr_plugin_note *note, struct stat *status)
{
  int file = open (path, O_RDONLY | O_CLOEXEC);
  bool is_plugin;

  if (file < 0)
    return false;
  is_plugin = fstat (file, status) == 0 && S_ISREG (status->st_mode) && read_file (file, note);
  close (file);
  return is_plugin;
}

char *
upcr_plugin_mismatch (const char *path, const struct upcr_plugin_note *note)
{
  char *text = NULL;
  int written = 0;

  if (note->has_runtime)
    written = asprintf (&text,
                        "%s: made by upcc -shared, which has UPC threads of its own; a UPC program "
                        "opens what upcc -fupc-plugin makes",
                        path);
  else if (note->version != NOTE_VERSION)
    written = asprintf (&text, "%s: made by another version of upcc; link it again", path);
  else if (strcmp (note->pts, OWN_PTS) != 0)
    written = asprintf (&text, "%s: compiled with -fupc-pts=%s, the program with -fupc-pts=%s",
                        path, note->pts, OWN_PTS);
  else if (note->threads && note->threads != THREADS)
    written = asprintf (&text, "%s: compiled for %d threads, the program runs with %d", path,
                        note->threads, THREADS);
  else if (strcmp (note->sanitizer, OWN_SANITIZER) != 0)
    written = asprintf (&text, "%s: compiled for -fsanitize=%s, the program for %s", path,
                        note->sanitizer, OWN_SANITIZER);
  else if (!dlsym (RTLD_DEFAULT, "upct_plugin_begin"))
    written = asprintf (
        &text, "%s: the program does not export the runtime; link it with -rdynamic", path);
  return written < 0 ? NULL : text;
}

/* The file stays open: its name is that of an open file, which the loader compares with the next one.
   By the number of the process debuggers find it, too. */
char *
upcr_plugin_copy (const char *path)
{
  const char *slash = strrchr (path, '/');
  int from = open (path, O_RDONLY | O_CLOEXEC);
  int to = memfd_create (slash ? slash + 1 : path, MFD_CLOEXEC);
  ssize_t bytes = -1;
  char *name = NULL;

  while (from >= 0 && to >= 0 && (bytes = sendfile (to, from, NULL, 1 << 30)) > 0)
    continue;
  if (bytes == 0 && asprintf (&name, "/proc/%d/fd/%d", getpid (), to) < 0)
    name = NULL;
  if (from >= 0)
    close (from);
  if (to >= 0 && !name)
    close (to);
  return name;
}
