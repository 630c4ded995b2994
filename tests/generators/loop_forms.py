"""Random loops over shared arrays beside the same loops over private arrays, which the
translator leaves alone. Their counters, bounds and indexes are those that programs have,
and those that hardly any has: short and unsigned counters, indexes that leave the array
where nobody looks, bodies that change what the clauses are made of."""

import copy
import random

HEAD = """#include <upc_relaxed.h>
#include <stdio.h>
#include <stddef.h>
#define MOST 16
#define IN(e, n) ((long) (e) >= 0 && (long) (e) < (long) (n))
struct three { char c; double x[2]; };
static int bad, limit, zero, by = 5;
static volatile long last;
static void
failed (int line, const char *what)
{
  if (bad++ < 5)
    fprintf (stderr, "line %d, thread %d of %d: %s\\n", line, MYTHREAD, THREADS, what);
}
#define CHECK(e) ((e) ? 0 : (failed (__LINE__, #e), 0))
static void change (void) { if (limit > 3) limit--; }
"""

TYPES = [("int", ""), ("double", ""), ("unsigned char", ""), ("long", ""), ("struct three", ".x[1]"),
         ("short", ""), ("float", "")]
COUNTERS = ["int"] * 5 + ["long", "unsigned", "size_t", "short", "unsigned char", "signed char"]


class Array:
    """NAME is `shared`, M_NAME its private model."""

    def __init__(self, rng, number, is_table, depth=0):
        self.name = f"{'t' if is_table else 'a'}{number}"
        self.type, self.member = rng.choice(TYPES)
        self.columns = rng.choice([4, 5, 8, 12, 16, 30]) if is_table else 0
        self.depth = depth
        self.block = rng.choice([1, 1, 2, 3, 4, 5, 7, 8, 12, 16, 20, 33, 64, 100, 256])
        if is_table and rng.random() < 0.7:
            self.block = self.row() * rng.choice([1, 1, 2, 3, 5])
        if depth and rng.random() < 0.3:
            self.block = depth * rng.choice([1, 2])
        self.count = rng.randrange(7, 11) if is_table else rng.randrange(25, 80)

    def row(self):
        """Elements of the first index."""
        return self.columns * (self.depth or 1)

    def declarations(self):
        """NAME_at (i, j) is an element by two indexes, of which the second may leave its row. The
        model does that by a pointer: C compilers believe what C says of indexes."""
        shape = f"[{self.columns}]" if self.columns else ""
        column = "[c]"
        if self.depth:
            shape, column = f"{shape}[{self.depth}]", f"[(c) / {self.depth}][(c) % {self.depth}]"
        return (f"shared [{self.block}] {self.type} {self.name}[{self.count} * THREADS]{shape};\n"
                f"{self.type} m_{self.name}[{self.count} * MOST]{shape};\n"
                f"#define {self.name}_at(r, c) {self.name}[r]{column}{self.member}\n"
                f"{self.type} *flat_{self.name} = ({self.type} *) m_{self.name};\n"
                f"#define m_{self.name}_at(r, c) (flat_{self.name}[(r) * {self.row()} + (c)]{self.member})\n"
                f"#define {self.name}_by(r, c) p_{self.name}[r]{column}{self.member}\n"
                f"#define m_{self.name}_by(r, c) (p_{self.name}[(r) * {self.row()} + (c)]{self.member})\n"
                + (f"#define {self.name}_by_in(r, y, z) p_{self.name}[r][y][z]{self.member}\n"
                   f"#define m_{self.name}_by_in(r, y, z) m_{self.name}_by (r, (y) * {self.depth} + (z))\n"
                   f"#define {self.name}_in(r, y, z) {self.name}[r][y][z]{self.member}\n"
                   f"#define m_{self.name}_in(r, y, z) m_{self.name}_at (r, (y) * {self.depth} + (z))\n" if self.depth else ""))

    def size(self):
        return f"({self.count} * THREADS)"

    def element(self, index):
        """What the second pass makes m_ARRAY of: @NAME."""
        return f"@{self.name}{index}{self.member}"

    def each(self, text):
        """Does TEXT for all elements: @E of the array and @M of the model, number @N."""
        inner = f"for (y = 0; y < {self.row()}; y++) " if self.columns else ""
        index = "[x][y]" if self.columns else "[x]"
        if self.depth:
            index = f"[x][y / {self.depth}][y % {self.depth}]"
        text = text.replace("@E", f"{self.name}{index}{self.member}").replace("@M", f"m_{self.name}{index}{self.member}")
        return f"for (x = 0; x < {self.size()}; x++) {inner}{{ {text.replace('@N', f'(x * {self.row() or 1} + y)')} }}\n"


def index_of(rng, counter, i="i"):
    kind = rng.randrange(9)
    c = rng.randrange(0, 5)
    return [i, f"{i} + {c}", f"{i} - {c}", f"{c} + {i}", f"k * {rng.choice([4, 8, 16])} + {i}", f"2 * {i} - {c}",
            f"{c * 7} - {i}", f"(long) {i} + k", f"{i} + {c}u"][kind]


