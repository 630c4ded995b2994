"""The records of static shared objects (include/upct/objects.h)."""

import pytest

SOURCE = """#include <upc.h>
#define N 100000
shared [4] int a[16*THREADS];
shared [4] int a[16*THREADS];
static shared double x, y = 3;
extern shared [] char far_away[N];
shared [] char far_away[N];
struct pair { int a, b; };
typedef struct pair row[4];
shared row t[3*THREADS] __attribute__ ((aligned (64)));
extern shared int elsewhere;
shared struct pair *shared q;
extern int list (void);
int main (void)
{
  static shared [*] int mine[5*THREADS];
  x = 1, y = 2, mine[MYTHREAD] = 3, t[1][2].b = 4, far_away[N - 1] = 5, a[0] = 6;
  return list ();
}
"""

LIST = """#include <upct/objects.h>
#include <stdio.h>
#include <string.h>
extern const struct __upc_object __start_upc_objects[], __stop_upc_objects[];
int list (void)
{
  for (const struct __upc_object *o = __start_upc_objects; o < __stop_upc_objects; o++)
    {
      const char *file = o->__text + strlen (o->__text) + 1, *name = file + strlen (file) + 1;
      printf ("%s:%u %s | %s%s | %lu%s of %lu, block %lu, %s%s\\n", file, o->__line, o->__text, name,
              name + strlen (name) + 1, o->__count, o->__times_threads ? "*THREADS" : "", o->__bytes,
              o->__block, o->__room >= o->__bytes * o->__count + 16 ? "red zone" : "no red zone",
              o->__image ? "" : ", nowhere");
    }
  return 0;
}
"""

RECORDS = """p.upc:10 shared struct pair t[3*THREADS][4] | t[3*THREADS][4] | 12*THREADS of 8, block 1
p.upc:12 shared struct pair *shared q | q | 1 of 8, block 1
p.upc:16 shared [5] int mine[5*THREADS] | mine[5*THREADS] | 5*THREADS of 4, block 5
p.upc:3 shared [4] int a[16*THREADS] | a[16*THREADS] | 16*THREADS of 4, block 4
p.upc:4 shared [4] int a[16*THREADS] | a[16*THREADS] | 16*THREADS of 4, block 4
p.upc:5 shared double x | x | 1 of 8, block 1
p.upc:5 shared double y | y | 1 of 8, block 1
p.upc:7 shared [] char far_away[100000] | far_away[100000] | 100000 of 1, block 0"""


@pytest.mark.parametrize("switch", ["-O2", "-D__UPC_CHECK__"])
def test_records(upct, switch):
    source, helper = upct.write("p.upc", SOURCE), upct.write("list.c", LIST)
    red = switch == "-D__UPC_CHECK__" or "address" in upct.sanitizers
    zone = ", red zone" if red else ", no red zone"
    upct.check_output([upct.tool("upcc"), switch, "-Wall", "-Werror", source.split("/")[-1], helper, "-o", "p"],
                      cwd=upct.folder)
    result = upct.run([upct.path("p")], THREADS=1)
    assert (result.stderr, result.returncode) == ("", 0)
    assert sorted(result.stdout.splitlines()) == [line + zone for line in RECORDS.splitlines()]
