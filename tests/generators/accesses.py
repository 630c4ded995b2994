"""Random UPC programs, each with a plain-array model of its shared data in itself.

Every thread runs the same operations on its private model; thread 0 alone does them
on the shared arrays too, and compares what it reads. After a barrier all threads
compare all elements. upc_forall loops are checked by who did which iteration."""

import random

ELEMENTS = [
    # type, how element E is set to value V, what it reads as
    ("char", "E = V", "E", "(char) (V)"),
    ("unsigned short", "E = V", "E", "(unsigned short) (V)"),
    ("int", "E = V", "E", "(V)"),
    ("long", "E = V", "E", "(V)"),
    ("double", "E = V", "E", "(V)"),
    ("float", "E = V", "E", "(V)"),
    ("long double", "E = V", "E", "(V)"),
    ("struct triple", "E.c[1] = V", "E.c[1]", "(char) (V)"),
    ("struct pair", "E.value = V", "E.value", "(V)"),
    ("struct bits", "E.b = V", "E.b", "((V) & 31)"),
    ("struct deep", "E.in[1].s[2] = V", "E.in[1].s[2]", "(short) (V)"),
    ("union both", "E.i = V", "E.i", "(V)"),
    ("double _Complex", "E = V", "__real__ (E)", "(V)"),
    ("long double _Complex", "__imag__ E = V", "__imag__ (E)", "(V)"),
    ("struct wide", "E.w = V", "E.w", "(V)"),
    ("struct tight", "E.s = (V) % 60", "E.s", "((V) % 60)"),
    ("struct links", "E.n = V", "E.n", "(V)"),
    ("_Bool", "E = (V)", "E", "((V) != 0)"),
]

PROLOGUE = """#include <upc_relaxed.h>
#include <stdio.h>
#define MOST 16
struct triple { char c[3]; };
struct pair { char key; double value; };
struct bits { unsigned a : 3, b : 5, c : 20; };
struct deep { char tag; struct { short s[3]; } in[2]; };
union both { char c; int i; };
struct wide { long double w; char c; };
struct tight { char a; signed s : 7; unsigned long long r : 41; } __attribute__ ((packed));
struct links { shared int *p; short n; shared [] struct links *next; };
static int errors;
#define CHECK(e) ((e) ? 0 : errors++ < 5 ? printf ("line %d, thread %d of %d: %s\\n", __LINE__, MYTHREAD, THREADS, #e) : 0)
static long mod (long a, long b) { return (a % b + b) % b; }
static long floor_of (long a, long b) { return (a - mod (a, b)) / b; }
"""


class Array:
    def __init__(self, rng, number):
        self.name = f"a{number}"
        self.type, self.set, self.get, self.value = rng.choice(ELEMENTS)
        self.indefinite = rng.random() < 0.15
        dims = [rng.randint(1, 6) for _ in range(rng.choice((1, 1, 1, 2, 2, 3)))]
        if len(dims) == 1:
            dims[0] = rng.randint(5, 40)
        self.spread = None if self.indefinite else rng.randrange(len(dims))
        self.dims = dims
        count = 1
        for d in dims:
            count *= d
        self.count = count
        self.block = 0 if self.indefinite else rng.choice(
            (1, 1, 1, 2, 3, 4, 5, 7, 8, 16, rng.randint(1, 50)))
        self.layout = "[]" if self.indefinite else rng.choice(
            (f"[{self.block}]", f"[{self.block}]", "" if self.block == 1 else f"[{self.block}]"))
        if not self.indefinite and rng.random() < 0.1:
            self.layout, self.block = "[*]", count
        self.fixed = f"[{self.block}]" if not self.indefinite else "[]"

    def total(self):
        return str(self.count) if self.indefinite else f"({self.count} * THREADS)"

    def declaration(self):
        dims = "".join(f"[{d} * THREADS]" if i == self.spread else f"[{d}]"
                       for i, d in enumerate(self.dims))
        return f"shared {self.layout} {self.type} {self.name}{dims};"

    def model(self):
        factor = "" if self.indefinite else " * MOST"
        return f"static double m_{self.name}[{self.count}{factor}];"

    def element(self, linear):
        """The C text of the element whose linear index is the expression LINEAR."""
        text, rest = self.name, linear
        sizes = [f"({d} * THREADS)" if i == self.spread else str(d) for i, d in enumerate(self.dims)]
        for i in range(len(self.dims)):
            inner = " * ".join(sizes[i + 1:]) or "1"
            index = f"({rest}) / ({inner})"
            text += f"[{index} % {sizes[i]}]" if i else f"[{index}]"
        return text

    def assign(self, element, value):
        return self.set.replace("E", element, 1).replace("V", value)

    def read(self, element):
        return self.get.replace("E", element, 1)

    def thread(self, linear):
        return "0" if self.indefinite else f"mod (floor_of ({linear}, {self.block}), THREADS)"

    def phase(self, linear):
        return "0" if self.indefinite else f"mod ({linear}, {self.block})"


