"""Random loops whose iterations may come in any order, or turn out not to: over static arrays and by pointers to
them, at all phases, up and down, of few iterations and many, beside private arrays and the induction variable
itself. The same loops over private arrays, in the order of the program, are the model."""

import random

TYPES = ["double", "int", "long", "short", "unsigned char"]
BLOCKS = [1, 2, 3, 4, 5, 8, 12, 16, 24, 48, 64, 100]
ARRAYS = "ABCD"
MOST = 700

HEAD = """#include <upc_relaxed.h>
#include <stdio.h>
static int bad, last;
static struct limits { short first; int last, all[2]; } *limits = &(struct limits) { 0 };
shared int shared_last;
shared [] int shared_lasts[3];
static long own[%(most)d + 200];
""" % {"most": MOST}


def is_copy(terms, operator):
    return len(terms) == 1 and operator == "=" and terms[0][0] == "element"


class Loop:
    """One loop. Arrays are reached by their names, by `p + i`, or by pointers that walk. Model arrays are longs."""

    def __init__(self, rng, layouts):
        self.rng = rng
        self.layouts = layouts
        self.roots = rng.sample(ARRAYS, rng.choice([1, 2, 2, 3, 3]))
        self.is_walk = rng.random() < 0.25
        self.is_by_pointer = self.is_walk or rng.random() < 0.45
        self.count = rng.choice([0, 1, 5, 31, 32, 33, 47, 64, 100, 127, 200, 333, 400, 511])
        self.first = rng.choice([0, 0, 0, 1, 2, 3, 7, 16, 48])
        self.is_down = not self.is_walk and rng.random() < 0.2
        self.sum = None
        self.base = {}
        self.array = {}
        for root in self.roots:
            block = layouts[root][1]
            self.base[root] = rng.choice([0, 0, 0, block, 3, 1]) if self.is_by_pointer else 0
            # Pointers may lead to one array.
            self.array[root] = root
            if self.is_by_pointer and rng.random() < 0.3:
                self.array[root] = rng.choice([a for a in ARRAYS if layouts[a] == layouts[root]])

    def access(self, root, offset, is_model):
        if is_model:
            at = f"{self.base[root]} + i - {self.first} + {offset}" if self.is_walk else f"{self.base[root]} + i + {offset}"
            return f"m{self.array[root]}[{at}]"
        if self.is_walk:
            return f"*p{root}"
        return f"{'p' if self.is_by_pointer else ''}{root}[i + {offset}]"

    def term(self, is_model, kind, root, offset):
        if kind == "element":
            return self.access(root, offset, is_model)
        return {"index": "i", "own": f"own[i + {offset}]", "constant": str(offset + 2), "invariant": "k"}[kind]

    def body(self):
        """Statements as functions of whether they are the model's."""
        rng = self.rng
        shift = {root: rng.choice([0, 0, 0, 0, 1, self.layouts[root][1]]) for root in self.roots}
        if self.is_walk:
            shift = dict.fromkeys(self.roots, 0)
        kinds = ["element"] * 4 + ["index", "own", "constant", "invariant"]
        statements = []
        for target in rng.sample(self.roots, rng.choice([1, 1, 2]) if len(self.roots) > 1 else 1):
            terms = [(rng.choice(kinds), rng.choice(self.roots)) for _ in range(rng.choice([1, 1, 2, 3]))]
            operator = rng.choice(["=", "=", "+="])
            kind = self.layouts[target][0]

            def statement(is_model, target=target, terms=terms, operator=operator, kind=kind):
                # All values are small and whole, but for those that wrap around in their type.
                total = " + ".join(f"(long) ({self.term(is_model, k, r, shift[r])})" for k, r in terms)
                old = f" + (long) {self.access(target, shift[target], is_model)}" if operator == "+=" else ""
                if is_copy(terms, operator):
                    value = f"{self.term(is_model, *terms[0], shift[terms[0][1]])}"
                    return f"{self.access(target, shift[target], is_model)} = ({kind}) {value};"
                return f"{self.access(target, shift[target], is_model)} = ({kind}) (({total}{old}) % 251);"
            statements.append(statement)
        if rng.random() < 0.4:
            # A sum, which wraps around in some.
            self.sum = rng.choice(["int", "long", "unsigned"])
            root = rng.choice(self.roots)
            operator = rng.choice("+++-" if self.layouts[root][0] == "double" else "+++-^|")
            amount = "{}" if self.sum != "unsigned" else rng.choice(["(unsigned) {}", "(unsigned) {} * 30000001u"])
            statements = statements if rng.random() < 0.5 else []
            statements.append(lambda is_model: f"{'w' if is_model else 'v'} {operator}= "
                              + amount.format(self.access(root, shift[root], is_model)) + ";")
        return statements

    def text(self):
        first, last = self.first, self.first + self.count
        statements = self.body()
        if self.is_down:
            header = f"for (i = {last - 1}; i >= {first}; i--)"
        else:
            header = f"for (i = {first}; i < {last} + zero; i++)"
        pointers = "".join(f"shared [{self.layouts[r][1]}] {self.layouts[r][0]} *p{r} = {self.array[r]} + {self.base[r]};\n"
                           for r in self.roots) if self.is_by_pointer else ""
        steps = "".join(f", p{r}++" for r in self.roots) if self.is_walk else ""
        shared = header.replace("i++", "i++" + steps) + " { " + " ".join(s(False) for s in statements) + " }"
        model = header + " { " + " ".join(s(True) for s in statements) + " }"
        ends = "".join(f"bad += p{r} != {self.array[r]} + {self.base[r] + self.count};\n" for r in self.roots) if self.is_walk else ""
        end = f"bad += i != {first - 1 if self.is_down and self.count else last - 1 if self.is_down else last};\n"
        sums = f"{self.sum} v = k, w = k;\n" if self.sum else ""
        compared = "\nif (v != w && bad++ < 5) fprintf (stderr, \"a sum of %d threads\\n\", THREADS);" if self.sum else ""
        return "{ int i;\n" + sums + pointers + f"{shared}\n" + end + ends + model + compared + "\n}\n"