def access(rng, array, pointers, counter):
    """An element that is looked at only where it is one."""
    if array.columns:
        row = rng.choice(["k", "k + 1", "zero", "(int) (i / 3)"])
        column = rng.choice(["i", "i - 1", "i + 1", "2 * i", f"{array.columns - 1} - i"])
        guard = f"IN ({row}, {array.size()}) && IN ({column}, {array.columns})"
        return guard, array.element(f"[{row}][{column}]{'[k]' if array.depth else ''}")
    index = index_of(rng, counter)
    if pointers and rng.random() < 0.3:
        guard = f"IN (({index}) + (long) off, {array.size()})"
        return guard, f"@q_{array.name}[{index}]{array.member}"
    return f"IN ({index}, {array.size()})", array.element(f"[{index}]")


def statement(rng, arrays, depth=0):
    guard, element = access(rng, rng.choice(arrays), True, "i")
    kind = rng.randrange(14)
    if kind < 5:
        return f"if ({guard}) sum += {element};"
    if kind < 8:
        other, value = access(rng, rng.choice(arrays), True, "i")
        return f"if ({guard}) {element} = ({other}) ? (int) {value} % 50 + 1 : 7;"
    if kind == 8:
        return f"if ({guard}) {element} += 1; else sum--;"
    if kind == 9:
        return f"if (sum % 7 == 3) continue; sum += ({guard}) ? (long) {element} : 1;"
    if kind == 10:
        return f"if (sum > 900 && ++steps > 60) break; sum += ({guard}) ? (long) {element} : 2;"
    if kind == 11 and depth == 0:
        body = statement(rng, arrays, 1)
        return f"for (j = 0; j < 3; j++) {{ {body.replace('continue', 'break')} sum += j; }}"
    if kind == 12:
        return f"switch (sum & 3) {{ case 0: if ({guard}) sum += {element}; break; case 1: sum++; default: sum += 2; }}"
    return rng.choice(["change ();", "k = k ? k : 1;", "limit -= limit > 9;", "if (sum % 11 == 5) i++;",
                       f"{{ int c = 3; if ({guard}) {element} = c + (int) i % 5; }}",
                       f"{{ int k = 2; if (IN (i + k, {arrays[0].size()}) && !{arrays[0].columns}) sum += k; }}",
                       "if (sum > 100000) goto out;", "if (steps++ > 500) return sum;"])


def step_of(rng, n, steps):
    """One of STEPS; in some loops it is a round of the threads, and chance goes on as if it were not."""
    step = rng.choice(steps)
    return {1: "THREADS", 3: "2 * THREADS", 5: "by"}.get(n % 7, step)


def header(rng, counter, n):
    step = step_of(rng, n, [1, 1, 1, 1, 2, 3])
    low = rng.randrange(0, 6)
    bound = rng.choice(["limit", "limit", "n", "n", "20", "12", "8", "sizeof (int) * 5", "limit + zero", "77l", "n * 1u"])
    if counter in ("short", "unsigned char", "signed char"):
        bound = rng.choice(["limit", "100", "n", "300", "120"])
    up = [f"i = {low}; i < {bound}; i += {step}", f"i = {low}; {bound} > i; i++", f"i = {low}; i <= {bound}; ++i",
          f"i = {low}; i != {low + 12}; i++", f"i = {low}; steps++ < 40; i++", f"i = {low};; i += {step}",
          f"i = {low}; i < {bound} && sum < 5000; i = i + {step}"]
    down = [f"i = {bound}; i > {low}; i--", f"i = {bound}; i >= {low + 1}; i -= {step}", f"i = 30; i != {low}; i--",
            f"i = {bound}; i < 1000 && i >= 0 && steps++ < 90; i--", f"i = 3; steps++ < 30; i--"]
    return rng.choice(up * 2 + down)


def written(clauses, body, n):
    """The loop; one of four as a while and one as a do, if nothing goes on to the next iteration in between."""
    first, condition, step = clauses.split(";")
    if n % 4 > 1 or "continue" in body or not condition.strip():
        return f"for ({clauses})\n    {{ {body} }}"
    if n % 4 == 1:
        return f"{first};\n  do\n    {{ {body}\n      {step}; }}\n  while ({condition});"
    return f"{first};\n  while ({condition})\n    {{ {body}\n      {step}; }}"


def plain(rng, n, arrays):
    """A loop of one thread. Text with @NAME is made twice."""
    counter = rng.choice(COUNTERS)
    clauses = header(rng, counter, n)
    body = " ".join(statement(rng, arrays) for _ in range(rng.randrange(1, 4)))
    if clauses.split(";")[1].strip() == "":
        body = "if (++steps > 45) break; " + body
    else:
        # Those of short counters may never end by themselves.
        body = "if (++steps > 3000) break; " + body
    if rng.random() < 0.3 and "unsigned" in counter:
        clauses = clauses.replace("i = ", f"i = ({counter}) -", 1)
    declarations = "".join(f"  @PTR{a.name} = @{a.name} + off;\n" for a in arrays if not a.columns)
    text = f"""
static long
@loop{n} (int n, int k)
{{
  {counter} i = 0;
  int j, steps = 0;
  long sum = 0, off = 3;
{declarations}
  limit = n - 4;
  {written(clauses, body, n)}
  goto out;
out:
  (void) j, (void) off, (void) k;
  return sum * 1000 + (long) i;
}}
"""
    return twice(text, arrays)


