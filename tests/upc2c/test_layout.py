"""What upc2c computes is what gcc computes: sizes, alignments, offsets, types and
values. Each constant becomes the block size of a pointer that is declared twice,
once with gcc's number; where they differ, the declarations conflict."""

import random
import re

import pytest

BASIC = ["char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long",
         "unsigned long", "long long", "unsigned long long", "float", "double", "long double", "_Bool",
         "__int128", "float _Complex", "double _Complex", "void *", "_Float128", "_Float16"]
INTEGERS = BASIC[:11] + ["_Bool"]


def agree(upct, declarations, expressions):
    """EXPRESSIONS, constants below 2^32, have the same values for gcc and upc2c."""
    program = declarations + "#include <stdio.h>\nint main (void)\n{\n"
    program += "".join(f'  printf ("%llu\\n", (unsigned long long) ({e}));\n' for e in expressions)
    upct.check_output(["gcc", "-w", "-x", "c", upct.write("p.c", program + "  return 0;\n}\n"), "-o", upct.path("p")])
    values = upct.check_output([upct.path("p")]).split()
    source = declarations
    for i, (e, value) in enumerate(zip(expressions, values)):
        source += f"extern shared [{e}] char *p{i};\nextern shared [{value}ul] char *p{i};\n"
    result = upct.run([upct.tool("upc2c"), "-fupc-pts=struct", upct.write("p.i", source), "-o", upct.path("p.out")])
    assert (result.stderr, result.returncode) == ("", 0), "disagreement"


def random_member(rng, i, kinds):
    attribute = rng.choice(["", "", "", "", " __attribute__ ((packed))", " __attribute__ ((aligned (16)))",
                            " __attribute__ ((aligned (2)))"])
    if rng.random() < 0.35:
        kind = rng.choice(INTEGERS)
        bits = 1 if kind == "_Bool" else {"char": 8, "short": 16, "int": 32}.get(kind.split()[-1], 64)
        bits = 32 if kind == "unsigned" else bits
        width = rng.randint(0, bits)
        name = "" if width == 0 or rng.random() < 0.1 else f"b{i}"
        return f"{kind} {name} : {width};", []
    kind = rng.choice(kinds)
    if rng.random() < 0.25:
        return f"{kind} m{i}[{rng.randint(0, 5)}]{attribute};", [f"m{i}"]
    if rng.random() < 0.5:
        attribute = re.sub(r"__attribute__ \(\((.*)\)\)", r"[[gnu::\1]]", attribute)
    return f"{kind} m{i}{attribute};", [f"m{i}"]


def random_record(rng, n, kinds):
    """Text of a record, its type, and the members with an offset."""
    word = rng.choice(["struct", "struct", "struct", "union"])
    members, names = [], []
    for i in range(rng.randint(1, 8)):
        text, own = random_member(rng, i, kinds)
        members.append(text)
        names += own
    if rng.random() < 0.2:
        members.append("struct { char inner; union { long deep; int flat : 5; }; };")
        names += ["inner", "deep"]
    attribute = rng.choice(["", "", "", " __attribute__ ((packed))", " __attribute__ ((aligned (32)))",
                            " __attribute__ ((packed, aligned (4)))"])
    text = f"{word} r{n} {{ {' '.join(members)} }}{attribute};\n"
    pack = rng.choice([0, 0, 0, 1, 2, 4, 8])
    if pack:
        text = f"#pragma pack (push, {pack})\n{text}#pragma pack (pop)\n"
    return text, f"{word} r{n}", names


@pytest.mark.parametrize("seed", range(8))
def test_records(upct, seed):
    rng = random.Random(seed)
    kinds = list(BASIC)
    declarations, expressions = "", []
    for n in range(60):
        text, kind, names = random_record(rng, n, kinds)
        declarations += text
        expressions += [f"sizeof ({kind})", f"_Alignof ({kind})"]
        expressions += [f"__builtin_offsetof ({kind}, {name})" for name in names]
        kinds.append(kind)
    agree(upct, declarations, expressions)


def test_basic_types(upct):
    vectors = "typedef int v4 __attribute__ ((vector_size (16)));\n" \
              "typedef int di __attribute__ ((mode (DI)));\n" \
              "typedef double a64 __attribute__ ((aligned (64)));\n" \
              "enum small { A, B }; enum large { C = 5000000000 }; enum negative { D = -1 };\n" \
              "enum __attribute__ ((packed)) byte { E, F };\n"
    kinds = BASIC + ["v4", "di", "a64", "enum small", "enum large", "enum negative", "enum byte",
                     "__builtin_va_list", "int (*) (void)", "char [3][7]", "__int128_t"]
    kinds += [] if upct.target else ["_Decimal64"]
    agree(upct, vectors, [f"{op} ({kind})" for kind in kinds for op in ("sizeof", "_Alignof")])


def test_types_of_operators(upct):
    kinds = INTEGERS + ["float", "double", "long double", "float _Complex"]
    declarations = "".join(f"{kind} v{i};\n" for i, kind in enumerate(kinds))
    declarations += "struct { int i : 5; unsigned u : 7; unsigned f : 32; long l : 40; } s;\n"
    every = [f"v{i}" for i in range(len(kinds))] + ["s.i", "s.u", "s.f", "'a'", "1u", "2l", "3ull",
                                                    "0x80000000", "4000000000", "1.0f", "L'x'"]
    number = " + ".join(f"{i + 1} * __builtin_types_compatible_p (__typeof__ (%s), {kind})"
                        for i, kind in enumerate(kinds + ["double _Complex", "long double _Complex"]))
    expressions = []
    for i, a in enumerate(every):
        for b in every[i:]:
            expressions.append(f"{a} + {b}")
            expressions.append(f"1 ? {a} : {b}")
        expressions += [f"!{a}", f"-{a}"]
    agree(upct, declarations, [number % ((f"({e})",) * (len(kinds) + 2)) for e in expressions])


def test_constant_expressions(upct):
    agree(upct, "enum { A = 3, B, C = B << 4 };\n", [
        "A + B * C", "C / B % 7", "1 ? 2 : 3", "0 ?: 7", "(5 > 3) + (5 < 3) * 2", "-1 < 0u", "~0u >> 5",
        "(unsigned char) 300", "(signed char) 200 + 300", "sizeof (char [A][B])", "1 || 1 / 0", "0 && 1 / 0",
        "'a' + '\\n' + '\\x7f' + '\\101'", "'ab'", "sizeof \"abc\" \"de\"", "sizeof L\"abc\"", "sizeof u8\"\\u20ac\"",
        "sizeof u\"\\U0001F600\"", "sizeof \"\\x414243\"", "0b1011", "0x7fu", "010", "(int) 3.99", "(char) 65.5f + 1",
        "7 ^ 2 | 8 & 12", "10 - 3 - 2", "2 << 3 >> 1", "__builtin_types_compatible_p (int, const int)",
        "_Generic (1.0, int: 1, double: 2, default: 3)", "_Generic ((char) 1, int: 1, default: 3)",
        "__builtin_choose_expr (1, 5, \"x\")", "sizeof (int (*)[5])", "(_Bool) 5", "1ull << 31", "-5 / 2 + 10",
        "-5 % 3 + 10", "(unsigned short) -1", "(int) 0x1p4", "sizeof (1.0f + 1)",
        "!0 + !5", "+'a'", "sizeof (int[]) { 1, 2, 3 }", "sizeof ((char[]) { [4] = 1, 2 })",
        "sizeof ((struct { char c; int i; }[]) { 1, 2, 3, 4, 5 })", "sizeof (char[]) { \"hello\" }",
    ])
