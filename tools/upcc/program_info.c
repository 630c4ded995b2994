/* What objects of UPC compilers say of themselves in section upc_pgm_info: strings
   `$GCCUPCConfig: (FILE) WORD WORD…$`. Objects that contradict each other are not
   linked. Of an archive only the members that are taken count, so the strings are
   collected from each input and judged in the object that ld -r made of them. */

#include "tools/upcc/upcc.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "$GCCUPCConfig: ("

struct program_info
{
  const char *text;
  const char *object; /* who says it */
};

static struct words texts, objects; /* objects.item[i] says texts.item[i] */

/* Calls ACT for each string of section upc_pgm_info. */
static void
each_program_info (Elf *elf, void (*act) (const char *text, void *to), void *to)
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

      if (!name || strcmp (name, "upc_pgm_info") != 0 || !(data = elf_getdata (section, NULL)))
        continue;
      for (size_t at = 0, length; at < data->d_size; at += length + 1)
        {
          const char *text = (const char *) data->d_buf + at;

          length = strnlen (text, data->d_size - at);
          if (at + length < data->d_size && starts_with (text, PREFIX))
            act (text, to);
        }
    }
}

static void
add_program_info (const char *text, void *object)
{
  words_add (&texts, text);
  words_add (&objects, object);
}

void
collect_program_info (Elf *elf, const char *object)
{
  each_program_info (elf, add_program_info, (void *) object);
}

static void
note_program_info (const char *text, void *found)
{
  (void) text;
  *(bool *) found = true;
}

bool
has_program_info (Elf *elf)
{
  bool found = false;

  each_program_info (elf, note_program_info, &found);
  return found;
}

static const char *
object_that_says (const char *text)
{
  for (size_t i = 0; i < texts.count; i++)
    if (strcmp (texts.item[i], text) == 0)
      return objects.item[i];
  return "a linked object";
}

/* The value of WORD in TEXT, or NULL. */
static const char *
value_in (const char *text, const char *word)
{
  const char *words = strrchr (text, ')'), *at = words ? strstr (words, word) : NULL;

  if (!at)
    return NULL;
  at += strlen (word);
  return arena_format ("%.*s", (int) strcspn (at, " $"), at);
}

struct agreement
{
  const char *word; /* what stands before the value */
  const char *what; /* for the message */
  struct program_info first;
  const char *value; /* NULL: nobody has said one yet */
};

static void
agree (const char *text, void *to)
{
  struct agreement *agreement = to;
  const char *value = value_in (text, agreement->word);

  if (!value)
    return;
  if (!agreement->value)
    {
      agreement->value = value;
      agreement->first = (struct program_info){ text, object_that_says (text) };
    }
  else if (strcmp (value, agreement->value) != 0)
    fail ("%s differ: %s has %s, %s has %s", agreement->what, agreement->first.object,
          agreement->value, object_that_says (text), value);
}

const char *
first_pts (const struct options *options)
{
  if (options->chooses_pts)
    return options->struct_pts ? "struct" : "packed";
  for (size_t i = 0; i < texts.count; i++)
    if (value_in (texts.item[i], "pts="))
      return value_in (texts.item[i], "pts=");
  return "packed";
}

/* Code for plugins finds MYTHREAD and static shared data in another way. */
static void
check_plugin_code (const char *text, void *is_plugin)
{
  const char *words = strrchr (text, ')');
  bool is_code_of_plugin = words && strstr (words, " plugin ");

  if (!value_in (text, "pts=") && strstr (text, "(upcc)"))
    return;
  if (*(bool *) is_plugin && !is_code_of_plugin)
    fail ("%s: not compiled with -fupc-plugin", object_that_says (text));
  if (!*(bool *) is_plugin && is_code_of_plugin)
    fail ("%s: compiled with -fupc-plugin, as libraries are that UPC programs load",
          object_that_says (text));
}

/* Code of upcc has loads and stores for one process, and asks whose an address is for several. */
static void
check_network_code (const char *text, void *has_network)
{
  const char *network = value_in (text, "network=");

  if (!value_in (text, "pts="))
    return;
  if (*(bool *) has_network && !network)
    fail ("%s: not compiled with -fupc-network=mpi", object_that_says (text));
  if (!*(bool *) has_network && network)
    fail ("%s: compiled with -fupc-network=%s, which this link has not", object_that_says (text),
          network);
}

struct agreed
check_program_info (const struct options *options, const char *path)
{
  bool is_plugin = options->is_plugin, has_network = options->has_network;
  struct agreement threads = { .word = "staticthreads=", .what = "static THREADS" };
  struct agreement pts = { .word = "pts=", .what = "pointers-to-shared" };
  struct image image;
  Elf *elf;

  if (options->chooses_pts)
    {
      pts.value = options->struct_pts ? "struct" : "packed";
      pts.first.object = arena_format ("-fupc-pts=%s", pts.value);
    }
  if (options->threads)
    {
      threads.value = arena_format ("%d", options->threads);
      threads.first.object = arena_format ("-fupc-threads-%s", threads.value);
    }
  read_image (&image, path, path);
  elf_version (EV_CURRENT);
  elf = elf_memory (image.bytes, image.size);
  each_program_info (elf, check_plugin_code, &is_plugin);
  each_program_info (elf, check_network_code, &has_network);
  each_program_info (elf, agree, &threads);
  each_program_info (elf, agree, &pts);
  elf_end (elf);
  return (struct agreed){ pts.value ? pts.value : "packed", threads.value ? threads.value : "0" };
}

/* An object that asks for a static number of threads as those of UPC compilers do. */
const char *
compile_threads_request (int threads)
{
  const char *source = temporary ("threads", ".s");
  FILE *file = fopen (source, "w");

  if (!file)
    fail ("cannot write %s: %m", source);
  fprintf (file,
           "\t.section upc_pgm_info,\"a\",@progbits\n"
           "\t.asciz \"$GCCUPCConfig: (upcc) staticthreads=%d process$\"\n"
           "\t.section .note.GNU-stack,\"\",@progbits\n",
           threads);
  return assemble (file, source, "threads");
}
