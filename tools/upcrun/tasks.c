/* /proc/PID/task: state, CPU and times of each thread. */

#include "tools/upcrun/top.h"

#include "tools/common/common.h"

#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t
read_file (const char *path, char *text, size_t size)
{
  FILE *file = fopen (path, "re");
  size_t length = file ? fread (text, 1, size - 1, file) : 0;

  if (file)
    fclose (file);
  text[length] = 0;
  return length;
}

/* The text of a file of the thread, or NULL: it has ended. */
static const char *
read_text (pid_t process, const char *id, const char *name)
{
  static char text[1024];
  char path[PATH_MAX];

  snprintf (path, sizeof path, "/proc/%d/task/%s/%s", (int) process, id, name);
  return read_file (path, text, sizeof text) ? text : NULL;
}

/* The initial thread is UPC thread 0, and the runtime names the others (runtime/start/threads.c). The
   name stands in parentheses, and may have some in it. */
static bool
parse_stat (struct task *task, pid_t process, const char *text)
{
  const char *name = strchr (text, '('), *end = strrchr (text, ')');
  char *rest;

  if (!name || !end)
    return false;
  task->thread = task->id == process ? 0 : -1;
  if (task->thread != 0 && starts_with (name, "(upc "))
    {
      long number = strtol (name + strlen ("(upc "), &rest, 10);

      task->thread = rest == end ? (int) number : -1;
    }
  /* The state is field 3, the CPU field 39. */
  task->state = end[1] ? end[2] : '?';
  for (int field = 2; field < 39 && end; field++)
    end = strchr (end + 1, ' ');
  task->cpu = end ? atoi (end + 1) : -1;
  return true;
}

static bool
read_task (struct task *task, pid_t process, const char *id)
{
  const char *text = read_text (process, id, "stat");

  task->id = atoi (id);
  if (!text || !parse_stat (task, process, text))
    return false;
  text = read_text (process, id, "schedstat");
  return text && sscanf (text, "%" SCNu64 " %" SCNu64, &task->run_ns, &task->queue_ns) == 2;
}

static int
compare_tasks (const void *a, const void *b)
{
  const struct task *x = a, *y = b;
  unsigned p = (unsigned) x->thread, q = (unsigned) y->thread;

  return p != q ? (p > q) - (p < q) : (x->id > y->id) - (x->id < y->id);
}

size_t
read_tasks (pid_t process, const struct task **tasks)
{
  static struct task *list;
  static size_t capacity;
  char path[64];
  DIR *folder;
  size_t count = 0;

  snprintf (path, sizeof path, "/proc/%d/task", (int) process);
  folder = opendir (path);
  for (const struct dirent *entry; folder && (entry = readdir (folder));)
    {
      list = arena_grow (list, count + 1, &capacity, sizeof *list);
      if (entry->d_name[0] != '.' && read_task (&list[count], process, entry->d_name))
        count++;
    }
  if (folder)
    closedir (folder);
  if (count)
    qsort (list, count, sizeof *list, compare_tasks);
  *tasks = list;
  return count;
}