def side_by_side(rng, n, arrays):
    """A loop whose body is assignments, some of which follow from each other."""
    flat = [a for a in arrays if not a.columns]
    a, b = rng.choice(flat), rng.choice(flat)
    index = lambda: f"[i {rng.choice('+-')} {rng.randrange(0, 4)}]"  # noqa: E731
    size = min(a.count, b.count)
    low, high = (6, f"{size} * THREADS - 6")
    clauses = rng.choice([f"i = {low}; i < {high}; i++", f"i = {high}; i > {low}; i--", f"i = {low}; i < {high}; i += {'THREADS' if n % 3 else 3}",
                          f"i = {low}; i < 21; i++"])
    at = index()
    own = rng.choice([at, index()])
    lines = [f"{a.element(at)} = (int) {b.element(index())} % 60 + (int) {a.element(own)} % 30 + w[i & 7];"]
    if rng.random() < 0.5:
        lines.append(f"{{ int z = (int) {b.element(index())} / 2; z += 1; {a.element(at)} += z % 9; }}")
    if rng.random() < 0.3:
        lines.append(f"{a.element(rng.choice([at, index()]))} = i % 100;")
    if rng.random() < 0.2:
        lines.append(f"{b.element(index())} = 5;")
    if rng.random() < 0.2:
        lines.append(f"@q_{a.name}[i - 3]{a.member} = 1;")
    text = f"""
static long
@loop{n} (int n, int k)
{{
  int i;
  long off = 3;
  static int w[8] = {{ 1, 2, 3, 4, 5, 6, 7, 8 }};
{"".join(f"  @PTR{x.name} = @{x.name} + off;" + chr(10) for x in flat)}
  for ({clauses})
    {{ {" ".join(lines)} }}
  (void) off, (void) n, (void) k;
  return (long) i;
}}
"""
    return twice(text, arrays)


def reductions(rng, n, arrays):
    """Sums and extremes, and what looks like them."""
    a, b = rng.sample([x for x in arrays if not x.columns], 2)
    size = f"({min(a.count, b.count)} * THREADS - 8)"
    clauses = rng.choice([f"i = {rng.randrange(9)}; i < {size}; i++", f"i = {size}; i >= 0; i--", f"i = 0; i < {size}; i += {rng.randrange(2, 5)}"])
    values = [a.element("[i]"), f"(int) {a.element('[i]')}", f"(int) {a.element('[i]')} + (int) {b.element('[i + 1]')}",
              f"(int) {b.element('[i + 4]')} * 3", f"@q_{a.name}[i]{a.member}", f"-(long) {a.element('[i]')}"]
    lines = []
    for result in rng.sample(["m", "v", "w", "x"], rng.randrange(1, 4)):
        e = rng.choice(values)
        other = rng.choice([e, e, e, rng.choice(values)])
        relation = rng.choice(["<", ">", "<=", ">=", "!="])
        lines.append(rng.choice([f"if ({e} {relation} {result}) {result} = {other};", f"if ({result} {relation} {e}) {{ {result} = ({other}); }}",
                                 f"{result} = {e} {relation} {result} ? {other} : {result};", f"{result} = ({result} {relation} {e}) ? ({other}) : {result};",
                                 f"{result} += {e};", f"if ({e} {relation} 9) {result}++;", f"{result} ^= (int) {e};",
                                 f"if ({e} {relation} {result}) {result} = {other}; else m++;"]))
    if rng.random() < 0.3:
        lines.append(f"{b.element('[i]')} = i % 50;")
    text = f"""
static long
@loop{n} (int n, int k)
{{
  int i, m = 9;
  unsigned v = 7;
  long w = 20, off = 0;
  short x = 3;
{"".join(f"  @PTR{y.name} = @{y.name} + off;" + chr(10) for y in (a, b))}
  for ({clauses})
    {{ {" ".join(lines)} }}
  (void) off, (void) n, (void) k;
  return m + (long) v * 31 + w * 1009 + x * 77l;
}}
"""
    return twice(text, arrays)


