"""Plain C goes through token by token: what the grammar of gcc has, the project's own
sources, random programs."""

import glob
import re

import pytest

from support import ROOT

GRAMMAR = r'''
/* Attributes and asm. */
__attribute__ ((constructor)) static void begin (void) __asm__ ("begin_label") __attribute__ ((unused));
static void begin (void) { __asm__ volatile ("nop" : : : "memory"); }
extern int printf (const char *restrict format, ...) __attribute__ ((__format__ (__printf__, 1, 2)));
int aligned __attribute__ ((aligned (16), section ("here"))) = 3, *__attribute__ ((unused)) plain;
typedef int v4 __attribute__ ((vector_size (16)));
typedef unsigned int word __attribute__ ((mode (word)));
struct __attribute__ ((packed)) packed { char c; int i; } __attribute__ ((aligned (2)));
enum __attribute__ ((packed)) small { SMALL __attribute__ ((deprecated)) = 1, LARGE };
asm (".globl outside");
_Static_assert (sizeof (struct packed) == 6, "packed");
_Noreturn void never (void);
_Alignas (32) int wide;
_Thread_local int own;
_Atomic int count;
_Atomic (long) other;
int f (int n, int a[static n], int b[const restrict], int c[*], int (*d)[n]);

/* K&R, implicit int. */
old (a, b, p)
  char a;
  register b;
  struct packed *p;
{
  return a + b + p->i;
}
main_like () { return undeclared (3); }
static implicit;

/* Members. */
struct flex { int n; union { int x; float y; struct { char deep; }; }; unsigned : 0, bits : 3, : 4; int tail[]; };
struct empty { };
struct zero { int n[0]; };
union __attribute__ ((transparent_union)) either { int *i; float *f; };
struct flex *pointer;
struct list { struct list *next; int (*call) (struct list *, ...); int (*table[4]) (void); };

/* Initialisers. */
int values[] = { [2] = 5, 6, [7 ... 9] = 1, [0] = 2 };
struct { int a, b[3]; struct { int c; } d; } nested = { .b[1] = 3, 4, .d.c = 5, a: 1 };
char text[] = "abc" "def", wide_text[4] = { "abc" };
int *literal = (int[]) { 1, 2, 3 };
struct list chain = { &(struct list) { 0 }, 0, { 0 } };

static inline int
expressions (int a, int b)
{
  __label__ here;
  void *target = &&here;
  int c = a ?: b, array[a][b + 1];
  __auto_type d = 3.0L;
  __typeof__ (c) e = ({ int t = a; t + b; });
  typeof (int (*)[3]) q = 0;
  double _Complex z = 3.0 + 4.0i;
  v4 vector = { 1, 2, 3, 4 };
  __int128 large = (__int128) 1 << 100;
  _Float128 quad = 1.0f128;
  __builtin_va_list list;
  unsigned long long u = 0x1p4 + 0b101 + L'x' + 'ab' + u'c' + U'd';
  __extension__ union { int i; } cast;
  goto *target;
here:
  __real__ z = __imag__ z;
  vector = vector + vector[1] < 3;
  c = _Generic (a, int: 1, char *: 2, default: 3);
  c += __builtin_types_compatible_p (int, long) + __builtin_choose_expr (1, 2, "x");
  c -= __builtin_offsetof (struct flex, tail[3]) + sizeof (int[3]) + sizeof array + _Alignof (double);
  e = (c, d, a < b > 0 == 1 != 2 & 3 ^ 4 | 5 && 6 || 7 ? 8 : 9);
  c <<= 1, c >>= 2, c &= 3, c ^= 4, c |= 5, c %= 6, c /= 7, c *= 8;
  ++(int[]) { 1 }[0], --(int) { c };
  *&c = -+~!c-- - --c + c++ + ++c;
  int nested (int x) { return x + a; }
  (void) q, (void) large, (void) quad, (void) u, (void) e, (void) cast, (void) list;
  __asm__ goto ("" : : [in] "r" (c), "m" (*&c) : "cc" : here);
  switch (nested (c))
    {
    case 1 ... 5:
    case 7: label: __attribute__ ((unused));
      __attribute__ ((fallthrough));
    default:
      do { if (c) continue; else break; } while (0);
      for (int i = 0; i < 3; i++) ;
      for (;;) while (1) return (struct flex) { 1 }.n;
    }
}
typedef int T;
int shadow (T T) { int x = T; { typedef char T; T y = 3; x += sizeof (T) + y; } return x * T; }
int digraphs (void) <% int a<:3:> = <%1%>; return a<:0:>; %>
const char *names (void) { return __func__; }
int restricted (char *__restrict__ a, const volatile void *__restrict b);
void (*signal_like (int number, void (*handler) (int))) (int);
#pragma GCC diagnostic push
#pragma pack (1)
struct tight { char c; long l; };
#pragma pack ()
__extension__ _Static_assert (1, "here");
int forward (int n; int a[n][n], int n) { __extension__ _Static_assert (1, ""); return a[n - 1][0]; }
int behind_parenthesis (int (__attribute__ ((mode (SI))) int), int (__attribute__ ((unused)) n));
struct { int a, b[2]; } ranges[] = { [4 ... 6].b[0 ... 1] = 2 }, grid[][2][4] = { [2 ... 4][0 ... 1] = 1 };
int scopes (int x)
{
  if (sizeof (enum { T }))
    x = T;
  else
    while (x < sizeof (enum { x = 3 }) + T)
      ;
  T y = x;
  for (_Static_assert (1, ""); y; y--) ;
  do switch (sizeof (enum { T })) { } while (sizeof (enum { y }) == y);
  return y + (T) 1;
}
[[gnu::unused]] int a23 [[gnu::aligned (4)]], b23[3] [[maybe_unused]];
struct [[deprecated]] s23 { int m [[deprecated]]; };
int g23 (int x [[maybe_unused]])
{
  switch (x) { case 1: [[fallthrough]]; default: ; [[maybe_unused]] int y = b23[a23]; return y; }
}
void h23 [[]] (void);
int i23 [[]] [2] [[]] [3] [[]];
void j23 (int *[[]], int [[]] (int)) [[]]
{
  [[]] label: [[]] ; [[]] { [[]] goto label; } [[]] if (a23) [[]] a23 = 3; else [[]] return; [[]] asm ("");
}
int separated = 1'000'000 + 0x7f'ff + 0b1'0, utf8 = u8'a';
long long int unsigned order (void), long_double (long double);
'''


