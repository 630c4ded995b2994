/* The plugins of the process: which UPC thread has which copy, and where their static shared data
   is: in a symmetric block of the shared heap, from the first opening on.

   field              written by                     read by
   next, ino, dev     who makes it, under the lock   under the lock
   names              under the lock                 under the lock
   offset, has_begun  upct_plugin_begin, under the loader's lock, which lets no two constructors run */

#include "runtime/libc/plugin.h"

#include "runtime/diag/diag.h"
#include "runtime/host/host.h"
#include "runtime/libc/libc.h"
#include "runtime/shared/shared.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct plugin
{
  struct plugin *next;
  dev_t dev;
  ino_t ino;
  char **names;    /* by which the UPC threads have it loaded; NULL: not yet */
  uint64_t offset; /* of its static shared data */
  bool has_file;   /* a UPC thread has the file itself */
  bool has_begun;
};

static UPCR_OF_PROCESS struct plugin *plugins;
static UPCR_OF_PROCESS pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* What the calling thread opens. */
static __thread struct plugin *expected;

struct plugin *
upcr_plugin_expect (struct plugin *plugin)
{
  struct plugin *before = expected;

  expected = plugin;
  return before;
}

static struct plugin *
make (const struct stat *status)
{
  struct plugin *plugin = calloc (1, sizeof *plugin);

  if (!plugin || !(plugin->names = calloc (THREADS, sizeof *plugin->names)))
    upcr_fatal ("dlopen: out of memory");
  plugin->dev = status->st_dev;
  plugin->ino = status->st_ino;
  plugin->next = plugins;
  plugins = plugin;
  return plugin;
}

struct plugin *
upcr_plugin_know (const struct stat *status)
{
  struct plugin *plugin;

  pthread_mutex_lock (&lock);
  plugin = plugins;
  while (plugin && (plugin->dev != status->st_dev || plugin->ino != status->st_ino))
    plugin = plugin->next;
  if (!plugin)
    plugin = make (status);
  pthread_mutex_unlock (&lock);
  return plugin;
}

const char *
upcr_plugin_name (struct plugin *plugin, const char *path, bool is_new)
{
  char **name = &plugin->names[MYTHREAD];

  pthread_mutex_lock (&lock);
  if (!*name && is_new)
    {
      *name = plugin->has_file ? upcr_plugin_copy (path) : strdup (path);
      plugin->has_file = true;
    }
  pthread_mutex_unlock (&lock);
  return *name;
}

void
upcr_plugins_end (void)
{
  for (struct plugin *plugin = plugins; plugin; plugin = plugin->next)
    if (plugin->offset)
      upcr_heap_free (upcr_pts_make (0, plugin->offset, 0), "dlopen");
}

static const char *
file_of (const void *address)
{
  Dl_info info;

  return dladdr (address, &info) && info.dli_fname ? info.dli_fname : "a plugin";
}

/* The calling UPC thread's plugin that ADDRESS is in. */
static const char *
find_plugin (const void *address, uintptr_t *base)
{
  struct link_map *map = NULL;
  Dl_info info;

  if (!dladdr1 (address, &info, (void **) &map, RTLD_DL_LINKMAP) || !map)
    return NULL;
  for (struct plugin *plugin = plugins; plugin; plugin = plugin->next)
    if (plugin->names[MYTHREAD] && strcmp (plugin->names[MYTHREAD], map->l_name) == 0)
      {
        *base = map->l_addr;
        return map->l_name;
      }
  return NULL;
}

/* A block of its own, filled with zeros in all partitions. */
static uint64_t
allocate_shared_data (size_t bytes)
{
  upcr_pts block = upcr_symmetric_alloc_for (THREADS, bytes, "dlopen");

  if (upcr_pts_is_null (block))
    upcr_fatal ("dlopen: no memory for %zu bytes of static shared data in each thread", bytes);
  for (int t = 0; t < THREADS; t++)
    memset (upcr_segment_address (t, upcr_pts_offset (block)), 0, bytes);
  return upcr_pts_offset (block);
}

void
upct_plugin_begin (const struct upcr_plugin_image *image)
{
  struct plugin *plugin = expected;
  size_t bytes = image->shared_end - image->shared_start;

  if (!plugin)
    upcr_fatal ("%s is a plugin of UPC programs: dlopen in the program's own code loads it",
                file_of (image));
  upcr_find_plugin = find_plugin;
  if (!plugin->has_begun && bytes > UPCR_NULL_BYTES)
    plugin->offset = allocate_shared_data (bytes);
  *image->mythread = MYTHREAD;
  *image->depth = upcr_forall_depth ();
  *image->image = image->shared_start - plugin->offset;
  *image->is_first = !plugin->has_begun;
  plugin->has_begun = true;
}
