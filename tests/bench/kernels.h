/* The loops of kernels.upc, which includes this twice, for shared arrays and for private ones:

   NAME (X)                what X is called
   DATA                    `shared [BLOCK]`, or nothing
   EACH (I, FROM, TO, AT)  a loop of I over the elements that this thread has; AT is one
   OWNERS                  how many threads there are to deal arrays out to, or 1
   NEW (COUNT, ELEMENT)    memory for an array that is found by a pointer

   Arrays have names, or with POINTERS local pointers lead to them. */

struct NAME (arrays)
{
  DATA double *a, *b, *c;
  DATA double (*s)[COLUMNS], (*t)[COLUMNS], (*u)[COLUMNS];
  DATA double (*v)[LINES][COLUMNS], (*w)[LINES][COLUMNS];
  DATA long *h;
  DATA int *x;
};

#ifdef POINTERS
static struct NAME (arrays) NAME (found);

#define ARRAYS                                                                              \
  DATA double *a = NAME (found).a, *b = NAME (found).b, *c = NAME (found).c;                \
  DATA double (*s)[COLUMNS] = NAME (found).s, (*t)[COLUMNS] = NAME (found).t,               \
              (*u)[COLUMNS] = NAME (found).u;                                               \
  DATA double (*v)[LINES][COLUMNS] = NAME (found).v, (*w)[LINES][COLUMNS] = NAME (found).w; \
  DATA long *h = NAME (found).h;                                                            \
  DATA int *x = NAME (found).x;                                                             \
  (void) a, (void) b, (void) c, (void) s, (void) t, (void) u, (void) v, (void) w, (void) h, \
      (void) x;
#else
static DATA double NAME (a)[ELEMENTS * OWNERS], NAME (b)[ELEMENTS * OWNERS],
    NAME (c)[ELEMENTS * OWNERS];
static DATA double NAME (s)[ROWS * OWNERS][COLUMNS], NAME (t)[ROWS * OWNERS][COLUMNS],
    NAME (u)[ROWS * OWNERS][COLUMNS];
static DATA double NAME (v)[PLANES * OWNERS][LINES][COLUMNS],
    NAME (w)[PLANES * OWNERS][LINES][COLUMNS];
static DATA long NAME (h)[ELEMENTS * OWNERS];
static DATA int NAME (x)[ELEMENTS * OWNERS];

#define ARRAYS
#define a NAME (a)
#define b NAME (b)
#define c NAME (c)
#define s NAME (s)
#define t NAME (t)
#define u NAME (u)
#define v NAME (v)
#define w NAME (w)
#define h NAME (h)
#define x NAME (x)
#endif

/* Variables of each kernel. Sizes are no constants to the compiler. */
#define VARIABLES                                        \
  int i, j, k, n = elements, m = rows, planes_ = planes; \
  int by = three, last = (int) (7919l * (n - 1) % n);    \
  double sum = 0, scale = 3;                             \
  (void) i, (void) j, (void) k, (void) n, (void) m, (void) planes_, (void) by, (void) last, (void) scale;

#ifdef IN_ONE
/* All loops in one large function, beside what has nothing to do with them. */
static __attribute__ ((noinline)) void
NAME (all) (enum kernel kernel, long rounds)
{
  ARRAYS

  __asm__ volatile("" : : : "memory");
  if (rounds < 0)
    goto done;
again:
  switch (kernel)
    {
#define KERNEL(name, target, ...) \
  case kernel_##name:             \
    {                             \
      VARIABLES                   \
      {                           \
        __VA_ARGS__;              \
      }                           \
      bench_use (sum);            \
      break;                      \
    }
      KERNELS
#undef KERNEL
    case kernel_count:
      puts ("no kernel");
    }
  if (--rounds > 0)
    goto again;
done:
  __asm__ volatile("" : : : "memory");
}

#define KERNEL(name, target, ...)              \
  static void NAME (loop_##name) (long rounds) \
  {                                            \
    NAME (all) (kernel_##name, rounds);        \
  }
KERNELS
#undef KERNEL
#else
#define KERNEL(name, target, ...)                                         \
  static __attribute__ ((noinline)) void NAME (loop_##name) (long rounds) \
  {                                                                       \
    ARRAYS                                                                \
    while (rounds--)                                                      \
      {                                                                   \
        VARIABLES                                                         \
        {                                                                 \
          __VA_ARGS__;                                                    \
        }                                                                 \
        bench_use (sum);                                                  \
      }                                                                   \
  }
KERNELS
#undef KERNEL
#endif

static void
NAME (fill) (void)
{
  ARRAYS

  for (int i = 0; i < ELEMENTS * OWNERS; i++)
    {
      a[i] = b[i] = c[i] = i % 16;
      h[i] = 0;
      x[i] = (int) (7919l * i % ELEMENTS);
    }
  for (int i = 0; i < ROWS * OWNERS; i++)
    for (int j = 0; j < COLUMNS; j++)
      s[i][j] = t[i][j] = u[i][j] = 1;
  for (int i = 0; i < PLANES * OWNERS; i++)
    for (int j = 0; j < LINES; j++)
      for (int k = 0; k < COLUMNS; k++)
        v[i][j][k] = w[i][j][k] = 1;
}

/* All threads call it. */
static void
NAME (allocate) (void)
{
#ifdef POINTERS
  NAME (found).a = NEW (ELEMENTS, double);
  NAME (found).b = NEW (ELEMENTS, double);
  NAME (found).c = NEW (ELEMENTS, double);
  NAME (found).s = NEW (ROWS * COLUMNS, double);
  NAME (found).t = NEW (ROWS * COLUMNS, double);
  NAME (found).u = NEW (ROWS * COLUMNS, double);
  NAME (found).v = NEW (PLANES * LINES * COLUMNS, double);
  NAME (found).w = NEW (PLANES * LINES * COLUMNS, double);
  NAME (found).h = NEW (ELEMENTS, long);
  NAME (found).x = NEW (ELEMENTS, int);
#endif
}

#undef VARIABLES
#undef ARRAYS
#undef a
#undef b
#undef c
#undef s
#undef t
#undef u
#undef v
#undef w
#undef h
#undef x
