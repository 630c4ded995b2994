/* Where the components are, seen from the folder of this program:

     upc2c                    the translator from UPC to C
     upc-privatize            the tool that makes statics private
     ../lib/upct/             libupc.a, libupc-struct.a, the start files,
                              libgasp-trace.a, libgasp-trace-struct.a
     ../lib/upct/address/     libupc.a and libupc-struct.a for -fsanitize=address, with libupc-mpi.a and
                              libupc-struct-mpi.a; the first two also for thread
     ../lib/upct/shared/      libupc.a and upc-library.o for -shared
     ../lib/upct/aarch64-linux-gnu/   all of this, and upc-privatize, for --target
     ../lib/upct/upc-plugin.* what plugins have in their place
     ../lib/upct/libupc-mpi.a, libupc-struct-mpi.a, upc-engine-*.o, upc-network.refused,
                              libgasp-trace-mpi.a, libgasp-trace-struct-mpi.a
                              for -fupc-network
     ../share/gdb/auto-load/upct-gdb.py   the script for gdb, which programs name
     upc-trace                what makes the reports of traced programs, which these call
     ../include/upct/         the headers; ../../include in the source tree  */

#include "tools/upcc/upcc.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

static const char *
own_folder (void)
{
  char path[PATH_MAX];
  ssize_t length = readlink ("/proc/self/exe", path, sizeof path - 1);

  if (length < 0)
    fail ("cannot find where upcc is: /proc/self/exe: %m");
  path[length] = 0;
  return path_folder (arena_format ("%s", path));
}

static const char *
find_component (const char *folder, const char *name, int access_mode)
{
  const char *path = arena_format ("%s/%s", folder, name);

  if (access (path, access_mode) != 0)
    fail ("incomplete installation of UPCT: %s: %m", path);
  return path;
}

const char *
find_translator (void)
{
  return arena_format ("%s/upc2c", own_folder ());
}

const char *
find_headers (void)
{
  const char *bin = own_folder ();
  const char *installed = arena_format ("%s/include/upct", path_folder (bin));
  const char *in_place = arena_format ("%s/include", path_folder (path_folder (bin)));

  if (access (installed, R_OK) == 0)
    return installed;
  return access (in_place, R_OK) == 0 ? in_place : NULL;
}

const char *
find_library_folder (void)
{
  const char *lib = arena_format ("%s/lib/upct", path_folder (own_folder ()));

  return is_cross () ? arena_format ("%s/%s", lib, target_name ()) : lib;
}

/* The folder of libupc.a: another one for shared libraries, and for a sanitizer that needs it. */
static const char *
find_libraries (const struct options *options, const char *lib)
{
  const char *sanitizer = sanitizer_folder (options);
  const char *folder = arena_format ("%s/%s", lib, sanitizer);

  if (options->is_shared && !options->is_plugin)
    return arena_format ("%s/shared", lib);
  if (!*sanitizer)
    return lib;
  if (access (arena_format ("%s/libupc.a", folder), R_OK) != 0)
    fail ("'-fsanitize=%s': no libraries for it in %s; 'scons all' makes them", sanitizer, lib);
  return folder;
}

static void
check_target (const char *lib)
{
  if (is_cross () && access (arena_format ("%s/libupc.a", lib), R_OK) != 0)
    fail ("'--target=%s': no libraries for it in %s; 'scons all' makes them", target_name (),
          path_folder (lib));
}

void
find_layout (struct layout *layout, const struct options *options)
{
  const char *bin = own_folder ();
  const char *lib = find_library_folder ();
  const char *libraries;

  layout->include = find_headers ();
  layout->translate = find_translator ();
  if (options->mode != MODE_LINK)
    return;
  check_target (lib);
  layout->privatize = find_component (is_cross () ? lib : bin, "upc-privatize", X_OK);
  libraries = find_libraries (options, lib);
  if (options->has_network)
    {
      layout->engine = find_engine (lib);
      layout->refused = find_component (lib, "upc-network.refused", R_OK);
    }
  layout->library = find_component (libraries, options->has_network ? "libupc-mpi.a" : "libupc.a",
                                    R_OK);
  layout->far = find_component (lib, "upc-far.ld", R_OK);
  layout->collect = find_component (lib, "upc-gc.ld", R_OK);
  layout->race = find_component (lib, "upc-race.wrap", R_OK);
  layout->begin = find_component (lib, "upc-crtbegin.o", R_OK);
  layout->end = find_component (lib, "upc-crtend.o", R_OK);
  layout->plugin_names = find_component (lib, "upc-plugin.syms", R_OK);
  layout->plugin_words = find_component (lib, "upc-plugin.words", R_OK);
  if (options->is_plugin)
    layout->start = find_component (lib, "upc-plugin.o", R_OK);
  else if (options->is_shared)
    layout->start = find_component (libraries, "upc-library.o", R_OK);
  else
    layout->library_struct = find_component (
        libraries, options->has_network ? "libupc-struct-mpi.a" : "libupc-struct.a", R_OK);
  if (!options->is_shared)
    layout->threads = find_component (
        lib, options->is_static ? "upc-threads-static.o" : "upc-threads.o", R_OK);
  layout->script = arena_format ("%s/share/gdb/auto-load/upct-gdb.py", path_folder (bin));
  layout->reporter = arena_format ("%s/upc-trace", bin);
  if (!options->profile.trace)
    return;
  layout->trace = find_component (
      lib, options->has_network ? "libgasp-trace-mpi.a" : "libgasp-trace.a", R_OK);
  layout->trace_struct = find_component (
      lib, options->has_network ? "libgasp-trace-struct-mpi.a" : "libgasp-trace-struct.a", R_OK);
}
