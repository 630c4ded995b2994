/* Declarations of one object or function that differ between files: two layouts, or shared in one and private in the
   other. Where elements would be in other places that is an error. Else, as in functions, whose callers may know what
   they do, it is a warning. Code of upc2c says of its globals what tools/upc2c/write/declared.c writes, in section upc_declared. Of an
   archive only the members that are taken count, so the records are compared in the object that ld -r made of all. */

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
  bool is_quiet;         /* -w */
  bool warns;            /* not with -Werror */
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

static void
collect_shared (const struct declared *declared, void *object)
{
  if (starts_with (declared->layout, "shared;"))
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

/* The words of a layout, in turn. Behind that of an element which is a pointer-to-shared they begin anew. */
enum property
{
  BLOCK,
  LENGTHS,
  ELEMENT,
  PROPERTIES
};

static bool
is_any (const char *a, const char *b)
{
  return *a == '?' || *b == '?';
}

static bool
words_agree (enum property property, const char *a, const char *b, unsigned long threads)
{
  if (is_any (a, b) || strcmp (a, b) == 0)
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
  const char *star = strchr (word, '*');

  if (property == LENGTHS && *word == '-')
    return "none";
  if (property == LENGTHS)
    return star ? arena_format ("%.*s*THREADS%s", (int) (star - word), word, star + 1) : word;
  if (property == BLOCK || *word == *other)
    return word + (property == ELEMENT);
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].letter == *word)
      return types[i].name;
  return word;
}

/* Two declarations of a name, of which HERE is what the message is about. */
struct pair
{
  const struct declared *here, *there;
  const struct declarations *all;
};

static void
tell (const struct pair *pair, bool is_certain, const char *text)
{
  if (is_certain || !pair->all->warns)
    fail_file (pair->here->place, "%s", text);
  if (!pair->all->is_quiet)
    warn_file (pair->here->place, "%s", text);
}

/* Whether elements are elsewhere, or are something else, if words A and B of PROPERTY differ. */
static bool
moves_elements (enum property property, const char *a, const char *b, unsigned long threads)
{
  if (property == ELEMENT)
    return strcmp (a + 1, b + 1) != 0 || *a == 'S' || *b == 'S';
  if (property == BLOCK)
    return true;
  a += strcspn (a, "]");
  b += strcspn (b, "]");
  return *a && *b && !lengths_agree (a + 1, b + 1, threads);
}

static bool
is_function (const struct declared *declared)
{
  return *declared->layout == 'f';
}

/* Whether OURS and THEIRS agree, of WHAT, whose words begin with FIRST. */
static bool
compare_words (const struct pair *pair, const char *what, const char *ours, const char *theirs,
               enum property first)
{
  const struct declared *here = pair->here, *there = pair->there;
  unsigned long threads = pair->all->threads;
  struct words a = { 0 }, b = { 0 };

  words_add_split (&a, ours, " ");
  words_add_split (&b, theirs, " ");
  for (size_t i = 0; i < a.count && i < b.count; i++)
    {
      enum property property = (first + i) % PROPERTIES;
      const char *one = a.item[i], *other = b.item[i];

      if (words_agree (property, one, other, threads))
        continue;
      tell (pair, !is_function (here) && moves_elements (property, one, other, threads),
            first == ELEMENT && i == 0 && *one != *other
                ? arena_format ("types of %s differ: '%s', but '%s' in %s", what, here->text,
                                there->text, there->place)
                : arena_format ("%s of %s%s differ: '%s' has %s, '%s' in %s has %s",
                                what_differs (property, one, other),
                                first + i >= PROPERTIES ? "what is behind " : "", what, here->text,
                                value_of (property, one, other), there->text, there->place,
                                value_of (property, other, one)));
      return false;
    }
  return true;
}

/* Parts of a layout: its kind, and what has words. */
static const char *
part_of (const struct declared *declared, size_t part)
{
  if (!is_function (declared))
    return arena_format ("'%s'", declared->name);
  if (part == 1)
    return arena_format ("the result of '%s'", declared->name);
  return arena_format ("parameter %zu of '%s'", part - 1, declared->name);
}

static const char *
kind_of (const char *kind)
{
  return *kind == 'f' ? "a function" : kind;
}

static void
compare (const struct pair *pair)
{
  const struct declared *here = pair->here, *there = pair->there;
  struct words ours = { 0 }, theirs = { 0 };

  words_add_split (&ours, here->layout, ";");
  words_add_split (&theirs, there->layout, ";");
  if (ours.count && theirs.count && strcmp (ours.item[0], theirs.item[0]) != 0)
    fail_file (here->place, "'%s' is %s here, '%s', but %s in %s, '%s'", here->name,
               kind_of (ours.item[0]), here->text, kind_of (theirs.item[0]), there->place,
               there->text);
  for (size_t i = 1; i < ours.count && i < theirs.count; i++)
    if (!compare_words (pair, part_of (here, i), ours.item[i], theirs.item[i],
                        *here->layout == 's' ? BLOCK : ELEMENT))
      return;
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
      compare (&(struct pair){ declared, d, all });
    }
  added = NEW (struct declared);
  *added = *declared;
  added->next = all->first[number];
  all->first[number] = added;
}

void
check_declarations (const struct options *options, const char *path, const char *threads)
{
  struct declarations all = { .names = hash_new (),
                              .threads = strtoul (threads, NULL, 10),
                              .is_quiet = words_have (&options->compile, "-w"),
                              .warns = !words_have (&options->compile, "-Werror") };
  struct image image;
  Elf *elf;

  read_image (&image, path, path);
  elf_version (EV_CURRENT);
  elf = elf_memory (image.bytes, image.size);
  each_declared (elf, add_declared, &all);
  elf_end (elf);
  hash_free (all.names);
}
