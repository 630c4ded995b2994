/* Linker scripts as inputs. Some libraries are installed as one: libncurses.so is the text
   INPUT(libncurses.so.6 -ltinfo). What a script says becomes items, as of a command line. */

#include "tools/upcc/upcc.h"

#include <ctype.h>
#include <string.h>

struct reader
{
  const char *name; /* of the script */
  const char *at, *end;
  int line;
  struct script *script;
};

/* Passes blanks, comments, and what may separate names. */
static void
skip_blanks (struct reader *r)
{
  while (r->at < r->end)
    {
      bool is_comment = r->end - r->at >= 2 && memcmp (r->at, "/*", 2) == 0;
      const char *close = is_comment ? memmem (r->at + 2, r->end - r->at - 2, "*/", 2) : r->at;

      if (!close || (!is_comment && !isspace ((unsigned char) *r->at) && !strchr (",;", *r->at)))
        return;
      for (close += is_comment ? 2 : 1; r->at < close; r->at++)
        r->line += *r->at == '\n';
    }
}

/* The next token: "(", ")", or a name, without its quotation marks; empty at the end. */
static const char *
next_token (struct reader *r)
{
  const char *begin, *text;
  bool is_quoted;

  skip_blanks (r);
  begin = r->at;
  is_quoted = r->at < r->end && *r->at == '"';
  if (is_quoted)
    for (r->at = ++begin; r->at < r->end && *r->at != '"' && *r->at != '\n';)
      r->at++;
  else if (r->at < r->end && strchr ("(){}=", *r->at))
    r->at++;
  else
    while (r->at < r->end && !isspace ((unsigned char) *r->at) && !strchr ("(){}=,;\"", *r->at))
      r->at++;
  text = arena_format ("%.*s", (int) (r->at - begin), begin);
  if (is_quoted && r->at < r->end && *r->at == '"')
    r->at++;
  return text;
}

static struct reader
begin_reading (const struct image *image, struct script *script)
{
  return (struct reader){ image->name, image->bytes, image->bytes + image->size, 1, script };
}

/* A command in capital letters, and what begins its arguments. */
bool
is_linker_script (const struct image *image)
{
  struct reader r = begin_reading (image, NULL);
  const char *word, *after;

  if (memchr (image->bytes, 0, image->size))
    return false;
  word = next_token (&r);
  after = next_token (&r);
  return *word && strspn (word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == strlen (word)
         && (strcmp (after, "(") == 0 || strcmp (after, "{") == 0);
}

static void
expect_open (struct reader *r, const char *command)
{
  if (strcmp (next_token (r), "(") != 0)
    fail ("%s:%d: expected '(' after %s", r->name, r->line, command);
}

/* The next token of COMMAND's arguments; NULL behind the last. */
static const char *
next_argument (struct reader *r, const char *command)
{
  const char *token = next_token (r);

  if (!*token || strpbrk (token, "({}="))
    fail ("%s:%d: expected ')' at the end of %s", r->name, r->line, command);
  return strcmp (token, ")") == 0 ? NULL : token;
}

static void
add_item (struct reader *r, enum item_kind kind, const char *text)
{
  struct script *script = r->script;

  script->items = grow_array (script->items, script->count + 1, &script->capacity,
                              sizeof *script->items);
  script->items[script->count++] = (struct script_item){ .item = { .kind = kind, .text = text },
                                                         .line = r->line };
}

/* What stands in the parentheses of INPUT, GROUP or AS_NEEDED. */
static void
read_files (struct reader *r, const char *command)
{
  const char *name;

  expect_open (r, command);
  while ((name = next_argument (r, command)))
    if (starts_with (name, "-l"))
      add_item (r, ITEM_LIBRARY, name + 2);
    else if (strcmp (name, "AS_NEEDED") != 0)
      add_item (r, ITEM_FILE, name);
    else
      {
        add_item (r, ITEM_LINKER, "--push-state");
        add_item (r, ITEM_LINKER, "--as-needed");
        read_files (r, name);
        add_item (r, ITEM_LINKER, "--pop-state");
      }
}

static void
read_group (struct reader *r)
{
  add_item (r, ITEM_LINKER, "--start-group");
  read_files (r, "GROUP");
  add_item (r, ITEM_LINKER, "--end-group");
}

/* The last link makes sure that formats and machines agree. */
static void
pass_arguments (struct reader *r, const char *command)
{
  expect_open (r, command);
  while (next_argument (r, command))
    ;
}

void
read_linker_script (struct script *script, const struct image *image)
{
  struct reader r = begin_reading (image, script);
  const char *command;

  *script = (struct script){ .name = image->name };
  while (*(command = next_token (&r)))
    if (strcmp (command, "INPUT") == 0)
      read_files (&r, command);
    else if (strcmp (command, "GROUP") == 0)
      read_group (&r);
    else if (strcmp (command, "OUTPUT_FORMAT") == 0 || strcmp (command, "OUTPUT_ARCH") == 0)
      pass_arguments (&r, command);
    else
      fail ("%s:%d: '%s' in a linker script that is an input; give the script with -Wl,-T,", r.name,
            r.line, command);
}
