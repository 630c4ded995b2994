/* The objects and archives that make one program, each rewritten into a file of its
   own. */

#ifndef PRIVATIZE_SET_H
#define PRIVATIZE_SET_H

#include "privatize/object.h"

/* A member of an archive that is no object: it stays as it is, in front of the object
   that is number BEFORE in the archive. */
struct bystander
{
  char *name;
  unsigned char *bytes;
  size_t size, before;
};

/* One file: an object, or an archive of COUNT objects from FIRST on. */
struct input
{
  const char *path;
  bool is_archive;
  size_t first, count;
  struct bystander *bystanders;
  size_t bystander_count, bystander_room;
};

struct set
{
  struct object *objects;
  size_t object_count, object_room;
  struct input *inputs;
  size_t input_count;
};

/* set.c: adds an object of SIZE bytes that PATH means to users; the set owns IMAGE. */
struct object *add_object (struct set *set, const char *path, unsigned char *image, size_t size);

/* archive.c: adds the members of IMAGE, which is INPUT's. */
bool is_archive (const unsigned char *image, size_t size);
void add_members (struct set *set, struct input *input, const unsigned char *image, size_t size);
/* archive_write.c: returns false and sets errno when it cannot. */
bool write_archive (const struct set *set, const struct input *input, int fd);

/* resolve.c: what the objects are to each other. Afterwards each symbol is known to be
   private or not. */
void resolve_set (struct set *set);

/* set.c: the phases between resolve_set and plan_zone. */
void rewrite_object (struct object *object);

/* set.c: the inputs, and the outputs: all or none of them. */
void load_set (struct set *set, const char **paths, size_t count);
void load_single (struct set *set, const char *path);
void write_set (struct set *set, const char *folder);
void write_single (struct set *set, const char *path);

#endif