def counters(rng, n, arrays):
    """Counters that move together: in the header, or somewhere in the body."""
    a, b = rng.sample([x for x in arrays if not x.columns], 2)
    by = rng.choice([1, 1, 1, 2, 3, -1, -1, -2])
    step = {1: rng.choice(["c++", "c++", "++c", "c += 1"]), -1: rng.choice(["c--", "c--", "c -= 1"])}.get(by, f"c += {by}")
    index = rng.choice(["c", "c", "c", "c + 1", "c - 1", "2 - (2 - c)"])
    post = {1: "c++", -1: "c--"}.get(by)
    place = rng.choice(["header", "header", "front", "end", "end", "middle", "index", "index", "index", "some", "two", "twice", "twice", "apart"])
    if place in ("index", "twice") and not post:
        place = "two" if place == "twice" else "end"
    down = rng.random() < 0.3
    taken = rng.random() < 0.2 and not down
    i, c = ("i++" if taken else "i"), (post if place in ("index", "twice") else index)
    lines = [rng.choice([f"{b.element(f'[{c}]')} = (int) {a.element(f'[{i}]')} % 50 + 1;", f"{a.element(f'[{i}]')} = (int) {b.element(f'[{c}]')} % 40;",
                         f"sum += {a.element(f'[{i}]')} * (int) {b.element(f'[{c}]')};", f"{b.element(f'[{c}]')} += (int) {a.element(f'[{i}]')} % 9;",
                         f"{{ int z = (int) {b.element(f'[{c}]')} % 60; {a.element(f'[{i}]')} = z; }}",
                         f"if (m > 3) {b.element(f'[{c}]')} = (int) {a.element(f'[{i}]')} % 50;" if not taken else f"sum += {a.element(f'[{i}]')};"])]
    if rng.random() < 0.5 and not taken:
        lines.append(rng.choice([f"sum += {a.element('[i]')} + w[i & 7];", f"{a.element('[i + 1]')} = (int) sum % 30;", f"sum += (int) {b.element('[i]')};"]))
    if place in ("front", "middle", "end", "two"):
        lines.insert({"front": 0, "middle": 1}.get(place, len(lines)), step + ";")
    if place in ("two", "apart"):
        lines.insert(0, step + ";")
    if place == "twice":
        lines.append(f"{b.element(f'[{post}]')} = {rng.choice(['sum', a.element('[i]')])} % 70;".replace("= @", "= (int) @"))
    if place in ("twice", "apart") and rng.random() < 0.5:
        lines.append(f"sum += {b.element(f'[{index}]')};")
    if place == "apart":
        lines.append(rng.choice(["c++;", "c += 3;"] if by > 0 else ["c--;", "c -= 3;"]))
    if place == "some":
        lines.append(f"if (sum & 1) {step};")
    if rng.random() < 0.35:
        lines.insert(rng.randrange(len(lines) + 1), rng.choice(["sum += c;", "if (sum % 97 == 13) break;", "if (sum % 91 == 7) goto out;", "sum += w[c & 7];",
                                                                "if (sum % 7 == 3) continue;" if not taken else "sum++;", "for (j = 0; j < 3; j++) sum += j;",
                                                                "if (sum % 83 == 5) return sum + c;", "if (sum % 89 == 1) c = c;"]))
    steps_of_i = rng.choice(["i--", "i--", "i -= 2"]) if down else rng.choice(["i++", "i++", "i += 2", "i += 3", "i += 4"])
    condition = rng.choice(["i > 2", "i >= 2", "i != 2" if steps_of_i == "i--" else "i > 2"]) if down else rng.choice(["i < m + 2", "i <= m + 1"])
    clauses = [steps_of_i] * (not taken)
    if place == "header":
        clauses.insert(rng.randrange(len(clauses) + 1), step)
    total = abs(by) * (2 if place in ("two", "twice") else 1) + 3 * (place == "apart")
    first = f"c = {f'{total} * m + 8' if by < 0 else 5}, i = {'m + 2' if down else 2}"
    body = " ".join(lines)
    loop = f"for ({first}; {condition}; {', '.join(clauses)})\n    {{ {body} }}"
    if taken and not clauses and rng.random() < 0.7:
        loop = f"{first};\n  while ({condition})\n    {{ {body} }}"
    text = f"""
static long
@loop{n} (int n, int k)
{{
  {rng.choice(["int", "int", "int", "long", "unsigned", "short"])} i;
  {rng.choice(["int", "int", "int", "long", "size_t", "unsigned", "short"])} c;
  int j = 0, m = ({min(a.count, b.count)} * THREADS - 16) / {total}{" - k" * (total < 5)};
  long sum = 0, off = 0;
  static int w[8] = {{ 1, 2, 3, 4, 5, 6, 7, 8 }};
{"".join(f"  @PTR{x.name} = @{x.name} + off;" + chr(10) for x in (a, b))}
  {loop}
  goto out;
out:
  (void) j, (void) w, (void) n, (void) off;
  return sum * 1000 + (long) i + 7 * (long) c;
}}
"""
    return twice(text, arrays)


