/* What commands say on standard error, in the program's words where upc2c and upc-privatize have
   others. */

#include "tools/upcc/upcc.h"
#include "tools/upcc/diagnostics/diagnostics.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const struct
{
  const char *ours, *shown;
  bool is_quoted; /* only within quotes: it may be a name of the program's elsewhere */
  bool is_prefix; /* of more names of ours, shown alike */
} words[] = {
  { "upc_main", "main", true, false },
  { "__upc_pts", "pointer-to-shared", false, true },
  { "__upc_anonymous", "<anonymous>", false, true },
};

static bool
is_part_of_name (char c)
{
  return isalnum ((unsigned char) c) || c == '_';
}

/* ' or ` or the last byte of the left quotation mark; or of colours that follow it. */
static bool
is_quote (char c)
{
  return c == '\'' || c == '`' || c == '\x98' || c == 'K';
}

/* Which word of ours is at AT; WORD_COUNT: none. */
static size_t
word_at (const char *at, const char *start, const char *end)
{
  size_t i = 0;

  for (; i < sizeof words / sizeof *words; i++)
    {
      size_t length = strlen (words[i].ours);

      if ((size_t) (end - at) >= length && memcmp (at, words[i].ours, length) == 0
          && (words[i].is_prefix || at + length == end || !is_part_of_name (at[length]))
          && (words[i].is_quoted ? at > start && is_quote (at[-1])
                                 : at == start || !is_part_of_name (at[-1]) || at[-1] == 'K'))
        return i;
    }
  return i;
}

/* Temporary files that stand for what users know by other names. */
static struct words temporaries, known_as;

void
show_file_as (const char *file, const char *name)
{
  words_add (&temporaries, file);
  words_add (&known_as, name);
}

/* What to show in place of *LENGTH bytes at AT, or NULL. */
static const char *
shown_at (const char *at, const char *start, const char *end, size_t *length)
{
  size_t word = *at == '_' || *at == 'u' ? word_at (at, start, end) : sizeof words / sizeof *words;

  if (word < sizeof words / sizeof *words)
    {
      *length = strlen (words[word].ours);
      while (at + *length < end && is_part_of_name (at[*length]))
        ++*length;
      return words[word].shown;
    }
  for (size_t i = 0; i < temporaries.count; i++)
    {
      *length = strlen (temporaries.item[i]);
      if ((size_t) (end - at) >= *length && memcmp (at, temporaries.item[i], *length) == 0)
        return known_as.item[i];
    }
  return NULL;
}

static void
show (const char *text, size_t size)
{
  const char *end = text + size, *from = text;

  for (const char *at = text; at < end; at++)
    {
      size_t length;
      const char *shown = shown_at (at, text, end, &length);

      if (!shown)
        continue;
      fwrite (from, 1, at - from, stderr);
      fputs (shown, stderr);
      from = at + length;
      at = from - 1;
    }
  fwrite (from, 1, end - from, stderr);
}

int
begin_messages (void)
{
  return memfd_create ("messages", MFD_CLOEXEC);
}

/* A line at a time, and under each message the source. */
static void
show_with_source (const char *text, size_t size)
{
  const char *end = text + size, *next;
  struct place place;

  for (; text < end; text = next)
    {
      const char *feed = memchr (text, '\n', end - text);

      next = feed ? feed + 1 : end;
      show (text, next - text);
      if (feed && read_place (text, feed - text, &place))
        draw_source (stderr, &place);
    }
}

bool
end_messages (int file, bool draws_source)
{
  off_t size = file < 0 ? 0 : lseek (file, 0, SEEK_END);
  char *text;

  if (file < 0)
    return true;
  if (size > 0)
    {
      text = mmap (NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
      if (text != MAP_FAILED)
        {
          (draws_source ? show_with_source : show) (text, size);
          munmap (text, size);
        }
    }
  close (file);
  return size > 0;
}
