/* What the tools have in common: memory, text, messages, a hash table, archives.

   A tool lives for one run, so most of what it allocates lives as long as it does: in
   the arena. What grows or is large is an array or a text buffer. */

#ifndef TOOLS_COMMON_H
#define TOOLS_COMMON_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* memory.c: memory that can be freed; the program ends where there is none. */

void *xmalloc (size_t size);
/* COUNT zeroed elements of SIZE bytes. */
void *xcalloc (size_t count, size_t size);
/* ITEMS, of SIZE bytes each, with a *CAPACITY of at least COUNT; new ones are zeroed. */
void *grow_array (void *items, size_t count, size_t *capacity, size_t size);
/* The capacity of an array that had CAPACITY and is to hold COUNT: at least twice as many, so
   that growing costs a constant for each item. */
static inline size_t
grown_capacity (size_t capacity, size_t count)
{
  capacity = capacity ? capacity : 16;
  while (capacity < count)
    capacity *= 2;
  return capacity;
}

/* sorted.c: how many of the COUNT sorted ITEMS, of SIZE bytes each, COMPARE puts before WANTED. */
size_t count_before (const void *wanted, const void *items, size_t count, size_t size,
                     int (*compare) (const void *, const void *));

/* arena.c: zeroed memory that is never freed. */

void *arena_alloc (size_t size);
/* grow_array for arrays that are never freed. */
void *arena_grow (void *items, size_t count, size_t *capacity, size_t size);
/* A copy of LENGTH bytes with a terminating null. */
char *arena_copy (const char *text, size_t length);
char *arena_format (const char *format, ...) __attribute__ ((format (printf, 1, 2)));
#define NEW(type) ((type *) arena_alloc (sizeof (type)))
/* For tests that run a tool's body many times: everything allocated so far is gone. */
void arena_reset (void);

/* text.c: strings. */

bool starts_with (const char *text, const char *prefix);
bool ends_with (const char *text, const char *suffix);
/* Whether the byte C is the first one of a character of UTF-8. */
static inline bool
begins_character (char c)
{
  return ((unsigned char) c & 0xc0) != 0x80;
}
/* The next word of a list of switches in the environment, behind which *FROM then is; NULL at the end.
   White space separates words, quotes of either kind group, and a backslash is a backslash, as for
   Berkeley UPC's drivers. */
const char *next_switch (const char **from);
/* shell.c: WORD, in quotes where a shell would not leave it as it is. */
void print_shell_word (FILE *out, const char *word);
/* The last component of PATH, and what stands before it. */
const char *path_base (const char *path);
const char *path_folder (const char *path);

/* A string that grows, without a terminating null. */
/* settings.c: files in the user's home that say what each call is to do. */
struct setting
{
  const char *key, *value;
  const char *file; /* with LINE for messages */
  int line;
};

typedef void setting_act (const struct setting *setting, void *data);

/* Those of the file NAME in the home folder, where it is there; or of the file CHOSEN, which has to be. */
void each_setting_of_user (const char *name, const char *chosen, setting_act *act, void *data);
/* yes or no; fails if it is neither. */
bool setting_is_true (const struct setting *setting);

struct text_buffer
{
  char *bytes;
  size_t length, capacity;
};

void text_append (struct text_buffer *buffer, const char *text, size_t length);
void text_free (struct text_buffer *buffer);

/* help.c: a switch, for --help and for the manual page. HELP is a phrase without a stop, MANUAL
   sentences that follow it, or NULL; ARGUMENT begins with a blank where it is a word of its
   own. */

void print_switch_help (const char *name, const char *argument, const char *help);
void print_switch_roff (const char *name, const char *argument, const char *help,
                        const char *manual);
/* TEXT with what is special in roff escaped. */
void print_roff (FILE *out, const char *text);

/* message.c: messages in gcc's form, on standard error. */

/* What messages begin with: each program defines its own. */
extern const char program_name[];

enum
{
  STATUS_FAILED = 1,
  STATUS_USAGE = 2
};