def walk(rng, n, arrays):
    """A pointer for a counter."""
    a = rng.choice([x for x in arrays if not x.columns])
    low, high = rng.randrange(0, 9), rng.randrange(0, 9)
    relation = rng.choice(["<", "<", "!=", "<="])
    element = f"(*p){a.member}" if not a.member or rng.random() < 0.5 else f"p->{a.member[1:]}"
    bodies = [f"sum += {element};", f"{element} = ((int) {element} + (int) sum) % 50 + 1;", f"if (sum % 5 == 1) continue; sum += {element};",
              "if (sum > 700) break;", "if (sum % 97 == 13) goto out;", f"sum += p - start; {element} += 1;",
              f"for (q = p; q < end && q < p + 6; q++) sum += (*q){a.member};", "if (sum % 31 == 3 && p < end - 1) p++;",
              f"if (p < end - 2) sum += p[1]{a.member};"]
    body = " ".join(rng.choice(bodies) for _ in range(rng.randrange(1, 4)))
    end = "end - 1" if relation == "<=" else "end"
    text = f"""
static long
@loop{n} (int n, int k)
{{
  TYPE *start = @{a.name} + {low}, *end = @{a.name} + {a.size()} - {high} + zero, *p = start, *q = end;
  long sum = 0;

  for (p = start + k; p {relation} {end}; {rng.choice(['p++', '++p'])})
    {{ {body} }}
  goto out;
out:
  (void) n, (void) q;
  return sum * 1000 + (p - start);
}}
"""
    return twice(text.replace("TYPE", f"@TYPE{a.name}@"), arrays)


def steps(rng, n, arrays):
    """Pointers that go on by one in each iteration, or in some."""
    a, b = rng.sample([x for x in arrays if not x.columns], 2)
    low, high = rng.randrange(0, 9), rng.randrange(6, 12)

    def at(x, pointer):
        return f"({pointer})->{x.member[1:]}" if x.member and rng.random() < 0.5 else f"(*{pointer}){x.member}"

    p, q = (rng.choice(["p++", "p++", "p++", "p"]), rng.choice(["q++", "q++", "q", "q--", "--q", "++q"]))
    head = rng.choice(["while (m--)", "while (m-- > 0)", "while (--m >= 0)", "while (m-- && sum < 700)", "for (i = 0; i < m; i++)",
                       "for (; m--; q--)", "while (p < e)", "while (p != e)", "while (p < e && sum < 900)", "for (; p < e; p++, q--)"])
    by_p = "p < e" in head or "p != e" in head
    p = "p" if "p++" in head else "p++" if by_p else p
    q = "q" if "q--" in head else q
    moves = rng.choice([f"{at(a, p)} = (int) {at(b, q)} % 50 + 1;", f"sum += {at(a, p)} + {at(b, q)};",
                        f"{at(b, q)} = {at(a, p)}; sum++;", f"{{ double x = {at(a, p)}; if (x < 40) sum += {at(b, q)}; }}"])
    more = [f"sum += {at(a, 'p')};", f"sum += {at(b, 'q')};", "if (sum % 97 == 13) break;", "sum += p - start;", f"{at(a, 'p')} += 1;",
            "if (sum % 89 == 7) return sum;"]
    before = [rng.choice(more)] if rng.random() < 0.5 else []
    behind = [rng.choice(more)] if rng.random() < 0.3 else []
    if not by_p or "p++" in head:
        before += rng.choice([["if (sum % 7 == 3) { sum++; continue; }"], ["if (sum % 5 == 2 && q < middle + 3) q++;"], ["if (sum % 31 == 3) goto out;"]] + [[]] * 5)
    body = " ".join(before + [moves] + behind)
    text = f"""
static long
@loop{n} (int n, int k)
{{
  int m = {min(a.count, b.count) - 1} * THREADS / 2 - {high} + zero, i = 0;
  TYPE0 *start = @{a.name} + {low}, *p = start + k, *e = p + m;
  TYPE1 *middle = @{b.name} + m + 8, *q = middle;
  long sum = 0;

  {head}
    {{ {body} }}
  goto out;
out:
  (void) n, (void) e;
  return (sum * 1000 + (p - start) * 100 + (q - middle)) * 100 + m + i;
}}
"""
    return twice(text.replace("TYPE0", f"@TYPE{a.name}@").replace("TYPE1", f"@TYPE{b.name}@"), arrays)


def twice(text, arrays):
    shared, model = text, text
    for a in arrays:
        shared = shared.replace(f"@TYPE{a.name}@", f"shared [{a.block}] {a.type}")
        model = model.replace(f"@TYPE{a.name}@", a.type)
        if not a.columns:
            used = f"@q_{a.name}[" in text
            shared = shared.replace(f"  @PTR{a.name} = @{a.name} + off;\n", f"  shared [{a.block}] {a.type} *q_{a.name} = {a.name} + 3;\n" if used else "")
            model = model.replace(f"  @PTR{a.name} = @{a.name} + off;\n", f"  {a.type} *m_q_{a.name} = m_{a.name} + 3;\n" if used else "")
    return shared.replace("@", "") + model.replace("@", "m_")


