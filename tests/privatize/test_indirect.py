"""Indirect functions: their resolvers see the statics of the thread that calls them."""

import re

import pytest

from privatize.common import CODE_MODELS, COMPILERS, assemble, compile_object, privatize, same_in_each_thread

SOURCE = """
extern void say (const char *format, ...);
static int level = 3, resolved, *where = &level;
static int one (int x) { return x + level++; }
static int two (int x) { return 2 * x + level++; }
static __attribute__ ((noinline)) int is_wide (void) { return *where == 3; }
static void *choose (void) { resolved = 7; return level == 3 ? (void *) two : (void *) one; }
static void *choose_by_call (void) { return is_wide () ? (void *) two : (void *) one; }
int shown (int) __attribute__ ((ifunc ("choose")));
static int hidden (int) __attribute__ ((ifunc ("choose_by_call")));
int (*pointer) (int) = shown;
static int (*const fixed[]) (int) = { hidden, shown };
static __attribute__ ((constructor)) void begin (void) { resolved += shown (1); }
void body (void)
{
  for (int i = 0; i < 3; i++)
    say ("%d %d %d %d %d\\n", shown (i), hidden (i), pointer (i), fixed[0] (i) + fixed[1] (i), resolved);
}
"""

# What compilers make of target_clones, and what only takes an address: nothing private.
PLAIN = """
#ifdef __x86_64__
__attribute__ ((target_clones ("avx2", "default"))) int cloned (int *a) { return a[0] + a[1]; }
#else
static int added (int *a) { return a[0] + a[1]; }
static void *choose_added (void) { return (void *) added; }
int cloned (int *) __attribute__ ((ifunc ("choose_added")));
#endif
static int one (void) { return 1; }
static void *choose (void) { return (void *) one; }
int taken (void) __attribute__ ((ifunc ("choose")));
static int kept;
int use (void) { return kept++ + taken (); }
"""


@pytest.mark.parametrize("cc, level, model", [(cc, level, model) for cc in COMPILERS for level, model in
                                              (("-O0", "pic"), ("-O2", "nopie"), ("-O2", "pie"), ("-Os", "static"))])
def test_resolvers_are_asked_by_each_thread(upct, cc, level, model):
    # The plain program's resolvers are asked before statics have their relocated values.
    compile_flags, link_flags = CODE_MODELS["nopie" if model == "static" else model]
    if model == "static":
        link_flags = ["-static"]
    source = compile_object(upct, upct.write("indirect.c", SOURCE), cc=cc, flags=[level, *compile_flags])
    same_in_each_thread(upct, source, link_flags)


@pytest.mark.parametrize("flags", ["-O0", "-O2 -fPIC"])
def test_those_without_statics_stay(upct, flags):
    out = privatize(upct, compile_object(upct, upct.write("plain.c", PLAIN), flags=flags.split()))
    kinds = dict(reversed(line.split()[1:]) for line in upct.check_output(["nm", "--defined-only", out]).splitlines())
    assert [kinds[name] for name in ("cloned", "taken", "use")] == ["i", "i", "T"]


# Of a processor: what returns an address.
ADDRESS = {"x86_64": "lea {0}(%rip),%rax; ret", "aarch64": "adrp x0,{0}; add x0,x0,:lo12:{0}; ret"}


def test_resolvers_in_groups_and_without_a_size(upct):
    address_of = ADDRESS[upct.processor].format
    source = assemble(upct, f"""
    .section .text.grouped,"axG",@progbits,together,comdat
    .weak chosen
    .type chosen,@gnu_indirect_function
    .type together,@function
    .weak together
together:
chosen: {address_of("n")}
    .size chosen, .-chosen
    .text
    .globl sizeless
    .type sizeless,@gnu_indirect_function
sizeless: {address_of("target")}
target: ret
    .section .text.empty,"ax",@nobits
    .type absent,@gnu_indirect_function
absent: .zero 8
    .size absent, 8
    .data
n:  .quad sizeless
""")
    out = upct.path("out") + "/"
    upct.check_output([upct.tool("upc-privatize"), source, "-o", out])
    symbols = upct.check_output(["readelf", "-sW", out + "in.o"])
    assert re.search(r"FUNC +WEAK +DEFAULT +\d+ chosen", symbols) and re.search(r"FUNC +GLOBAL +DEFAULT +\d+ sizeless",
                                                                                symbols)
    groups = upct.check_output(["readelf", "-gW", out + "in.o"])
    assert sorted(re.findall(r"\] +(\S*choices)", groups)) == [
        ".bss.upc_choices", ".rela.text.upc_choices", ".relaupc_choices", ".text.upc_choices", "upc_choices"]
    assert len(re.findall("upc_choices", upct.check_output(["readelf", "-SW", out + "in.o"]))) == 10