/* PROGRAM: error: …, then exit with STATUS_FAILED. */
_Noreturn void fail (const char *format, ...) __attribute__ ((format (printf, 1, 2), cold));
/* The same for a mistake in the command line, with STATUS_USAGE. */
_Noreturn void fail_usage (const char *format, ...) __attribute__ ((format (printf, 1, 2), cold));
/* The same with any status. */
_Noreturn void fail_status (int status, const char *format, ...)
    __attribute__ ((format (printf, 2, 3), cold));
/* FILE: error: …, then exit with STATUS_FAILED. */
_Noreturn void fail_file (const char *file, const char *format, ...)
    __attribute__ ((format (printf, 2, 3), cold));
/* FILE: warning: … */
void warn_file (const char *file, const char *format, ...)
    __attribute__ ((format (printf, 2, 3), cold));
/* PROGRAM: note: … */
void note (const char *format, ...) __attribute__ ((format (printf, 1, 2), cold));
/* WHERE: KIND: …; WHERE is a program, a file, or a place in one. */
void show_message (const char *where, const char *kind, const char *format, va_list args)
    __attribute__ ((format (printf, 3, 0), cold));

/* TEXT in place of what is from COLUMN to before NEXT_COLUMN; both count from 1. */
struct source_fix
{
  unsigned line, column, next_column;
  const char *text;
};

/* A line of source text and a column in it; both count from 1. */
struct source_location
{
  const char *file;
  unsigned line, column;
  const char *text; /* the whole line without its line feed, or NULL */
  size_t length;
  size_t width;                 /* bytes that the message is about; 0: one */
  const struct source_fix *fix; /* what it proposes, or NULL */
};

/* Whether messages are in colors: those of GCC_COLORS, or else of gcc. */
void set_message_colors (bool on);
/* FILE:LINE:COLUMN: KIND: …, the line, and a caret under the column. */
void show_message_at (const struct source_location *location, const char *kind, const char *format,
                      va_list args) __attribute__ ((format (printf, 3, 0), cold));

/* hash.c: numbers 0, 1, 2, … for keys of bytes, in order of appearance. Arrays with these
   indices hold what belongs to the keys. */

#define HASH_NONE UINT32_MAX

struct hash_table *hash_new (void);
/* The number of KEY, which is added where it is new. */
uint32_t hash_add (struct hash_table *table, const void *key, size_t size);
/* HASH_NONE: not in the table. */
uint32_t hash_find (const struct hash_table *table, const void *key, size_t size);
/* The table's copy of a key, with a terminating null. */
const char *hash_key (const struct hash_table *table, uint32_t number);
uint32_t hash_count (const struct hash_table *table);
void hash_free (struct hash_table *table);

/* archive.c: archives of ar, ordinary and thin, with long names as GNU or BSD has them.
   (libelf reads neither thin archives nor BSD's.) */

struct archive
{
  const char *path;
  const char *bytes;
  size_t size;
  bool is_thin;
  const char *names; /* the member with the names that are too long for a header */
  size_t names_size;
  size_t next;       /* where the next member's header is */
  const char *error; /* why there is no next member, or NULL */
};

struct archive_member
{
  const char *name;  /* as the archive has it */
  const char *bytes; /* NULL in a thin archive */
  size_t size;
  const char *file; /* of a thin archive: the file that it stands for, or NULL */
  size_t offset;    /* where in FILE, an archive, the member's header is; 0: FILE is it */
};

bool is_archive (const void *bytes, size_t size);
/* BYTES are an archive; PATH is where its members are looked for if it is thin. Check ERROR
   afterwards. */
void archive_open (struct archive *archive, const char *path, const void *bytes, size_t size);
/* The next member; indices are passed over. False: at the end, or ERROR says why. */
bool archive_next (struct archive *archive, struct archive_member *member);
/* ARCHIVE(MEMBER), for messages. */
const char *archive_member_name (const struct archive *archive,
                                 const struct archive_member *member);

#endif