def forall(rng, n, arrays):
    """All threads; what is stored to is a thread's own, and read nowhere else."""
    flat = [a for a in arrays if not a.columns]
    a, b, c = (rng.choice(flat) for _ in range(3))
    size = min(x.count for x in (a, b, c))
    shift = rng.randrange(-4, 5)
    index = lambda: f"[i {rng.choice('+-')} {rng.randrange(0, 6)}]"  # noqa: E731
    read = [x for x in (b, c) if x is not a] or None
    value = (" + ".join(f"(int) {rng.choice(read).element(index())} % 40" for _ in range(rng.randrange(1, 4)))
             if read else "i % 9")
    jump = rng.choice(["", "", "if (i % 5 == 2) continue; "])
    clauses = rng.choice([f"i = 9; i < {size} * THREADS - 9; i++", f"i = {size} * THREADS - 9; i >= 9; i--",
                          f"i = 9; i < {size} * THREADS - 9; i += 2"])
    loop = f"{{ {jump}@{a.name}[i + {shift}]{a.member} = {value}; }}"
    return f"""
static long
loop{n} (int n, int k)
{{
  int i;

  upc_forall ({clauses}; &{a.name}[i + {shift}])
    {loop.replace("@", "")}
  return i;
}}
static long
m_loop{n} (int n, int k)
{{
  int i;

  for ({clauses})
    {loop.replace("@", "m_")}
  return i;
}}
"""


def forall_blocks(rng, n, arrays):
    """Arrays with one block size, by pointers with the same phase or another: where the phases are
    the same, a thread may do all its blocks at once."""
    a, b, c = rng.sample(arrays, 3)
    count = min(x.count for x in (a, b, c))
    setup, names = "", []
    for x, name in (a, "x"), (b, "y"), (c, "z"):
        offset = rng.choice([0, 0, 0, x.block, 2 * x.block, 1, 3])
        setup += f"  shared [{x.block}] {x.type} *{name} = {x.name} + {offset};\n  {x.type} *m_{name} = m_{x.name} + {offset};\n"
        if rng.random() < 0.4:
            name = x.name
        names.append((name, x))

    def at(which, index="i"):
        name, array = names[which]
        return f"@{name}[{index}]{array.member}"

    shift = rng.choice(["i", "i", "i + 1", "i + k", f"i + {a.block}"])
    own = at(0, shift)
    read = [at(1), at(1, rng.choice(["i", "i", f"i + {b.block}", "i + 1", "k + i"])), at(2), at(2, shift)]
    value = " + ".join(f"(int) {rng.choice(read)} % 40" for _ in range(rng.randrange(1, 4)))
    affinity = rng.choice([f"&{names[0][0]}[{shift}]", f"&{names[0][0]}[{shift}]", f"{names[0][0]} + i", f"&{names[1][0]}[i]", "i", "&x[i]"])
    clauses = rng.choice([f"i = 0; i < {count} * THREADS - 54; i++", f"i = k; i < {count} * THREADS - 54; i++", "i = k; i < n; i++",
                          f"i = 3; i != {count} * THREADS - 54; i++", f"i = {count} * THREADS - 54; i >= 2; i--"])
    body = rng.choice([f"{own} = {value};", f"{own} = {value};", f"{own} = {read[0]};", f"{own} += 1;", f"sum += {value};",
                       f"sum += {value};", f"if ((int) {read[2]} % 3 == 1) continue; {own} = {value};", f"{own} = {value} + i % 3;",
                       f"{own} = ({value}) * 2; sum++;"])
    head = "  int i;\n  long sum = 0;\n" + setup
    unused = "  (void) x, (void) y, (void) z, (void) m_x, (void) m_y, (void) m_z, (void) n, (void) k;\n  return sum * 1000 + i;\n}\n"
    mine = "i % THREADS == MYTHREAD" if affinity == "i" else f"upc_threadof ({affinity}) == MYTHREAD"
    mine = body.replace("sum", f"if ({mine}) sum")
    return (f"static long\nloop{n} (int n, int k)\n{{\n{head}  upc_forall ({clauses}; {affinity})\n    {{ {body.replace('@', '')} }}\n{unused}"
            f"static long\nm_loop{n} (int n, int k)\n{{\n{head}  for ({clauses})\n    {{ {mine.replace('@', 'm_')} }}\n{unused}")


def row_index(rng, table):
    """Of rows from 1 to the last but one, where i is from 3 to the last but three, k 0 or 2."""
    return rng.choice(["i", "i", "i", "i - 1", "i + 1", "i + 1", "k + i - 1", f"{table.size()} - 1 - i", "2", "i / 2", "1 + zero"])


def point(rng, table, row=None):
    """An element by the counters i and j, rarely outside of its row but never of the table."""
    row = row or row_index(rng, table)
    if table.depth and rng.random() < 0.7:
        y, z = rng.choice(["j", "j", "j - 1", "k", "1", "zero"]), rng.choice(["l", "l", "l + 1", "l - 1", "j", "0"])
        return f"@{table.name}_in ({row}, ({y}) % {table.columns}, {z})" if table.columns < 9 else f"@{table.name}_in ({row}, {y}, {z})"
    column = rng.choice(["j", "j", "j", "j - 1", "j + 1", "j + 2", "k", f"{table.columns - 1} - j", "0", f"{table.columns - 1}", "2 * j",
                         "(i + j) & 3", "j + k"])
    return f"@{table.name}_at ({row}, {column})"


