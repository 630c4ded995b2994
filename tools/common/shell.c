/* Commands that can be pasted into a shell. */

#include "tools/common/common.h"

#include <string.h>

void
print_shell_word (FILE *out, const char *word)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "-_./=+,:@%";

  if (*word && !word[strspn (word, plain)])
    {
      fputs (word, out);
      return;
    }
  fputc ('\'', out);
  for (; *word; word++)
    if (*word == '\'')
      fputs ("'\\''", out);
    else
      fputc (*word, out);
  fputc ('\'', out);
}
