/* The number of CPUs: affinity mask and cgroup quota.

   hwloc tells both and much more, but loading a topology takes 3.5 ms on a 2-CPU
   machine, more than a whole start may; so the count is read here, and hwloc is
   loaded only to bind threads (bind.c). */

#include "runtime/host/cpus.h"
#include "runtime/host/host.h"

#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
  PATH_BYTES = 1024,
  LINE_BYTES = 128,
  LIST_BYTES = 16384
};

static int
affinity_count (void)
{
  /* More CPUs than the kernel knows make sched_getaffinity fail with EINVAL when
     the set is too small: grow it. */
  for (int cpus = CPU_SETSIZE; cpus <= 1 << 20; cpus *= 2)
    {
      cpu_set_t *set = CPU_ALLOC (cpus);
      if (!set)
        return 1;
      size_t bytes = CPU_ALLOC_SIZE (cpus);
      int count = sched_getaffinity (0, bytes, set) == 0 ? CPU_COUNT_S (bytes, set) : 0;
      CPU_FREE (set);
      if (count > 0)
        return count;
    }
  return 1;
}

/* Reads PATH whole into TEXT, ends it with a zero; 0 when it cannot be read. Not
   with stdio, which would take a third of the start-up time of a small run. */
static int
read_file (const char *path, char *text, size_t bytes)
{
  int file = open (path, O_RDONLY | O_CLOEXEC);
  size_t length = 0;
  ssize_t got = -1;

  if (file < 0)
    return 0;
  while (length < bytes - 1 && (got = read (file, text + length, bytes - 1 - length)) > 0)
    length += got;
  close (file);
  text[length] = 0;
  return length > 0 && got >= 0;
}

static int
read_in_folder (const char *folder, const char *name, char *text)
{
  char path[PATH_BYTES + 64];

  snprintf (path, sizeof path, "%s/%s", folder, name);
  return read_file (path, text, LINE_BYTES);
}

/* QUOTA of PERIOD in CPUs, rounded up; 0: none. */
static int
cpus_of (long quota, long period)
{
  if (quota <= 0 || period <= 0)
    return 0;
  quota = (quota + period - 1) / period;
  return quota < INT_MAX ? quota : INT_MAX;
}

/* The quota that FOLDER itself sets, version 2 (cpu.max) or 1; 0: none. Anything that is
   not a number, such as "max", counts as 0. */
static int
folder_quota (const char *folder)
{
  char text[LINE_BYTES];
  char *end;
  long quota;

  if (read_in_folder (folder, "cpu.max", text))
    {
      quota = strtol (text, &end, 10);
      return cpus_of (quota, strtol (end, NULL, 10));
    }
  if (!read_in_folder (folder, "cpu.cfs_quota_us", text))
    return 0;
  quota = strtol (text, NULL, 10);
  if (quota <= 0 || !read_in_folder (folder, "cpu.cfs_period_us", text))
    return 0;
  return cpus_of (quota, strtol (text, NULL, 10));
}

/* The least quota of GROUP (a path below ROOT) and the groups above it. A process
   in a container reads its host's path, which does not exist inside: then only the root
   is found. */
static int
least_quota (const char *root, char *group)
{
  char folder[PATH_BYTES];
  int least = 0;

  for (;;)
    {
      if (snprintf (folder, sizeof folder, "%s%s", root, group) < PATH_BYTES)
        {
          int quota = folder_quota (folder);
          if (quota && (!least || quota < least))
            least = quota;
        }
      char *slash = strrchr (group, '/');
      if (!slash)
        return least;
      *slash = 0;
    }
}

/* One line of /proc/self/cgroup is `ID:CONTROLLERS:PATH`; no controllers: v2. */
static int
line_quota (char *line, const char *mount)
{
  char root[PATH_BYTES];
  char *controllers = strchr (line, ':');
  char *group = controllers ? strchr (controllers + 1, ':') : NULL;

  if (!group)
    return 0;
  *group++ = 0;
  controllers++;
  /* The root is looked at once, as "". */
  if (strcmp (group, "/") == 0)
    *group = 0;
  if (*controllers == 0)
    snprintf (root, sizeof root, "%s", mount);
  else if (strcmp (controllers, "cpu") == 0 || strncmp (controllers, "cpu,", 4) == 0
           || strstr (controllers, ",cpu,")
           || (strlen (controllers) > 4
               && !strcmp (controllers + strlen (controllers) - 4, ",cpu")))
    snprintf (root, sizeof root, "%s/%s", mount, controllers);
  else
    return 0;
  return least_quota (root, group);
}

int
upcr_cgroup_quota (const char *cgroups, const char *mount)
{
  char text[LIST_BYTES];
  char *rest = text, *line;
  int least = 0;

  if (!read_file (cgroups, text, sizeof text))
    return 0;
  while ((line = strsep (&rest, "\n")))
    {
      int quota = line_quota (line, mount);
      if (quota && (!least || quota < least))
        least = quota;
    }
  return least;
}

int
upcr_cgroup_quota_now (void)
{
  return upcr_cgroup_quota ("/proc/self/cgroup", "/sys/fs/cgroup");
}

int
upcr_cpu_count (void)
{
  int cpus = affinity_count ();
  int quota = upcr_cgroup_quota_now ();

  return quota && quota < cpus ? quota : cpus;
}

/* A thread always has one CPU, and a mask that is too small already needs no quota:
   so most runs of one thread, and those of many, open no file. */
int
upcr_cpu_count_for (int threads)
{
  int cpus = affinity_count ();

  return threads == 1 || threads > cpus ? cpus : upcr_cpu_count ();
}