class Fixed(Loop):
    """One that reads elements that are the same in all iterations, too: some are those that it stores to."""

    def term(self, is_model, kind, root, offset):
        if kind not in ("index", "constant"):
            return super().term(is_model, kind, root, offset)
        place = (7 * offset + self.first + (500 if kind == "index" else 0)) % 800
        if is_model:
            return f"m{self.array[root]}[{place + (0 if self.is_walk else self.base[root])}]"
        if self.is_walk:
            return f"{self.array[root]}[{place}]"
        return f"{'p' if self.is_by_pointer else ''}{root}[k - k + {place}]"


class Branches(Loop):
    """One that does some of its statements in some iterations, up to a bound that is not by its side."""

    def __init__(self, rng, layouts):
        super().__init__(rng, layouts)
        self.bound = rng.choice(["last", "limits->last", "limits->all[1]", "shared_last", "shared_lasts[2]"])
        if not self.is_walk and rng.random() < 0.2:
            self.bound += " + zero"

    def body(self):
        rng = self.rng
        statements = super().body()
        tests = [rng.choice(["{i} % 3 == 1", "own[{i}] & 1", "k > 2", "{a} > 50", "{a} != {b}", "({a} & 1) && {b} > 3"])
                 for _ in statements]
        roots = [rng.choice(self.roots) for _ in range(2)]
        kinds = [rng.choice(["{t}{s}", "{t}{s} else {s}", "{t};  else {s}", "{s}", "{s}"]) for _ in statements]
        if self.is_walk:
            # What walks is accessed by itself alone.
            tests = ["k > 2" if "{a}" in test else test for test in tests]

        def branch(statement, test, kind):
            def text(is_model):
                operands = {"i": "i"}
                for name, root in zip("ab", roots):
                    operands[name] = f"(long) {self.access(root, 0, is_model)}"
                return kind.format(t=f"if ({test.format(**operands)}) ", s=f"{{ {statement(is_model)} }}")
            return text
        return [branch(*of) for of in zip(statements, tests, kinds)]

    def text(self):
        last = self.first + self.count
        shared, at, rest = super().text().partition(f"i < {last} + zero")
        bound = self.bound if at else "last"
        name = self.bound.split(" ")[0]
        return shared.replace("{ int i;", f"{{ int i; {name} = {last};", 1) + (f"i < {bound}" if at else "") + rest


