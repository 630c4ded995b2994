/* The parts of cpus.c that tests call, with their own files. */

#ifndef UPCR_HOST_CPUS_H
#define UPCR_HOST_CPUS_H

/* The CPU quota of this process's cgroup and those above it, in CPUs rounded up,
   or 0 when there is none. CGROUPS is the list of cgroups (/proc/self/cgroup),
   MOUNT where the hierarchies are (/sys/fs/cgroup). */
int upcr_cgroup_quota (const char *cgroups, const char *mount);

#endif
