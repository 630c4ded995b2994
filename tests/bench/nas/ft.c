/* Fourier transforms of a matrix, there and back: `ft ROUNDS`. Rows, a transposition, rows. */

#include "nas.h"

enum
{
  N = 256
};

struct complex
{
  double re, im;
};

static SHARED (N) struct complex a[ROWS (N)][N], b[ROWS (N)][N];
static struct complex root[N];

static void
make_roots (void)
{
  for (int k = 0; k < N; k++)
    root[k] = (struct complex){ cos (2 * M_PI * k / N), sin (2 * M_PI * k / N) };
}

/* Decimation in frequency: the results' indexes have their bits reversed. DIRECTION is 1 or -1; back takes the
   steps the other way round. */
#define STEP(m, i, half, direction, is_back)                                            \
  for (int start = 0; start < N; start += 2 * half)                                     \
    for (int k = 0; k < half; k++)                                                      \
      {                                                                                 \
        struct complex w = root[k * (N / 2 / half)], x = m[i][start + k],               \
                       y = m[i][start + k + half], z;                                   \
                                                                                        \
        w.im *= direction;                                                              \
        if (is_back)                                                                    \
          y = (struct complex){ y.re * w.re - y.im * w.im, y.re * w.im + y.im * w.re }; \
        m[i][start + k] = (struct complex){ x.re + y.re, x.im + y.im };                 \
        z = (struct complex){ x.re - y.re, x.im - y.im };                               \
        if (!is_back)                                                                   \
          z = (struct complex){ z.re * w.re - z.im * w.im, z.re * w.im + z.im * w.re }; \
        m[i][start + k + half] = z;                                                     \
      }

#define TRANSFORMS(m)                             \
  static void there_##m (void)                    \
  {                                               \
    int i;                                        \
    FOR_EACH (i, 0, N, m[i][0])                   \
      for (int half = N / 2; half > 0; half /= 2) \
        STEP (m, i, half, 1, 0)                   \
    MEET;                                         \
  }                                               \
  static void back_##m (void)                     \
  {                                               \
    int i;                                        \
    FOR_EACH (i, 0, N, m[i][0])                   \
      for (int half = 1; half < N; half *= 2)     \
        STEP (m, i, half, -1, 1)                  \
    MEET;                                         \
  }
TRANSFORMS (a)
TRANSFORMS (b)

#define TRANSPOSE(to, from)         \
  do                                \
    {                               \
      int i;                        \
      FOR_EACH (i, 0, N, to[i][0])  \
        for (int j = 0; j < N; j++) \
          to[i][j] = from[j][i];    \
      MEET;                         \
    }                               \
  while (0)

static double
first_value (int i, int j)
{
  return (i * 31 + j * 17) % 101;
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 1, i;
  double scale = pow (1.0 / N / N, rounds), error = 0;

  make_roots ();
  FOR_EACH (i, 0, N, a[i][0])
    for (int j = 0; j < N; j++)
      a[i][j] = (struct complex){ first_value (i, j), 0 };
  MEET;
  for (int round = 0; round < rounds; round++)
    {
      there_a ();
      TRANSPOSE (b, a);
      there_b ();
      back_b ();
      TRANSPOSE (a, b);
      back_a ();
    }
  FOR_EACH_ADDING (i, 0, N, a[i][0], error)
    for (int j = 0; j < N; j++)
      error += fabs (a[i][j].re * scale - first_value (i, j));
  error = TOTAL (error);
  if (!(error < 1e-3))
    fprintf (stderr, "ft: the error is %g\n", error);
  return !(error < 1e-3);
}
