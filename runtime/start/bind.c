/* Binds threads to cores, with hwloc.

   The library is opened only when it is needed. Linked into every program, it would add four
   shared libraries and their loading time to each start. */

#include "runtime/host/host.h"
#include "runtime/start/start.h"

#include <dlfcn.h>
#include <hwloc.h>

/* dlopen in glibc's archive. By its public name the linker would warn in each program linked with
   -static; upcc asks for this one there. */
extern void *__dlopen (const char *name, int flags) __attribute__ ((weak));

#define HWLOC_LIBRARY "libhwloc.so.15"

static struct
{
  __typeof__ (&hwloc_topology_init) topology_init;
  __typeof__ (&hwloc_topology_load) topology_load;
  __typeof__ (&hwloc_get_type_depth) get_type_depth;
  __typeof__ (&hwloc_get_nbobjs_by_depth) get_nbobjs_by_depth;
  __typeof__ (&hwloc_get_obj_by_depth) get_obj_by_depth;
  __typeof__ (&hwloc_set_cpubind) set_cpubind;
  __typeof__ (&hwloc_bitmap_isset) bitmap_isset;
} hwloc;

static hwloc_topology_t topology;
static int core_depth;
static int cores; /* 0: threads are not bound */

static void *
function (void *library, const char *name)
{
  void *f = dlsym (library, name);

  if (!f)
    upcr_usage_error ("UPC_BIND=core: %s lacks %s", HWLOC_LIBRARY, name);
  return f;
}

static void
open_library (void)
{
  __typeof__ (dlopen) *open = (__typeof__ (dlopen) *) dlsym (RTLD_DEFAULT, "dlopen");
  void *library;

  if (!open)
    open = __dlopen;
  if (!open)
    upcr_usage_error ("UPC_BIND=core: dlopen is missing; link with -u __dlopen");
  library = open (HWLOC_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    upcr_usage_error ("UPC_BIND=core needs hwloc (apt-get install libhwloc15): %s", dlerror ());
  hwloc.topology_init = function (library, "hwloc_topology_init");
  hwloc.topology_load = function (library, "hwloc_topology_load");
  hwloc.get_type_depth = function (library, "hwloc_get_type_depth");
  hwloc.get_nbobjs_by_depth = function (library, "hwloc_get_nbobjs_by_depth");
  hwloc.get_obj_by_depth = function (library, "hwloc_get_obj_by_depth");
  hwloc.set_cpubind = function (library, "hwloc_set_cpubind");
  hwloc.bitmap_isset = function (library, "hwloc_bitmap_isset");
}

void
upcr_bind_init (void)
{
  open_library ();
  if (hwloc.topology_init (&topology) || hwloc.topology_load (topology))
    upcr_usage_error ("UPC_BIND=core: hwloc cannot read this machine's topology");
  core_depth = hwloc.get_type_depth (topology, HWLOC_OBJ_CORE);
  if (core_depth < 0)
    core_depth = hwloc.get_type_depth (topology, HWLOC_OBJ_PU);
  cores = hwloc.get_nbobjs_by_depth (topology, core_depth);
  if (cores < 1)
    upcr_usage_error ("UPC_BIND=core: hwloc finds no core that this process may use");
}

void
upcr_bind_thread (int index)
{
  hwloc_obj_t core = hwloc.get_obj_by_depth (topology, core_depth, index % cores);

  if (hwloc.set_cpubind (topology, core->cpuset, HWLOC_CPUBIND_THREAD))
    upcr_warning ("UPC_BIND=core: cannot bind to core %u", core->logical_index);
}

void
upcr_bound_cpu (int index, int *core, int *numa_node)
{
  hwloc_obj_t its_core;
  int nodes;

  if (cores == 0)
    return;
  its_core = hwloc.get_obj_by_depth (topology, core_depth, index % cores);
  *core = its_core->logical_index;
  nodes = hwloc.get_nbobjs_by_depth (topology, HWLOC_TYPE_DEPTH_NUMANODE);
  for (int i = 0; i < nodes; i++)
    {
      hwloc_obj_t node = hwloc.get_obj_by_depth (topology, HWLOC_TYPE_DEPTH_NUMANODE, i);

      if (hwloc.bitmap_isset (its_core->nodeset, node->os_index))
        {
          *numa_node = node->logical_index;
          return;
        }
    }
}
