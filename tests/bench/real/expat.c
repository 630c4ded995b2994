/* expat reads a document; the handlers count in statics. */

#include "tests/bench/real/real.h"

#include <expat.h>

static char document[8000000];
static long elements, attributes, characters;
static int depth, deepest;

static void
start (void *unused, const char *name, const char **pairs)
{
  (void) unused;
  elements += name[0] == 'e';
  for (; *pairs; pairs += 2)
    attributes++;
  if (++depth > deepest)
    deepest = depth;
}

static void
end (void *unused, const char *name)
{
  (void) unused, (void) name;
  depth--;
}

static void
text (void *unused, const char *bytes, int count)
{
  (void) unused, (void) bytes;
  characters += count;
}

int
main (void)
{
  char *to = document + sprintf (document, "<d>");

  while (to < document + sizeof document - 200)
    to += sprintf (to, "<e n='%u' m=\"a &amp; b\">text %u &#233; <f/><g>more</g></e>\n", next_random () % 1000,
                   next_random ());
  to += sprintf (to, "</d>");
  for (int i = 0; i < 5; i++)
    {
      XML_Parser parser = XML_ParserCreate (NULL);
      XML_SetElementHandler (parser, start, end);
      XML_SetCharacterDataHandler (parser, text);
      must (XML_Parse (parser, document, to - document, 1) == XML_STATUS_OK, "parse");
      XML_ParserFree (parser);
    }
  printf ("%ld %ld %ld %d\n", elements, attributes, characters, deepest);
  return 0;
}
