/* Plugins: shared libraries of `upcc -fupc-plugin`, UPC code that a UPC program opens with
   dlopen. They use the program's runtime.

   Each UPC thread has its own statics of a plugin, because each UPC thread loads the library for
   itself. The first one that opens it loads the file; the others load a copy of it, which the
   loader takes for another library. So MYTHREAD is a constant of a copy, and threads that the
   UPC thread creates share its statics.

   The program calls dlopen.c; plugin_file.c reads files; plugin.c manages the plugins. */

#ifndef UPCR_LIBC_PLUGIN_H
#define UPCR_LIBC_PLUGIN_H

#include <stdbool.h>
#include <sys/stat.h>

/* What upcc says of a plugin in a note of the file. Of a library of `upcc -shared` it only says that it is
   one: it has a runtime and UPC threads of its own, and would find its statics by their distance where
   the program's threads have theirs. */
struct upcr_plugin_note
{
  bool has_runtime;
  int version;
  char pts[8]; /* packed or struct */
  int threads; /* 0: any number */
  char sanitizer[8];
};

/* The file that dlopen would take for NAME, or NULL; from malloc. */
char *upcr_plugin_find (const char *name);

/* False: upcc did not make it. */
bool upcr_plugin_read (const char *path, struct upcr_plugin_note *note, struct stat *status);

/* Why the program cannot load it, from malloc; NULL: it can. */
char *upcr_plugin_mismatch (const char *path, const struct upcr_plugin_note *note);

/* A copy of the file at PATH in memory: its name, from malloc, or NULL. */
char *upcr_plugin_copy (const char *path);

/* The plugin whose file has STATUS. It is there for ever: its static shared data is. */
struct plugin *upcr_plugin_know (const struct stat *status);

/* The name by which the calling UPC thread has it; NULL: none, or with IS_NEW there was no memory for a
   copy. */
const char *upcr_plugin_name (struct plugin *plugin, const char *path, bool is_new);

/* The calling thread opens PLUGIN, whose constructors may open others; the one before it. */
struct plugin *upcr_plugin_expect (struct plugin *plugin);

#endif
