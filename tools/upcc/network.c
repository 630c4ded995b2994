/* -fupc-network=mpi: programs of several processes. The library is the same with every MPI; the engine
   (runtime/net/engine.h) is an object for each. */

#include "tools/upcc/upcc.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void
set_processes (struct options *options, const struct option_row *row, const char *value)
{
  if (strcmp (value, "mpi") != 0)
    fail_usage ("invalid value in '%s%s'; expected mpi", row->name, value);
  options->has_network = true;
}

#define IN_ONE_PROCESS \
  "; as many threads of one process have the same races: compile without -fupc-network=mpi"

void
check_network (const struct options *options)
{
  const struct
  {
    bool is_there;
    const char *what, *instead;
  } others[] = {
    { options->race, "-fupc-check=race", IN_ONE_PROCESS },
    { options->is_shared, "-shared", "" },
    { options->is_static, "-static", "" },
    { is_cross (), "--target", "" },
    { has_sanitizer (options, "thread"), "-fsanitize=thread", IN_ONE_PROCESS },
    { has_sanitizer (options, "leak"), "-fsanitize=leak", "; -fsanitize=address finds leaks, too" },
  };

  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (others[i].is_there)
      fail_usage ("-fupc-network=mpi and %s cannot be combined%s", others[i].what,
                  others[i].instead);
}

/* The macros by which MPI's headers say whose they are. Others than these two follow one of them. */
static const char *
name_of_mpi (void)
{
  FILE *pipe = popen (
      arena_format ("%s -E -dM -include mpi.h -x c /dev/null 2>/dev/null", mpi_compiler ()), "re");
  const char *name = NULL;
  char line[4096];

  while (pipe && fgets (line, sizeof line, pipe))
    if (starts_with (line, "#define MPICH_VERSION "))
      name = "mpich";
    else if (starts_with (line, "#define OMPI_MAJOR_VERSION "))
      name = "openmpi";
  if (pipe)
    pclose (pipe);
  if (!name)
    fail_usage (
        "'-fupc-network=mpi': '%s' is no compiler of MPICH or Open MPI; UPCC_MPICC names another one, "
        "and Debian has them in libmpich-dev and libopenmpi-dev",
        mpi_compiler ());
  return name;
}

const char *
find_engine (const char *folder)
{
  const char *name = name_of_mpi ();
  const char *path = arena_format ("%s/upc-engine-%s.o", folder, name);

  if (access (path, R_OK) != 0)
    fail (
        "'-fupc-network=mpi': no libraries for it in %s; 'scons all' makes them where %s is installed",
        folder, strcmp (name, "mpich") == 0 ? "libmpich-dev" : "libopenmpi-dev");
  return path;
}

static struct words names, objects; /* objects.item[i] refers to names.item[i] */

void
collect_undefined (const char *name, const char *object)
{
  words_add (&names, name);
  words_add (&objects, object);
}

bool
is_referred_to (const char *name)
{
  return words_have (&names, name);
}

static const char *
object_that_refers_to (const char *name)
{
  for (size_t i = 0; i < names.count; i++)
    if (strcmp (names.item[i], name) == 0)
      return objects.item[i];
  return "a linked object";
}

static void
check_name (const char *name, const struct words *refused)
{
  if (strcmp (name, "__upc_vm_map_addr") == 0 || strcmp (name, "__upc_page1_ref") == 0)
    fail (
        "%s: its accesses to shared data are loads and stores, which reach one process; compile it "
        "so that they are calls",
        object_that_refers_to (name));
  if (words_have (refused, name))
    fail ("%s: '%s' is not there yet in programs of several processes (-fupc-network=mpi)",
          object_that_refers_to (name), name);
}

void
check_network_objects (const char *path, const char *refused_file)
{
  struct image image, list;
  struct words refused = { 0 };
  Elf *elf;
  Elf_Scn *section = NULL;
  GElf_Shdr shdr;
  GElf_Sym symbol;

  read_image (&list, refused_file, refused_file);
  words_add_split (&refused, arena_format ("%.*s", (int) list.size, list.bytes), "\n");
  read_image (&image, path, path);
  elf_version (EV_CURRENT);
  elf = elf_memory (image.bytes, image.size);
  while ((section = elf_nextscn (elf, section)))
    if (gelf_getshdr (section, &shdr) && shdr.sh_type == SHT_SYMTAB)
      for (int i = 1; gelf_getsym (elf_getdata (section, NULL), i, &symbol); i++)
        if (symbol.st_shndx == SHN_UNDEF)
          check_name (elf_strptr (elf, shdr.sh_link, symbol.st_name), &refused);
  elf_end (elf);
}
