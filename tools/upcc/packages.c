/* Where a tool is missing that upcc calls: Debian's package of it. */

#include "tools/upcc/upcc.h"

#include <string.h>

static const struct
{
  const char *tool;
  const char *package;
} tools[] = {
  { "gcc", "gcc" },     { "g++", "g++" },     { "gfortran", "gfortran" }, { "clang", "clang" },
  { "ld", "binutils" }, { "as", "binutils" }, { "objcopy", "binutils" },  { "clang++", "clang" },
};

/* What stands in a message behind that the tool cannot be run. For another processor both names have the
   processor's in them. */
const char *
where_tool_is (const char *name)
{
  const char *prefix = is_cross () ? arena_format ("%s-", target_name ()) : "";
  bool has_prefix = *prefix && starts_with (name, prefix);
  const char *tool = has_prefix ? name + strlen (prefix) : name;

  for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
    if (strcmp (tool, tools[i].tool) == 0)
      return arena_format ("; Debian has it in the package %s%s%s", tools[i].package,
                           has_prefix ? "-" : "", has_prefix ? target_name () : "");
  return "";
}
