"""The checked heap over processes, made wrong in one place: its unit test must fail."""

import glob
import os

import pytest

from support import ROOT

pytestmark = [pytest.mark.host_only("the unit test is of the host"), pytest.mark.no_sanitizers("it is compiled without them")]

CHECKED = "runtime/shared/network/checked.c"
COMPILE = ["gcc", "-std=gnu11", "-O0", "-w", "-D_GNU_SOURCE", "-fPIE"]

# A piece of CHECKED, and what stands there instead.
MUTANTS = [
    ("record->is_symmetric ? 0 : upcr_process_of (record->thread)", "0"),
    ("  if (record.is_symmetric)\n    ask_all (&request, -1, NULL);", "  if (false)\n    ask_all (&request, -1, NULL);"),
    ("ask_all (&request, -1, NULL);", "ask_all (&request, 0, NULL);"),
    ("  if (record->is_symmetric)\n    ask_all", "  ask_all"),
    ("ask_all (&request, 0, &answer.freed);", "ask_all (&request, -1, &answer.freed);"),
    ("ask_all (&request, 0, &answer.freed);", "ask_all (&request, 0, NULL);"),
    ("  tell_left (&answer);\n", ""),
    ("&& answer->left_count < MOST_LEFT", "&& answer->left_count < MOST_LEFT - 1"),
    ("answer->left[i] }, 0, &answer->freed);", "answer->left[i] }, 0, NULL);"),
    ("answer->left[i] }, 0, &answer->freed);", "answer->left[i] }, -1, &answer->freed);"),
    ("if (left_count < (int) (sizeof left / sizeof *left))", "if (left_count < (int) (sizeof left / sizeof *left) / 2)"),
    ("  if (thread >= (uint32_t) THREADS)\n    return (struct upcr_freed){ .verdict = UPCR_BLOCK_NONE };\n", ""),
    ("ask (upcr_process_of (thread), &request).answer;", "ask (0, &request).answer;"),
    ("|| upcr_is_near (upcr_segment_address (thread, 0)))", "|| true)"),
    ("ask (upcr_process_of (thread), &request).answer.value", "ask (0, &request).answer.value"),
    ("return upcr_is_far (address)\n", "return true\n"),
    ("upcr_is_checked || offset >= upcr_symmetric_end ()", "upcr_is_checked"),
    ("upcr_is_checked || offset >= upcr_symmetric_end ()", "offset >= upcr_symmetric_end ()"),
    ("upcr_is_checked || offset >= upcr_symmetric_end ()", "true"),
    ("ask_for_text (upcr_process_of (thread), &request, text, size);\n}", "ask_for_text (0, &request, text, size);\n}"),
    ("ask_for_text (upcr_process_of (request.thread)", "ask_for_text (0 * (request.thread)"),
    ("replies[p].answer.freed.verdict != UPCR_BLOCK_FREED", "false"),
    ("p != but && replies", "replies"),
    ("answer.freed.verdict = UPCR_BLOCK_OVERRUN;\n  return answer;\n}\n\nstatic struct answer\nleave_here", "return answer;\n}\n\nstatic struct answer\nleave_here"),
    ("ask (0, &(struct request){ .question = QUARANTINED, .offset = from })", "ask (0, &(struct request){ .question = QUARANTINED })"),
    ("list.count < most ? list.count : most", "list.count"),
]


def test_each_mutant_of_the_checked_heap_is_found(upct):
    sources = [path for path in sorted(glob.glob(f"{ROOT}/runtime/net/*.c")) if not os.path.basename(path).startswith(("mpi", "near"))]
    sources.append(f"{ROOT}/runtime/host/network/own.c")
    includes = [f"-I{ROOT}", f"-I{ROOT}/include"]
    objects = []
    for source in sources:
        objects.append(upct.path(os.path.basename(source)[:-2] + ".o"))
        upct.check_output([*COMPILE, *includes, "-DUPCR_NETWORK", "-c", source, "-o", objects[-1]])

    def passes():
        upct.check_output([*COMPILE, f"-I{upct.folder}", *includes, f"{ROOT}/tests/unit/net/test_checked.c", *objects,
                           upct.library("libupc.a"), "-lcmocka", "-lpthread", "-lm", "-o", "checked"])
        return upct.run([upct.path("checked")]).returncode == 0

    with open(os.path.join(ROOT, CHECKED), encoding="utf-8") as file:
        text = file.read()
    os.makedirs(os.path.dirname(upct.path(CHECKED)))
    assert passes()
    for piece, instead in MUTANTS:
        assert piece in text, piece
        upct.write(CHECKED, text.replace(piece, instead, 1))
        assert not passes(), f"{instead} for {piece}"