TOKEN = re.compile(r"""\d(?:[\w.']*\w)?|[uUL8]*"(?:\\.|[^"\\])*"|[uUL8]*'(?:\\.|[^'\\])*'|[\w$]+|\+\+|--|->|&&|\|\||<<=?|>>=?"""
                   r"""|[-+*/%&|^<>=!]=|[^\w\s]""")


def tokens(text):
    """The tokens of TEXT, without lines that begin with #, comments that cases are fallen
    into, and what says how it was translated and what it declares."""
    text = text.split("static const char __upc_program_info")[0].split('__asm__ (".pushsection upc_declared')[0]
    text = re.sub(r"/\*[^*]*\*/(?= (?:case|default)\b)", "", text)
    return TOKEN.findall("\n".join(line for line in text.splitlines() if not line.startswith("#")))


def pass_through(upct, path):
    """main is no plain function: the runtime calls it, so it gets another name here."""
    with open(path, errors="replace") as f:
        text = re.sub(r"\bmain\b", "main_of_c", f.read())
    source = upct.write("plain.i", text)
    result = upct.run([upct.tool("upc2c"), source, "-o", upct.path("out.i")])
    assert (result.returncode, result.stderr) == (0, ""), path
    with open(upct.path("out.i"), errors="replace") as out:
        assert tokens(out.read()) == tokens(text), f"{path} does not pass through"


def test_grammar(upct):
    source = upct.write("g.i", GRAMMAR)
    upct.check_output(["gcc", "-w", "-std=gnu2x", "-fsyntax-only", source])
    pass_through(upct, source)


@pytest.mark.sample(6)
@pytest.mark.parametrize("folder", ["runtime/*", "tools/upc2c", "privatize"])
def test_own_sources(upct, folder):
    packages = f"{ROOT}/build/packages/{upct.target}/usr/include"
    beside = [f"-I{packages}", f"-I{packages}/{upct.target}"] if upct.target else []
    # The engine on MPI needs a header that may not be there.
    for source in sorted(set(glob.glob(f"{ROOT}/{folder}/*.c")) - set(glob.glob(f"{ROOT}/runtime/net/mpi*.c"))):
        upct.check_output(["gcc", "-E", "-D_GNU_SOURCE", '-DUPCC_CC="cc"', '-DUPCC_SANITIZE=""', f"-I{ROOT}",
                           f"-I{ROOT}/include", *beside, source, "-o", upct.path("own.i")])
        with open(upct.path("own.i")) as own:
            upct.write("in.i", "#pragma upc c_code\n" + own.read())
        pass_through(upct, upct.path("in.i"))


@pytest.mark.parametrize("seed", range(5))
def test_random_programs(upct, seed):
    source = upct.write("r.c", upct.check_output(["csmith", "--seed", seed]))
    upct.check_output(["gcc", "-E", "-w", "-I/usr/include/csmith", source, "-o", upct.path("r.i")])
    pass_through(upct, upct.path("r.i"))


def test_keywords_of_upc_as_names_in_c(upct):
    source = upct.write("c.i", """# 1 "/usr/include/lib.h" 1 3 4
struct options { int shared; int strict[4], *relaxed; };
int open_shared (const char *name, int shared, int strict __attribute__ ((unused)), char relaxed[10]);
static inline int get (struct options *o, int shared) { return o->shared + shared * 2 + (strict_of (shared)); }
enum { shared, strict };
# 5 "/usr/include/upc_like.h" 3 4
extern shared void *alloc (unsigned long n);
shared [4] int *block; strict shared int *flag; int shared *p; relaxed shared [] char *c;
typedef shared struct lock lock_t;
# 1 "prog.upc" 2
#pragma upc c_code
int MYTHREAD_count, shared, strict (int relaxed);
void f (void)
{
#pragma upc upc_code
  shared int *q;
}
int THREADS;
#pragma upc upc_code
shared int *r;
""")
    assert upct.run([upct.tool("upc2c"), source, "-o", upct.path("out.i")]).stderr == "", "messages"
