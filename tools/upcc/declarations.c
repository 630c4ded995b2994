/* Declarations of one object that differ between files: two layouts, or shared in one and private in the other. Code
   of upc2c says of its objects what tools/upc2c/write/declared_object.c writes, in section upc_declared. Of an archive
   only the members that are taken count, so the records are compared in the object that ld -r made of all. */

#include "tools/upcc/upcc.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

struct declared
{
  const char *name, *place, *text, *layout;
  const struct declared *next; /* of the same name, with another layout */
};

/* What was declared so far, by the numbers of the names. */
struct declarations
{
  struct hash_table *names;
  const struct declared **first;
  size_t capacity;
  unsigned long threads; /* 0: any number */
};

/* The string at *AT, and *AT behind it; NULL if it does not end before END. */
static const char *
next_string (const char **at, const char *end)
{
  const char *text = *at, *stop = text < end ? memchr (text, 0, end - text) : NULL;

  *at = stop ? stop + 1 : end;
  return stop ? text : NULL;
}

typedef void declared_act (const struct declared *declared, void *to);

static void
each_record (const Elf_Data *data, declared_act *act, void *to)
{
  const char *at = data->d_buf, *end = at + data->d_size;

  while (at < end)
    {
      struct declared declared = { .name = next_string (&at, end) };

      declared.place = next_string (&at, end);
      declared.text = next_string (&at, end);
      declared.layout = next_string (&at, end);
      if (declared.layout)
        act (&declared, to);
    }
}

static void
each_declared (Elf *elf, declared_act *act, void *to)
{
  size_t names;
  Elf_Scn *section = NULL;
  GElf_Shdr shdr;

  if (elf_getshdrstrndx (elf, &names) < 0)
    return;
  while ((section = elf_nextscn (elf, section)))
    {
      const char *name = gelf_getshdr (section, &shdr) ? elf_strptr (elf, names, shdr.sh_name)
                                                       : NULL;
      Elf_Data *data = NULL;

      if (name && strcmp (name, "upc_declared") == 0 && (data = elf_getdata (section, NULL)))
        each_record (data, act, to);
    }
}

static bool
is_private (const struct declared *declared)
{
  return starts_with (declared->layout, "private");
}

static void
collect_shared (const struct declared *declared, void *object)
{
  if (!is_private (declared))
    collect_shared_name (declared->name, object);
}

void
collect_declarations (Elf *elf, const char *object)
{
  each_declared (elf, collect_shared, (void *) object);
}

/* A length at *AT, which is then behind it: "[16*]" is 16 for each thread. False: any length. */
static bool
read_length (const char **at, unsigned long threads, unsigned long *count, bool *times_threads)
{
  bool is_known = (*at)[1] != '?';

  *count = strtoul (*at + 1, NULL, 10);
  *at += strcspn (*at, "]");
  *times_threads = is_known && (*at)[-1] == '*';
  *at += **at == ']';
  if (*times_threads && threads)
    {
      *count *= threads;
      *times_threads = false;
    }
  return is_known;
}

static bool
lengths_agree (const char *a, const char *b, unsigned long threads)
{
  while (*a == '[' && *b == '[')
    {
      unsigned long counts[2];
      bool times[2], is_known = read_length (&a, threads, &counts[0], &times[0]);

      is_known &= read_length (&b, threads, &counts[1], &times[1]);
      if (is_known && (counts[0] != counts[1] || times[0] != times[1]))
        return false;
    }
  return *a == *b;
}

/* The words of a layout, in turn; of what pointers-to-shared lead to they begin anew. */
enum property
{
  BLOCK,
  LENGTHS,
  ELEMENT,
  PROPERTIES
};

static bool
words_agree (enum property property, const char *a, const char *b, unsigned long threads)
{
  if (*a == '?' || *b == '?' || strcmp (a, b) == 0)
    return true;
  return property == LENGTHS && lengths_agree (a, b, threads);
}

static const char *
what_differs (enum property property, const char *a, const char *b)
{
  if (property == ELEMENT)
    return *a == *b ? "sizes of elements" : "types of elements";
  return property == BLOCK ? "block sizes" : "lengths";
}

/* For messages. */
static const char *
value_of (enum property property, const char *word, const char *other)
{
  static const struct
  {
    char letter;
    const char *name;
  } types[] = { { 'S', "pointers-to-shared" },
                { 'i', "integers" },
                { 'f', "floating-point numbers" },
                { 'c', "complex numbers" },
                { 'r', "records" },
                { 'v', "vectors" },
                { 'p', "pointers" } };

  if (property == LENGTHS)
    return *word == '-'         ? "none"
           : strchr (word, '*') ? arena_format ("%.*s*THREADS%s", (int) strcspn (word, "*"), word,
                                                strchr (word, '*') + 1)
                                : word;
  if (property == BLOCK || *word == *other)
    return word + (property == ELEMENT);
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].letter == *word)
      return types[i].name;
  return word;
}

static _Noreturn void
refuse (enum property property, bool is_target, const struct declared *here, const char *word,
        const struct declared *there, const char *other)
{
  fail_file (here->place, "%s of %s'%s' differ: '%s' has %s, '%s' in %s has %s",
             what_differs (property, word, other), is_target ? "what is behind " : "", here->name,
             here->text, value_of (property, word, other), there->text, there->place,
             value_of (property, other, word));
}

static void
compare (const struct declared *here, const struct declared *there, unsigned long threads)
{
  struct words ours = { 0 }, theirs = { 0 };
  size_t first = is_private (here);

  if (is_private (here) != is_private (there))
    fail_file (here->place, "'%s' is %s here, '%s', but %s in %s, '%s'", here->name,
               is_private (here) ? "private" : "shared", here->text,
               is_private (there) ? "private" : "shared", there->place, there->text);
  words_add_split (&ours, here->layout, " ");
  words_add_split (&theirs, there->layout, " ");
  for (size_t i = first; i < ours.count && i < theirs.count; i++)
    {
      enum property property = (i - first) % PROPERTIES;

      if (!words_agree (property, ours.item[i], theirs.item[i], threads))
        refuse (property, i >= PROPERTIES || is_private (here), here, ours.item[i], there,
                theirs.item[i]);
    }
}

/* Agreeing is not transitive, as lengths may be unknown: each layout is compared with all others. */
static void
add_declared (const struct declared *declared, void *to)
{
  struct declarations *all = to;
  uint32_t number = hash_add (all->names, declared->name, strlen (declared->name));
  struct declared *added;

  all->first = arena_grow (all->first, hash_count (all->names), &all->capacity, sizeof *all->first);
  for (const struct declared *d = all->first[number]; d; d = d->next)
    {
      if (strcmp (d->layout, declared->layout) == 0)
        return;
      compare (declared, d, all->threads);
    }
  added = NEW (struct declared);
  *added = *declared;
  added->next = all->first[number];
  all->first[number] = added;
}

void
check_declarations (const char *path, const char *threads)
{
  struct declarations all = { .names = hash_new (), .threads = strtoul (threads, NULL, 10) };
  struct image image;
  Elf *elf;

  read_image (&image, path, path);
  elf_version (EV_CURRENT);
  elf = elf_memory (image.bytes, image.size);
  each_declared (elf, add_declared, &all);
  elf_end (elf);
  hash_free (all.names);
}