class Program:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.lines = []
        self.arrays = [Array(self.rng, i) for i in range(4)]

    def put(self, text):
        self.lines.append("  " + text)

    def value(self):
        return str(self.rng.randint(-100, 100))

    def inside(self, array):
        """A C expression that is an index of ARRAY at every THREADS."""
        total = array.total()
        return self.rng.choice((
            str(self.rng.randrange(array.count)),
            f"({total} - 1 - {self.rng.randrange(array.count)})",
            f"({self.rng.randint(0, 1000)} % {total})",
            f"(n % {total})"))

    def store(self, array, element, linear):
        value = self.value()
        self.put(f"m_{array.name}[{linear}] = {array.value.replace('V', value)};")
        self.put(f"if (!MYTHREAD) {array.assign(element, value)};")

    def compare(self, array, element, linear):
        self.put(f"if (!MYTHREAD) CHECK ({array.read(element)} == m_{array.name}[{linear}]);")

    def by_index(self, array):
        linear = self.inside(array)
        element = array.element(linear)
        self.store(array, element, linear)
        self.compare(array, element, linear)
        self.put(f"CHECK (upc_threadof (&{element}) == {array.thread(linear)});")
        self.put(f"CHECK (upc_phaseof (&{element}) == {array.phase(linear)});")

    def update(self, array):
        if array.type not in ("int", "long", "double", "long double", "double _Complex"):
            return
        linear = self.inside(array)
        element = array.element(linear)
        value = self.rng.randint(1, 9)
        operator = self.rng.choice(("+=", "-=", "*="))
        self.put(f"m_{array.name}[{linear}] {operator} {value};")
        self.put(f"if (!MYTHREAD) {element} {operator} {value};")
        if self.rng.random() < 0.5:
            self.put(f"m_{array.name}[{linear}]++;")
            self.put(f"if (!MYTHREAD) {self.rng.choice(('++E', 'E++')).replace('E', element)};")
        self.put(f"if (m_{array.name}[{linear}] > 1e6 || m_{array.name}[{linear}] < -1e6)"
                 f" {{ m_{array.name}[{linear}] = 1; if (!MYTHREAD) {element} = 1; }}")

    def walk(self, array):
        """A pointer and its linear index, moved about together."""
        rng = self.rng
        pointer = f"shared {array.fixed} {array.type} *"
        first = "&" + array.name + "[0]" * len(array.dims)
        self.put("{")
        self.put(f"  {pointer}p = {first}, *q; shared void *v; long i = 0, j; (void) j;")
        for _ in range(rng.randint(3, 9)):
            move = rng.randrange(9)
            if move == 0:
                self.put("  p++; i++;")
            elif move == 1:
                self.put("  --p; i--;")
            elif move == 2:
                k = rng.randint(-200, 200)
                self.put(f"  p += {k}; i += {k};")
            elif move == 3:
                k = rng.randint(-200, 200)
                self.put(f"  p = p - {k}; i -= {k};")
            elif move == 4:
                linear = self.inside(array)
                self.put(f"  p = &{array.element(linear)}; i = {linear};")
            elif move == 5:
                self.put("  v = p; p = v;" if array.block != 1 or rng.random() < 0.5 else
                         "  v = (shared void *) p; p = (" + pointer + ") v;")
            elif move == 6:
                self.put("  q = p++; CHECK (p - q == 1 && q == p - 1 && p > q); p = q;")
            elif move == 7:
                k = rng.randint(-300, 300)
                self.put(f"  q = p + {k}; CHECK (q - {k} == p && (q == p) == {int(k == 0)});")
            else:
                self.put("  p--; p += 2; p--;")
            self.put(f"  CHECK (upc_threadof (p) == {array.thread('i')}"
                     f" && upc_phaseof (p) == {array.phase('i')});")
        self.put(f"  j = mod (i, {array.total()});")
        self.put(f"  p += j - i; i = j;")
        self.put(f"  CHECK (p - ({first}) == i && p == {first} + i);")
        value = self.value()
        self.put(f"  m_{array.name}[i] = {array.value.replace('V', value)};")
        self.put(f"  if (!MYTHREAD) {array.assign('(*p)', value)};")
        linear = self.inside(array)
        self.put(f"  j = {linear};")
        self.put(f"  if (!MYTHREAD) CHECK ({array.read('p[j - i]')} == m_{array.name}[j]);")
        if array.get.startswith("E.") and array.get.count("(") == 0:
            self.put(f"  if (!MYTHREAD) CHECK (p{array.get[1:].replace('.', '->', 1)} == m_{array.name}[i]);")
        self.put("}")

    def copy(self, array):
        if array.type.startswith(("_Bool", "char")):
            return
        a, b = self.inside(array), self.inside(array)
        self.put(f"m_{array.name}[{b}] = m_{array.name}[{a}];")
        if self.rng.random() < 0.5:
            self.put(f"if (!MYTHREAD) {array.element(b)} = {array.element(a)};")
        else:
            self.put(f"{{ {array.type} t; if (!MYTHREAD) {{ t = {array.element(a)};"
                     f" {array.element(b)} = t; }} }}")

    def bits(self, array):
        """Every operator that stores, on bit-fields beside others."""
        field, low, size = {"struct bits": ("b", 0, 32), "struct tight": ("s", -64, 128)}.get(
            array.type, (None, 0, 0))
        if not field:
            return
        linear = self.inside(array)
        element = array.element(linear)
        model = f"m_{array.name}[{linear}]"
        kind = self.rng.randrange(4)
        value = self.rng.randint(1, 15)
        if kind == 0:
            change, done = f"{element}.{field} += {value}", f"{model} + {value}"
        elif kind == 1:
            change, done = f"{element}.{field} -= {value}", f"{model} - {value}"
        elif kind == 2:
            change, done = f"{element}.{field}++", f"{model} + 1"
        else:
            change, done = f"--{element}.{field}", f"{model} - 1"
        self.put(f"{model} = mod ((long) ({done}) - ({low}), {size}) + ({low});")
        self.put(f"if (!MYTHREAD) {{ {change}; CHECK ({element}.{field} == {model}); }}")

    def recast(self, array):
        """Through pointers of other block sizes, and back: the address stays, the phase
        becomes 0 or what it was."""
        rng = self.rng
        linear = self.inside(array)
        other = rng.choice(("[]", "[1]", "[2]", "[3]", "[7]", "[40]"))
        self.put("{")
        self.put(f"  shared {array.fixed} {array.type} *p = &{array.element(linear)};")
        self.put(f"  shared {other} {array.type} *q = (shared {other} {array.type} *) p;")
        same = other == array.fixed
        self.put("  CHECK (upc_threadof (q) == upc_threadof (p) && upc_addrfield (q) == upc_addrfield (p)"
                 f" && upc_phaseof (q) == {'upc_phaseof (p)' if same else 0});")
        self.put(f"  CHECK ((shared void *) q == (shared void *) p && !((shared void *) q != (shared void *) p));")
        step = rng.randint(-30, 30)
        if other != "[]":
            block = int(other[1:-1])
            phase = "upc_phaseof (p)" if same else "0"
            self.put(f"  q += {step};")
            self.put(f"  CHECK (upc_phaseof (q) == mod ((long) {phase} + ({step}), {block}) && upc_threadof (q)"
                     f" == mod ((long) upc_threadof (p) + floor_of ((long) {phase} + ({step}), {block}), THREADS));")
            self.put(f"  CHECK (q - (q - ({step})) == {step} && (q < q + 1) && q - {step} <= q - {step});")
        else:
            self.put(f"  q += {step}; CHECK (upc_threadof (q) == upc_threadof (p) && q - ({step})"
                     f" == (shared [] {array.type} *) p);")
        self.put("}")

    def by_function(self, array):
        """Through functions: a parameter, a result, a pointer to a function."""
        linear = self.inside(array)
        self.put(f"if (!MYTHREAD) {{ {array.type} t = pass_{array.name} (&{array.element(linear)}, 0, THREADS);")
        self.put(f"  CHECK ({array.read('t')} == m_{array.name}[{linear}]); }}")
        step = self.rng.randint(-40, 40)
        self.put(f"CHECK (step_{array.name} (&{array.element(linear)}, {step})"
                 f" == &{array.element(linear)} + {step});")

    def functions(self, array):
        pointer = f"shared {array.fixed} {array.type} *"
        return (f"static {array.type} pass_{array.name} (shared {array.fixed} {array.type} a[], int k, int unused)"
                f" {{ return a[k + unused - unused]; }}\n"
                f"static {pointer}walk_{array.name} ({pointer}p, long n) {{ return p + n; }}\n"
                f"static {pointer}(*step_{array.name}) ({pointer}, long) = walk_{array.name};\n"
                f"static {pointer}file_{array.name} = &{array.name}{'[0]' * len(array.dims)} + {array.count // 2};\n"
                f"static struct {{ int n; {pointer}p; }} held_{array.name}[2] = {{ {{ 1, 0 }},"
                f" {{ 2, &{array.name}{'[0]' * len(array.dims)} }} }};\n")

    def file_scope(self, array):
        first = "&" + array.name + "[0]" * len(array.dims)
        self.put(f"CHECK (file_{array.name} - ({first}) == {array.count // 2} && !held_{array.name}[0].p"
                 f" && held_{array.name}[1].p == {first} && held_{array.name}[1].n == 2);")

    def forall(self, number):
        rng = self.rng
        array = rng.choice([a for a in self.arrays if len(a.dims) == 1])
        low, shift = rng.randint(0, 4), rng.randint(-3, 3)
        if low + shift < 0:
            shift = -low
        high = f"{array.total()} - {max(shift, 0)}"
        kind = rng.randrange(6)
        if kind == 0:
            affinity, thread = f"&{array.name}[i + {shift}]", array.thread(f"i + {shift}")
        elif kind == 1:
            affinity, thread = f"{array.name} + i", array.thread("i")
        elif kind == 2:
            affinity, thread = f"i + {shift}", f"(i + {shift}) % THREADS"
        elif kind == 3:
            affinity, thread = "2 * i", "2 * i % THREADS"
        elif kind == 4:
            affinity, thread = f"&{array.name}[i]", array.thread("i")
        else:
            affinity, thread = "i / 3", "i / 3 % THREADS"
        counter = rng.choice(("int", "long", "unsigned", "size_t", "short"))
        condition = rng.choice((f"i < {high}", f"{high} > i", f"i <= {high} - 1",
                                f"i != {high}" if low + max(shift, 0) <= array.count else f"i < {high}"))
        step = rng.choice(("i++", "++i", "i += 1"))
        self.put("upc_barrier;")
        self.put(f"for (k = MYTHREAD; k < 40 * MOST * THREADS; k += THREADS) done[k] = 0;")
        self.put("upc_barrier;")
        self.put(f"{{ {counter} i = {low};")
        self.put(f"  upc_forall (i = {low}; {condition}; {step}; {affinity})")
        self.put(f"    {{ done[i] += MYTHREAD + 1; CHECK (upc_threadof ({affinity}) == MYTHREAD); }}"
                 if affinity[0] in "&a" and kind in (0, 1, 4) else "    done[i] += MYTHREAD + 1;")
        self.put(f"  if ({low} < {high}) CHECK (i == {high});")
        self.put("  upc_barrier;")
        self.put(f"  for (i = {low}; (long) i < {high}; i++)"
                 f" CHECK (done[i] == {thread} + 1);")
        self.put("}")
        self.put("upc_barrier;")

    def text(self):
        rng = self.rng
        if not any(len(a.dims) == 1 for a in self.arrays):
            self.arrays[0].dims, self.arrays[0].spread = [self.arrays[0].count], (
                None if self.arrays[0].indefinite else 0)
        for i in range(30):
            array = rng.choice(self.arrays)
            rng.choice((self.by_index, self.by_index, self.update, self.walk, self.walk, self.copy,
                        self.bits, self.recast, self.by_function, self.file_scope))(array)
            if i % 6 == 5:
                self.put("n = n * 7 + 3;")
            if i % 10 == 9:
                self.forall(i)
        self.put("upc_barrier;")
        for a in self.arrays:
            self.put(f"for (n = 0; n < {a.total()}; n++)"
                     f" CHECK ({a.read(a.element('n'))} == m_{a.name}[n]);")
        declarations = "\n".join(f"{a.declaration()}\n{a.model()}\n{self.functions(a)}" for a in self.arrays)
        return (PROLOGUE + declarations + "\nshared int done[40 * MOST * THREADS];\n"
                "\nint\nmain (void)\n{\n  long n = 5, k;\n\n" + "\n".join(self.lines)
                + "\n  upc_barrier;\n  if (!MYTHREAD && !errors)\n    puts (\"ok\");\n"
                "  return errors != 0;\n}\n")


if __name__ == "__main__":
    import sys
    print(Program(int(sys.argv[1])).text())


def program(seed):
    return Program(seed).text()