class Neighbours(Loop):
    """One that reads elements at different places in blocks: neighbours, of a row before and behind, backwards."""

    def __init__(self, rng, layouts):
        super().__init__(rng, layouts)
        self.is_by_pointer = self.is_walk or self.is_by_pointer
        self.is_walk = False
        self.first += 60
        self.row = rng.choice([0, 0, 1, 24, 48, 50])

    def access(self, root, offset, is_model):
        if isinstance(offset, int):
            return super().access(root, offset, is_model)
        base, index = (f"{self.base[root]} + ", f"m{self.array[root]}") if is_model else (
            "", f"{'p' if self.is_by_pointer else ''}{root}")
        return f"{index}[{base}{offset}]"

    def place(self):
        rng = self.rng
        near = rng.choice([-3, -2, -1, -1, 0, 0, 1, 1, 2, 5, 12, 13])
        if rng.random() < 0.15:
            return f"{2 * self.first + self.count - 1 + near} - i"
        return near + rng.choice([0, 0, 1, -1]) * self.row

    def body(self):
        rng = self.rng
        statements = []
        targets = rng.sample(self.roots, rng.choice([1, 1, 1, 2]) if len(self.roots) > 1 else 1)
        sources = [root for root in self.roots if root not in targets]
        if not sources or rng.random() < 0.2:
            sources = self.roots
        for target in targets:
            reads = [(rng.choice(sources), self.place()) for _ in range(rng.choice([1, 2, 2, 3, 4, 5]))]
            rest = rng.choice(["0", "i", "k", "own[i + 1]", "k * i"])
            operator = rng.choice(["=", "=", "=", "+="])
            place = rng.choice([0, 0, 0, 1, 7])
            kind = self.layouts[target][0]

            def statement(is_model, target=target, reads=reads, rest=rest, operator=operator, place=place, kind=kind):
                total = " + ".join(f"(long) {self.access(root, at, is_model)}" for root, at in reads)
                at = self.access(target, place, is_model)
                old = f" + (long) {at}" if operator == "+=" else ""
                return f"{at} = ({kind}) (({total} + {rest}{old}) % 251);"
            statements.append(statement)
        return statements


def program(seed, loops=12):
    rng = random.Random(seed)
    block = rng.choice(BLOCKS)
    layouts = {}
    for root in ARRAYS:
        layouts[root] = (rng.choice(TYPES[:2] if rng.random() < 0.6 else TYPES), block if rng.random() < 0.8 else rng.choice(BLOCKS))
    if random.Random(f"{seed} in one block").random() < 0.2:
        layouts = {root: (kind, 0) for root, (kind, _) in layouts.items()}
    size = MOST + 200
    lines = [HEAD]
    for root, (kind, blocks) in layouts.items():
        lines.append(f"shared [{blocks}] {kind} {root}[{size}{' * THREADS' if blocks else ''}];\nstatic {kind} m{root}[{size}];\n")
    names = []
    for n in range(loops + 10):
        names.append(f"loop{n}")
        kind = Branches if n >= loops + 4 else Fixed if n >= loops else Neighbours if n % 3 == 2 else Loop
        text = kind(rng, layouts).text()
        lines.append(f"static __attribute__ ((noinline)) void loop{n} (int zero, int k)\n{text}")
    lines.append("static void\ncheck (int loop)\n{\n")
    for root in ARRAYS:
        lines.append(f"  for (int i = 0; i < {size}; i++)\n    if ({root}[i] != m{root}[i] && bad++ < 5)\n"
                     f"      fprintf (stderr, \"loop %d, {root}[%d] of %d threads\\n\", loop, i, THREADS);\n")
    lines.append("}\nint\nmain (void)\n{\n  volatile int zero = 0;\n  if (MYTHREAD != THREADS - 1)\n    return 0;\n")
    lines.append(f"  for (int i = 0; i < {size}; i++)\n    {{\n      own[i] = i * 7 % 13;\n")
    for number, root in enumerate(ARRAYS):
        lines.append(f"      {root}[i] = m{root}[i] = i * {number + 3} % 101;\n")
    lines.append("    }\n")
    for n, name in enumerate(names):
        lines.append(f"  {name} (zero, {n} + zero);\n  check ({n});\n")
    lines.append("  return bad != 0;\n}\n")
    return "".join(lines)
