/* The program's dlopen. Each UPC thread has its own copy of a plugin of UPC code (plugin.h).
   Other libraries are left to the loader. */

#include "runtime/libc/libc.h"
#include "runtime/libc/plugin.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* The next dlerror of the thread, and the last one, which its caller may still read. */
static __thread char *next_error, *last_error;

static void
set_error (char *text)
{
  free (next_error);
  next_error = text;
}

static void *
fail (char *error)
{
  set_error (error);
  return NULL;
}

/* What is global is so for all UPC threads: a plugin's names never are. */
static void *
open_as (struct plugin *plugin, const char *name, int mode)
{
  struct plugin *before = upcr_plugin_expect (plugin);
  void *handle = dlopen (name, mode & ~RTLD_GLOBAL);

  upcr_plugin_expect (before);
  return handle;
}

static void *
open_plugin (const char *path, const struct upcr_plugin_note *note, const struct stat *status,
             int mode)
{
  struct plugin *plugin;
  const char *name;
  char *error = upcr_plugin_mismatch (path, note);

  if (error)
    return fail (error);
  plugin = upcr_plugin_know (status);
  name = upcr_plugin_name (plugin, path, !(mode & RTLD_NOLOAD));
  if (name)
    return open_as (plugin, name, mode);
  if (mode & RTLD_NOLOAD)
    return NULL;
  return fail (asprintf (&error, "%s: cannot make a copy: %m", path) < 0 ? NULL : error);
}

void *
upcr_dlopen (const char *name, int mode)
{
  struct upcr_plugin_note note;
  struct stat status;
  char *path = name && *name ? upcr_plugin_find (name) : NULL;
  void *handle;

  set_error (NULL);
  handle = path && upcr_plugin_read (path, &note, &status)
               ? open_plugin (path, &note, &status, mode)
               : dlopen (name, mode);
  free (path);
  return handle;
}

char *
upcr_dlerror (void)
{
  char *error = next_error;

  if (!error)
    return dlerror ();
  free (last_error);
  last_error = error;
  next_error = NULL;
  return error;
}