def grid_statement(rng, tables, target, depth=0):
    value = " + ".join(f"(int) {point(rng, rng.choice(tables))} % 40" for _ in range(rng.randrange(1, 5)))
    kind = rng.randrange(12)
    if kind < 5:
        return f"{target} = ({value}) % 90;"
    if kind < 7:
        return f"sum += {value};"
    if kind == 7:
        return f"if (sum % 5 == 2) continue; {target} = ({value}) % 70;"
    if kind == 8:
        return f"if (sum % 17 == 3) break; sum += {value};"
    if kind == 9 and depth == 0:
        return f"for (l = 1; l < {rng.choice([3, 5])}; l++) {{ {grid_statement(rng, tables, target, 1)} }}"
    if kind == 10:
        return f"{{ int h; for (h = 0; h < 4; h++) sum += {point(rng, rng.choice(tables)).replace('j', 'h')}; }}"
    return f"{target} += ({value}) % 5; sum++;"


def inner_loop(rng, tables, target):
    columns = min(t.columns for t in tables)
    clauses = rng.choice([f"j = 1; j < {columns - 1}; j++", f"j = 0; j < {columns}; j++", f"j = {columns - 2}; j > 0; j--",
                          f"j = 0; j < {columns}; j += 2", "j = 0; j < most; j++", "j = 1; j != most; ++j", "j = 0; j < 3; j++",
                          f"j = 0; j < most && sum < {rng.randrange(500, 9000)}; j++"])
    body = " ".join(grid_statement(rng, tables, target) for _ in range(rng.randrange(1, 3)))
    after = grid_statement(rng, tables, target, 1) if rng.random() < 0.3 else ""
    after = after.replace("continue", "sum++").replace("break", "sum--")
    if rng.random() < 0.15:
        body = body.replace("continue", "sum++")
        return f"j = 0; while (j < {columns}) {{ {body} j++; }} j = 1; {after}"
    if rng.random() < 0.15:
        clauses = "int " + clauses
    return f"for ({clauses}) {{ {body} }} j = 1; {after}"


def outer_clauses(rng, count):
    size = f"{count} * THREADS"
    return rng.choice([f"i = 3; i < {size} - 3; i++", f"i = 3; i < {size} - 3; i++", f"i = {size} - 4; i >= 3; i--",
                       f"i = 3; i < {size} - 3; i += 2", "i = 3; i < rows; i++"])


def grid_text(rng, n, arrays):
    tables = [a for a in arrays if a.columns]
    target = point(rng, rng.choice(tables), rng.choice(["i", "i", "i + 1"]))
    text = f"""
static long
@loop{n} (int n, int k)
{{
  int i, j = 1, l = 1, most = {min(t.columns for t in tables)} - 1 + zero, rows = {min(t.count for t in tables)} * THREADS - 3;
  long sum = 0;

  for ({outer_clauses(rng, min(t.count for t in tables))})
    {{ {inner_loop(rng, tables, target)} }}
  (void) j, (void) l, (void) most, (void) rows, (void) n, (void) k;
  return sum * 1000 + i;
}}
"""
    return text


def grid(rng, n, arrays):
    """Rows and columns, by one thread."""
    return twice(grid_text(rng, n, arrays), arrays)


def columns_text(rng, n, arrays):
    tables = [a for a in arrays if a.columns]
    a, b = rng.choice(tables), rng.choice(tables)
    step = step_of(rng, n, [1, 1, 2, 3])
    low, high = rng.randrange(0, 3), rng.randrange(0, 3)
    rows = min(a.count, b.count)
    clauses = rng.choice([f"j = {low}; j < {rows} * THREADS - {high}; j += {step}", f"j = {rows} * THREADS - 1; j >= {low}; j -= {step}",
                          f"j = {low}; j < {rows} * THREADS && sum < 4000; j++"])
    apart = rng.randrange(-2, 3)
    least = min(a.columns, b.columns)
    x, y, z = f"@{a.name}_at (j, i)", f"@{b.name}_at (j, {least - 1} - i)", f"@{b.name}_at (j + {apart}, i)"
    guard = f"IN (j + {apart}, {b.size()})"
    body = rng.choice([f"sum += {x} * {y};", f"{x} = (int) ({y} + sum) % 60;", f"if ({guard}) sum += {z}; else sum--;",
                       f"if (sum % 7 == 1) continue; {x} = (int) {y} % 9 + 1;", f"if ({guard}) {y} = (int) {z} % 50;"])
    text = f"""
static long
@loop{n} (int n, int k)
{{
  int i, j = 0;
  long sum = 0;

  for (i = 0; i < {least}; i++)
    for ({clauses})
      {{ {body} }}
  (void) n, (void) k;
  return sum * 1000 + i + j;
}}
"""
    return text


def columns(rng, n, arrays):
    """Down the columns: from block to block."""
    return twice(columns_text(rng, n, arrays), arrays)


