"""The loops of shifts.py with indexes in variables: set once, which the translator looks through, or changed behind that, or made
of what changes, which it must not."""

import re

from generators import shifts


class Loop(shifts.Loop):
    def statement(self):
        text, names = super().statement(), {}
        before, behind = [], []
        for index in dict.fromkeys(re.findall(r"\[([^\]]*)\]", text)):
            if self.rng.random() < 0.8:
                names[index] = f"q{len(names)}"
        for index, name in names.items():
            self.set(name, index, names, before, behind)
        inside = re.sub(r"\[([^\]]*)\]", lambda m: f"[{names.get(m[1], m[1])}]", text)
        if not re.search(r"\bi\b", inside) and self.rng.random() < 0.4:
            inside = f"{{ int i = k; (void) i; {inside} }}"
        return f"{{ {' '.join(before)} {inside} {' '.join(behind)} }}"

    def set(self, name, index, names, before, behind):
        """NAME becomes INDEX."""
        rng, form = self.rng, self.rng.random()
        value, kind = index, rng.choice(["int", "int", "long", "const int", "size_t", "unsigned"])
        known = [(i, n) for i, n in names.items() if n < name]
        if known and rng.random() < 0.4:
            other, variable = rng.choice(known)
            value = f"{variable} - ({other}) + {index}"
        if form < 0.6:
            before.append(f"{kind} {name} = {value};")
        elif form < 0.7:
            before.append(f"{kind.replace('const ', '')} {name}; {name} = {value};")
        elif form < 0.75:
            before.append(f"int {name} = {value} - 1; {name}++;")
        elif form < 0.8:
            before.append(f"int {name} = {value}; if (k > 100) {name} = 3;")
        elif form < 0.85:
            before.append(f"int {name} = {value} + 1, *at_{name} = &{name}; --*at_{name};")
        elif form < 0.9:
            before.append(f"int {name} = {value}; k += 2;")
            behind.append("k -= 2;")
        else:
            before.append(f"int {name} = 0; for (int w = 0; w < 2; w++) {name} = {value};")


def program(seed, loops=16):
    return shifts.program(seed, loops, Loop)
