/* V cycles of a multigrid for Poisson's equation in a cube, with planes dealt out: `mg CYCLES`. */

#include "nas.h"

/* Level L has N planes, with the boundary. */
#define LEVELS(LEVEL) \
  LEVEL (1, 4) LEVEL (2, 6) LEVEL (3, 10) LEVEL (4, 18) LEVEL (5, 34) LEVEL (6, 66) LEVEL (7, 130)

#define GRID(l, n) \
  static SHARED ((n) * (n)) double u##l[ROWS (n)][n][n], r##l[ROWS (n)][n][n], f##l[ROWS (n)][n][n];
LEVELS (GRID)

#define FOR_INSIDE(x, n) for (int x = 1; x < n - 1; x++)
#define AROUND(a)                                                                     \
  (a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k] + a[i][j][k - 1] \
   + a[i][j][k + 1])

#define WORK(l, n)                                                             \
  static void smooth##l (void)                                                 \
  {                                                                            \
    int i;                                                                     \
    FOR_EACH (i, 1, n - 1, u##l[i][0][0])                                      \
      FOR_INSIDE (j, n)                                                        \
        FOR_INSIDE (k, n)                                                      \
          u##l[i][j][k] += 0.13 * r##l[i][j][k] + 0.01 * AROUND (r##l);        \
    MEET;                                                                      \
  }                                                                            \
  static void find_residual##l (void)                                          \
  {                                                                            \
    int i;                                                                     \
    FOR_EACH (i, 1, n - 1, u##l[i][0][0])                                      \
      FOR_INSIDE (j, n)                                                        \
        FOR_INSIDE (k, n)                                                      \
          r##l[i][j][k] = f##l[i][j][k] - (6 * u##l[i][j][k] - AROUND (u##l)); \
    MEET;                                                                      \
  }
LEVELS (WORK)

#define BETWEEN(coarse, m, fine, n)                                                    \
  static void restrict##fine (void)                                                    \
  {                                                                                    \
    int i;                                                                             \
    FOR_EACH (i, 1, m - 1, f##coarse[i][0][0])                                         \
      FOR_INSIDE (j, m)                                                                \
        FOR_INSIDE (k, m)                                                              \
          {                                                                            \
            double sum = 0;                                                            \
            for (int c = 0; c < 8; c++)                                                \
              sum += r##fine[2 * i - (c & 1)][2 * j - (c >> 1 & 1)][2 * k - (c >> 2)]; \
            f##coarse[i][j][k] = r##coarse[i][j][k] = sum / 2;                         \
            u##coarse[i][j][k] = 0;                                                    \
          }                                                                            \
    MEET;                                                                              \
  }                                                                                    \
  static void prolong##fine (void)                                                     \
  {                                                                                    \
    int i;                                                                             \
    FOR_EACH (i, 1, n - 1, u##fine[i][0][0])                                           \
      FOR_INSIDE (j, m)                                                                \
        FOR_INSIDE (k, m)                                                              \
          {                                                                            \
            double c = u##coarse[(i + 1) / 2][j][k] / 2;                               \
            u##fine[i][2 * j - 1][2 * k - 1] += c;                                     \
            u##fine[i][2 * j - 1][2 * k] += c;                                         \
            u##fine[i][2 * j][2 * k - 1] += c;                                         \
            u##fine[i][2 * j][2 * k] += c;                                             \
          }                                                                            \
    MEET;                                                                              \
  }
BETWEEN (1, 4, 2, 6)
BETWEEN (2, 6, 3, 10)
BETWEEN (3, 10, 4, 18)
BETWEEN (4, 18, 5, 34)
BETWEEN (5, 34, 6, 66)
BETWEEN (6, 66, 7, 130)

static void
cycle (void)
{
  restrict7 ();
  restrict6 ();
  restrict5 ();
  restrict4 ();
  restrict3 ();
  restrict2 ();
  smooth1 ();
#define UP(l) (prolong##l (), find_residual##l (), smooth##l ())
  UP (2);
  UP (3);
  UP (4);
  UP (5);
  UP (6);
  UP (7);
  find_residual7 ();
}

static double
square_of_residual (void)
{
  double sum = 0;
  int i;

  FOR_EACH_ADDING (i, 1, 129, u7[i][0][0], sum)
    FOR_INSIDE (j, 130)
      FOR_INSIDE (k, 130)
        sum += r7[i][j][k] * r7[i][j][k];
  return TOTAL (sum);
}

int
main (int argc, char **argv)
{
  int cycles = argc > 1 ? atoi (argv[1]) : 1, i;
  double first, last;

  FOR_EACH (i, 1, 129, u7[i][0][0])
    FOR_INSIDE (j, 130)
      FOR_INSIDE (k, 130)
        f7[i][j][k] = (i * 7 + j * 13 + k * 29) % 97 == 0;
  MEET;
  find_residual7 ();
  first = square_of_residual ();
  while (cycles-- > 0)
    cycle ();
  last = square_of_residual ();
  if (!(last < first / 4))
    fprintf (stderr, "mg: the residual is %g, and was %g\n", last, first);
  return !(last < first / 4);
}
