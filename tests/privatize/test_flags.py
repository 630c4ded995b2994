"""Objects made with switches that change what compilers put into them. Of many a part;
with full=1 all."""

import pytest

from privatize.common import compile_object, same_in_each_thread
from support import FULL, PROCESSOR

BOTH = [
    "-Og -g3", "-O2 -fPIC -fno-plt", "-O1 -finstrument-functions", "-O2 -fpatchable-function-entry=5,2", "-O2 -ftrivial-auto-var-init=pattern",
    "-O2 -fstack-protector-all", "-O1 -g -gsplit-dwarf", "-O2 -g -gz", "-O2 -g -gz=zlib -gdwarf-4",
    "-O2 -ftls-model=initial-exec -fPIC", "-O3 -fno-asynchronous-unwind-tables -fno-unwind-tables",
    "-O2 -funroll-loops -fomit-frame-pointer", "-O2 -fno-common -fno-jump-tables", "-O2 -fstack-clash-protection",
    "-O2 -fno-pie -fvisibility=hidden",
    "-Os -fno-pic -ffunction-sections", "-O2 -pg", "-Ofast -march=native", "-O2 -fno-builtin -fno-strict-aliasing -fwrapv",
    "-O2 -fexceptions -fnon-call-exceptions", "-O2 -fno-pie -fshort-enums -fpack-struct=1",
]
GCC = [
    "-O2 -fsection-anchors", "-O2 -fno-toplevel-reorder", "-O2 -mharden-sls=all", "-O2 -fzero-call-used-regs=all",
    "-O2 -fgnu-tm", "-O2 -Wa,--elf-stt-common=yes -fcommon", "-O2 -Wa,--compress-debug-sections=zlib-gabi -g",
    "-O1 -fsanitize=undefined -fsanitize-undefined-trap-on-error",
]
CLANG = [
    "-O2 -funique-internal-linkage-names -ffunction-sections",
    "-O2 -mspeculative-load-hardening", "-O2 -fno-integrated-as", "-O2 -fdirect-access-external-data -fPIE",
    "-O2 -fxray-instrument -fxray-instruction-threshold=1", "-O2 -fembed-bitcode",
    "-O2 -gline-tables-only", "-O2 -fstack-size-section", "-O2 -mllvm -enable-machine-outliner=always",
]
# Those of a processor.
if PROCESSOR == "aarch64":
    BOTH += ["-O2 -mbranch-protection=standard", "-O2 -moutline-atomics", "-O2 -march=armv8.1-a+lse", "-O2 -mno-outline-atomics -fPIC",
             "-O2 -ffixed-x18 -mstrict-align", "-O2 -fno-pie -mcmodel=large", "-O2 -fno-pie -mcmodel=tiny"]
    GCC += ["-O2 -mtrack-speculation", "-O2 -mtls-dialect=trad -fPIC", "-O2 -mpc-relative-literal-loads", "-O2 -mtls-size=48 -fno-pie",
            "-O1 -mfix-cortex-a53-835769 -mfix-cortex-a53-843419"]
    CLANG += ["-O2 -mharden-sls=all", "-O2 -mfix-cortex-a53-835769",
              # libgcc has no check of products of 128 bits.
              "-O1 -fsanitize=undefined -fno-sanitize=signed-integer-overflow -fsanitize-undefined-trap-on-error"]
else:
    BOTH += ["-O2 -mno-red-zone", "-O2 -fcf-protection=full", "-O2 -fno-pie -fcf-protection=branch", "-O2 -fno-pie -mcmodel=kernel",
             "-O2 -fsplit-stack", "-O2 -pg -mfentry", "-O2 -mstackrealign -mno-sse4.2", "-O2 -mtls-direct-seg-refs"]
    GCC += ["-O2 -gstabs+", "-O2 -mindirect-branch=thunk", "-O2 -mindirect-branch=thunk-inline -mfunction-return=thunk", "-O2 -mcmodel=large -fPIC",
            "-O2 -fno-pie -mcmodel=medium -mlarge-data-threshold=8", "-O1 -mrecord-mcount -pg", "-O2 -mnop-mcount -pg -mfentry -fno-pie",
            "-O2 -Wa,-mx86-used-note=yes", "-O2 -fdata-sections -Wa,-mrelax-relocations=no -fPIC"]
    CLANG += ["-O2 -mretpoline", "-O2 -fbasic-block-sections=all", "-O2 -fsplit-machine-functions",
              "-O1 -fsanitize=undefined -fsanitize-undefined-trap-on-error"]
EVERY = [("gcc", flags) for flags in GCC + BOTH] + [("clang", flags) for flags in CLANG + BOTH]


@pytest.mark.parametrize("cc, flags", EVERY if FULL else EVERY[::5])
def test_switches(upct, cc, flags):
    link = "-no-pie" if "no-pi" in flags else "-pie"
    words = ["-fPIE"] if link == "-pie" else []
    same_in_each_thread(upct, compile_object(upct, "statics.c", cc=cc, flags=[*words, *flags.split()]), [link])
