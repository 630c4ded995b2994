/* The objects and archives of one program, each of which is rewritten into a separate file. */

#ifndef PRIVATIZE_PROGRAM_PROGRAM_H
#define PRIVATIZE_PROGRAM_PROGRAM_H

#include "privatize/elf/elf.h"

/* A member of an archive that is no object: it stays as it is, in front of the object
   that is number BEFORE in the archive. */
struct opaque_member
{
  const char *name;
  unsigned char *bytes;
  size_t size, before;
};

/* One file: an object, or an archive of COUNT objects from FIRST on. */
struct input
{
  const char *path;
  bool is_archive;
  size_t first, count;
  struct opaque_member *opaque_members;
  size_t opaque_count, opaque_capacity;
};

struct program
{
  struct object *objects;
  size_t object_count, object_capacity;
  struct input *inputs;
  size_t input_count;
};

/* files.c: the bytes of the file in memory that the caller frees. */
unsigned char *read_file (const char *path, size_t *bytes);

/* inputs.c; outputs.c: all outputs are written, or none of them. */
void load_program (struct program *program, const char **paths, size_t count);
void load_single (struct program *program, const char *path);
void write_program (struct program *program, const char *folder);
void write_single (struct program *program, const char *path);

/* objects.c: adds an object of SIZE bytes that PATH means to users; the program owns IMAGE. */
struct object *add_object (struct program *program, const char *path, unsigned char *image,
                           size_t size);

/* archive.c: adds the members of IMAGE, which is INPUT's. */
void add_members (struct program *program, struct input *input, const unsigned char *image,
                  size_t size);
/* write_archive.c: returns false and sets errno when it cannot. */
bool write_archive (const struct program *program, const struct input *input, int fd);

/* resolve.c: what the objects are to each other. Afterwards each symbol is known to be
   private or not. */
void find_private (struct program *program);

/* phases.c: those between find_private and writing, each for all objects. */
void transform (struct program *program);
void tabulate (struct program *program);
void finalize_indexes (struct program *program);
void rebuild_relocations (struct program *program);

#endif
