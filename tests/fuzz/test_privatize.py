"""upc-privatize on damaged objects and archives: a bounded number of changes of each
seed, always the same. `scons fuzz` builds the same body for libFuzzer."""

import os

import pytest

from privatize import aarch64
from privatize.common import COMPILERS, archive_of_bsd, assemble, compile_object, read_bytes
from support import FULL, ROOT

pytestmark = [pytest.mark.host_only("the tool and what it reads are the same"), pytest.mark.only_asan("it is built with AddressSanitizer")]

GROUP = """
\t.section .data.grouped,"awG",@progbits,together,comdat
\t.weak grouped
grouped: .quad grouped, plain
\t.section .text.grouped,"axG",@progbits,together,comdat
\t.weak together
\t.type together,@function
together: mov grouped(%rip),%rax; incl plain(%rip); call *target(%rip); ret
\t.section .init_array,"awG",@init_array,together,comdat
\t.quad together
\t.text
hand: lea hand(%rip),%rdx; movzwl plain-hand(%rdx),%eax; jmp *table(,%rax,8)
table: .quad after
after: incl plain(%rip); ret
\t.type chosen,@gnu_indirect_function
chosen: call after; lea plain(%rip),%rax; ret
\t.size chosen, .-chosen
\t.data
plain: .quad together
target: .quad together
\t.comm tentative,400,32
\t.bss
large: .zero 400000
"""


GROUP_AARCH64 = """
\t.section .data.grouped,"awG",@progbits,together,comdat
\t.weak grouped
grouped: .quad grouped, plain
\t.section .text.grouped,"axG",@progbits,together,comdat
\t.weak together
\t.type together,@function
together: adrp x0,grouped; ldr x1,[x0,:lo12:grouped]; ldr x2,=plain; adr x3,plain; ldr w4,plain; ret
\t.ltorg
\t.section .init_array,"awG",@init_array,together,comdat
\t.quad together
\t.text
hand: adrp x0,:got:plain; ldr x0,[x0,:got_lo12:plain]; adr x1,table; ldr x1,[x1]; br x1
table: .quad after
after: movz x0,#:abs_g3:plain; movk x0,#:abs_g2_nc:plain; movk x0,#:abs_g1_nc:plain; movk x0,#:abs_g0_nc:plain
\tcbz x0,hand; tbnz x0,3,after; b.eq hand; bl chosen; b together
\t.type chosen,@gnu_indirect_function
chosen: adrp x0,plain; add x0,x0,:lo12:plain; ret
\t.size chosen, .-chosen
\t.data
plain: .quad together
\t.comm tentative,400,32
\t.bss
large: .zero 400000
"""


def with_archives(upct, made):
    """Those, and some of them in archives of both kinds."""
    made.append(upct.path("seeds.a"))
    upct.check_output(["ar", "rcs", made[-1], *made[:3], upct.write("a text that is no object.txt", "text\n")])
    made.append(upct.write("bsd.a", archive_of_bsd({"__.SYMDEF": bytes(8), "group.o": read_bytes(made[0])})))
    return made


def seeds_of_x86_64(upct):
    """Each kind of section and relocation that the tool reads."""
    made = [assemble(upct, GROUP, "group.o")]
    for cc in COMPILERS:
        for name, flags in (("plain", ["-O2"]), ("dwarf4", ["-O1", "-gdwarf-4"]),
                            ("dwarf5", ["-O0", "-gdwarf-5", "-fno-pie"]),
                            ("packed", ["-O2", "-g", "-gz", "-fPIC", "-ffunction-sections"])):
            made.append(compile_object(upct, upct.write("small.c", SMALL), f"{cc}-{name}.o", cc, flags))
    return with_archives(upct, made)


def seeds_of_aarch64(upct):
    if not aarch64.is_host:
        upct.use_target(aarch64.TARGET)
    made = [assemble(upct, GROUP_AARCH64, "group.o")]
    source = upct.write("small.c", SMALL)
    for cc in COMPILERS:
        for name, flags in (("plain", ["-O2"]), ("debug", ["-O1", "-g", "-fPIE", "-mbranch-protection=standard"]),
                            ("large", ["-O0", "-fno-pie", "-mcmodel=large"]), ("tiny", ["-O2", "-fno-pie", "-mcmodel=tiny"]),
                            ("packed", ["-O2", "-g", "-gz", "-fPIC", "-ffunction-sections"])):
            made.append(compile_object(upct, source, f"{cc}-{name}.o", cc, flags))
    upct.use_target("")
    return with_archives(upct, made)


SMALL = """
#include <stdlib.h>
static int counter = 5, zeros[10], *pointers[] = { &counter, zeros + 3, 0 };
int common, *const fixed = &counter;
static int (*call) (int);
static __attribute__ ((noinline)) int twice (int x) { zeros[x & 7] += x; return 2 * x; }
__attribute__ ((constructor)) static void begin (void) { call = twice; }
int work (int n)
{
  static int kept;
  switch (n)
    {
    case 0: kept++; break;
    case 1: kept += counter; break;
    case 2: counter *= zeros[2]; break;
    case 3: *pointers[n & 1] = kept; break;
    case 4: return rand ();
    default: common |= call (n);
    }
  return kept + *fixed;
}
"""


def check(upct, processor, seeds):
    count = 5000 if FULL else 100
    upct.check_output([os.path.join(ROOT, upct.build, f"tests/fuzz/privatize-{processor}"), "--mutate", count, *seeds])


def test_damaged_files_are_refused_or_rewritten(upct):
    check(upct, "x86_64", seeds_of_x86_64(upct))


@aarch64.needs_tools
def test_damaged_files_of_aarch64_are_refused_or_rewritten(upct):
    check(upct, "aarch64", seeds_of_aarch64(upct))