def by_pointers(rng, n, arrays):
    """The same by pointers to rows, which may point inside of one."""
    tables = [copy.copy(a) for a in arrays if a.columns]
    for t in tables:
        t.count -= 2
    text = rng.choice([grid_text, columns_text])(rng, n, tables)
    shared, model = "", ""
    for t in tables:
        if f"@{t.name}_" not in text:
            continue
        text = text.replace(f"@{t.name}_at", f"@{t.name}_by").replace(f"@{t.name}_in", f"@{t.name}_by_in")
        shift = rng.choice([0, 0, t.row(), 3, t.row() + 1])
        element, shape = f"shared [{t.block}] {t.type}", f"[{t.columns}]" + (f"[{t.depth}]" if t.depth else "")
        shared += f"  {element} (*p_{t.name}){shape} = ({element} (*){shape}) (({element} *) {t.name} + {shift});\n"
        model += f"  {t.type} *p_{t.name} = flat_{t.name} + {shift};\n"
    return (text.replace("{\n", "{\n" + shared, 1).replace("@", "")
            + text.replace("{\n", "{\n" + model, 1).replace("@", "m_"))


def grid_forall(rng, n, arrays):
    """All threads; what is stored to is of the iteration's own row, and read nowhere else."""
    tables = [a for a in arrays if a.columns]
    own = rng.choice(tables)
    read = [t for t in tables if t is not own]
    size = f"{own.count} * THREADS"
    affinity = rng.choice([f"&{own.name}_at (i, 0)", f"&{own.name}_at (i, 0)", f"&{own.name}_at (i, 2)", "i", f"i * THREADS / ({size})",
                           "i + 1", f"&{read[0].name}_at (i - 1, 1)", f"{own.name}[i]"])
    target = f"@{own.name}_at (i, j)"
    count = min(t.count for t in tables)
    clauses = outer_clauses(rng, count)
    loop = inner_loop(rng, read, target)
    if own.columns < min(t.columns for t in read):
        loop = loop.replace(f"@{own.name}_at (i, j)", f"@{own.name}_at (i, (j) % {own.columns})")
    body = f"{{ long sum = i; l = 1; {loop} }}"
    head = f"int i, j = 1, l = 1, most = {min(t.columns for t in read)} - 1 + zero, rows = {count} * THREADS - 3;"
    tail = "  (void) j, (void) l, (void) most, (void) rows, (void) n, (void) k;\n  return i;\n}\n"
    return (f"static long\nloop{n} (int n, int k)\n{{\n  {head}\n  upc_forall ({clauses}; {affinity})\n    {body.replace('@', '')}\n{tail}"
            f"static long\nm_loop{n} (int n, int k)\n{{\n  {head}\n  for ({clauses})\n    {body.replace('@', 'm_')}\n{tail}")


MAKERS = [plain, plain, side_by_side, reductions, counters, counters, walk, steps, steps, forall, grid, grid, columns, by_pointers, by_pointers, grid_forall, grid_forall]


def program(seed, count=40):
    rng = random.Random(seed)
    arrays = ([Array(rng, k, False) for k in range(4)] + [Array(rng, k, True) for k in range(2)]
              + [Array(rng, k, True, rng.choice([4, 6])) for k in range(2, 4)])
    return whole(rng, arrays, [rng.choice(MAKERS) for _ in range(count)])


def blocks_program(seed, count=40):
    """upc_forall over arrays with one block size."""
    rng = random.Random(seed)
    arrays = [Array(rng, k, False) for k in range(4)]
    block = rng.choice([1, 2, 3, 4, 4, 5, 8, 16])
    for array in arrays:
        array.block, array.count = block, rng.randrange(90, 130)
    return whole(rng, arrays, [forall_blocks] * count)


def whole(rng, arrays, makers):
    text = HEAD + "".join(a.declarations() for a in arrays)
    text += "".join(maker(rng, n, arrays) for n, maker in enumerate(makers))
    text += "static void\nset (int seed)\n{\n  long x, y = 0;\n" + "".join(
        f"  {a.each('@M = (@N * 7 + seed) % 101; if (MYTHREAD == 0) @E = (@N * 7 + seed) % 101;')}" for a in arrays)
    text += "  upc_barrier;\n  (void) y;\n}\nstatic void\ncompare (int loop)\n{\n  long x, y = 0;\n  int before = bad;\n" + "".join(
        f"  {a.each('CHECK (@E == @M);')}" for a in arrays)
    text += ('  if (bad != before)\n    fprintf (stderr, "loop %d\\n", loop);\n  upc_barrier;\n  (void) y;\n}\n'
             "int\nmain (void)\n{\n  long ours, theirs;\n")
    for n, maker in enumerate(makers):
        for k in (0, 2):
            is_shared = maker in (forall, grid_forall, forall_blocks)
            call = f"ours = loop{n} (30, {k});" if is_shared else f"ours = MYTHREAD ? 0 : loop{n} (30, {k});"
            text += (f"  set ({n});\n  {call}\n  upc_barrier;\n  last = theirs = m_loop{n} (30, {k});\n"
                     + ("  CHECK (ours == theirs);\n" if is_shared else "  if (!MYTHREAD) CHECK (ours == theirs);\n")
                     + f"  compare ({n});\n")
    return text + "  return bad != 0;\n}\n"
