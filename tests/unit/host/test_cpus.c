/* CPU quotas of cgroups, version 1 and 2, from file trees made here. */

#include "runtime/host/cpus.h"
#include "runtime/host/host.h"
#include "tests/unit/child.h"

#include <sched.h>
#include <string.h>
#include <sys/stat.h>

enum
{
  PATH_BYTES = 512,
  DEEP = 600
};

static char root[64];

static void
write_file (const char *path, const char *text)
{
  FILE *f = fopen (path, "w");

  assert_non_null (f);
  fputs (text, f);
  fclose (f);
}

/* Makes ROOT/PATH with its folders. */
static void
put (const char *path, const char *text)
{
  char full[PATH_BYTES];

  snprintf (full, sizeof full, "%s/%s", root, path);
  for (char *s = full + strlen (root) + 1; (s = strchr (s, '/')); s++)
    {
      *s = 0;
      mkdir (full, 0700);
      *s = '/';
    }
  write_file (full, text);
}

/* The quota where /proc/self/cgroup says CGROUPS. */
static int
quota (const char *cgroups)
{
  char list[PATH_BYTES], mount[PATH_BYTES];

  put ("cgroup", cgroups);
  snprintf (list, sizeof list, "%s/cgroup", root);
  snprintf (mount, sizeof mount, "%s/mount", root);
  return upcr_cgroup_quota (list, mount);
}

static int
make_tree (void **state)
{
  (void) state;
  strcpy (root, "/tmp/upct-cpus-XXXXXX");
  return mkdtemp (root) ? 0 : -1;
}

static int
remove_tree (void **state)
{
  char command[PATH_BYTES];

  (void) state;
  snprintf (command, sizeof command, "rm -rf %s", root);
  return system (command);
}

static void
test_version_2 (void **state)
{
  (void) state;
  put ("mount/a/cpu.max", "150000 100000\n");
  assert_int_equal (quota ("0::/a\n"), 2);
  put ("mount/a/cpu.max", "200000 100000\n");
  assert_int_equal (quota ("0::/a\n"), 2);
  put ("mount/a/cpu.max", "200001 100000\n");
  assert_int_equal (quota ("0::/a\n"), 3);
  put ("mount/a/cpu.max", "1000 100000\n");
  assert_int_equal (quota ("0::/a\n"), 1);
  put ("mount/a/cpu.max", "max 100000\n");
  assert_int_equal (quota ("0::/a\n"), 0);
}

static void
test_least_of_nested_groups (void **state)
{
  (void) state;
  put ("mount/a/cpu.max", "200000 100000\n");
  put ("mount/a/b/cpu.max", "800000 100000\n");
  put ("mount/a/b/c/cpu.max", "max 100000\n");
  assert_int_equal (quota ("0::/a/b/c\n"), 2);
  put ("mount/a/b/cpu.max", "100000 100000\n");
  assert_int_equal (quota ("0::/a/b/c\n"), 1);
  /* b without a file of its own: the controller is not enabled there. */
  assert_int_equal (quota ("0::/a/x/y\n"), 2);
}

/* A container sees the host's path of its group, but has its group as the root. */
static void
test_container (void **state)
{
  (void) state;
  put ("mount/cpu.max", "300000 100000\n");
  assert_int_equal (quota ("0::/docker/0123456789abcdef\n"), 3);
  assert_int_equal (quota ("0::/\n"), 3);
  assert_int_equal (quota ("0::/../../other\n"), 3);
}

static void
test_version_1 (void **state)
{
  (void) state;
  put ("mount/cpu,cpuacct/job/cpu.cfs_quota_us", "250000\n");
  put ("mount/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  assert_int_equal (quota ("4:memory:/job\n3:cpu,cpuacct:/job\n1:name=systemd:/job\n"), 3);
  assert_int_equal (quota ("3:cpuacct:/job\n"), 0);
  assert_int_equal (quota ("3:cpuset:/job\n"), 0);
  put ("mount/cpu,cpuacct/job/cpu.cfs_quota_us", "-1\n");
  assert_int_equal (quota ("3:cpu,cpuacct:/job\n"), 0);
}

static void
test_version_1_controller_lists (void **state)
{
  static const char *const lists[] = { "cpu", "cpuacct,cpu", "cpuset,cpu,cpuacct" };

  (void) state;
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
    {
      char path[PATH_BYTES], line[PATH_BYTES];

      snprintf (path, sizeof path, "mount/%s/cpu.cfs_quota_us", lists[i]);
      put (path, "400000\n");
      snprintf (path, sizeof path, "mount/%s/cpu.cfs_period_us", lists[i]);
      put (path, "100000\n");
      snprintf (line, sizeof line, "2:%s:/job\n", lists[i]);
      assert_int_equal (quota (line), 4);
    }
}

/* Both versions are mounted on many systems: the least counts. */
static void
test_both_versions (void **state)
{
  (void) state;
  put ("mount/cpu/job/cpu.cfs_quota_us", "500000\n");
  put ("mount/cpu/job/cpu.cfs_period_us", "100000\n");
  put ("mount/job/cpu.max", "600000 100000\n");
  assert_int_equal (quota ("5:cpu:/job\n0::/job\n"), 5);
  assert_int_equal (quota ("0::/job\n5:cpu:/job\n"), 5);
}

static void
test_nonsense_is_no_quota (void **state)
{
  char deep[DEEP * 4];

  (void) state;
  put ("mount/a/cpu.max", "\n");
  assert_int_equal (quota ("0::/a\n"), 0);
  put ("mount/a/cpu.max", "100000\n");
  assert_int_equal (quota ("0::/a\n"), 0);
  put ("mount/a/cpu.max", "100000 0\n");
  assert_int_equal (quota ("0::/a\n"), 0);
  put ("mount/a/cpu.max", "");
  assert_int_equal (quota ("0::/a\n"), 0);
  assert_int_equal (quota (""), 0);
  assert_int_equal (quota ("no colons\n"), 0);
  assert_int_equal (quota ("0:\n"), 0);
  assert_int_equal (upcr_cgroup_quota ("/no/such/file", root), 0);
  /* Longer than any path that is looked at. */
  strcpy (deep, "0::");
  while (strlen (deep) < DEEP * 3)
    strcat (deep, "/a");
  assert_int_equal (quota (deep), 0);
}

static void
count_on_one_cpu (const void *unused)
{
  cpu_set_t set;
  int cpu = 0;

  (void) unused;
  sched_getaffinity (0, sizeof set, &set);
  while (!CPU_ISSET (cpu, &set))
    cpu++;
  CPU_ZERO (&set);
  CPU_SET (cpu, &set);
  sched_setaffinity (0, sizeof set, &set);
  printf ("%d", upcr_cpu_count ());
}

static void
test_affinity_counts (void **state)
{
  cpu_set_t set;

  (void) state;
  expect_child (count_on_one_cpu, NULL, 0, "1");
  assert_int_equal (sched_getaffinity (0, sizeof set, &set), 0);
  assert_in_range (upcr_cpu_count (), 1, CPU_COUNT (&set));
}

int
main (void)
{
#define IN_TREE(test) cmocka_unit_test_setup_teardown (test, make_tree, remove_tree)
  const struct CMUnitTest tests[] = {
    IN_TREE (test_version_2),
    IN_TREE (test_least_of_nested_groups),
    IN_TREE (test_container),
    IN_TREE (test_version_1),
    IN_TREE (test_version_1_controller_lists),
    IN_TREE (test_both_versions),
    IN_TREE (test_nonsense_is_no_quota),
    cmocka_unit_test (test_affinity_counts),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
