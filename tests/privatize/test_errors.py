"""What cannot be made private, and what is no object: one exact message, status 1,
no output file."""

import os
import struct

import pytest

from privatize.common import assemble, compile_object
from support import PROCESSOR

DATA = "\n.data\n.globl x\nx: .quad 1,2,3\n.text\n"

# name: (assembly, the lines after 'in.o'). test_aarch64_programs.py has instructions of aarch64.
INSTRUCTIONS = {
    "segment": ("f: mov %fs:x,%eax",
                ":.text+0x0: error: cannot make 'x' private: instruction 'mov %fs:0x0000000000000000, %eax': "
                "it already has a segment override (R_X86_64_32S)"),
    "address size": ("f: nop; mov x(%eax),%ecx",
                     ":.text+0x1: error: cannot make 'x' private: instruction "
                     "'mov (%eax), %ecx': its address size is 32 bits (R_X86_64_32)"),
    "stack by lea": ("f: lea x(%rip),%rsp",
                     ":.text+0x0: error: cannot make 'x' private: instruction "
                     "'lea (%rip), %rsp': it uses the stack pointer (R_X86_64_PC32)"),
    "stack by lea base": ("f: lea x(%rsp),%rax",
                          ":.text+0x0: error: cannot make 'x' private: instruction "
                          "'lea (%rsp), %rax': it uses the stack pointer (R_X86_64_32S)"),
    "stack by mov": ("f: mov $x,%esp",
                     ":.text+0x0: error: cannot make 'x' private: instruction "
                     "'mov $0x00, %esp': it uses the stack pointer (R_X86_64_32)"),
    "stack by add": ("f: add $x,%rsp",
                     ":.text+0x0: error: cannot make 'x' private: instruction "
                     "'add $0x00, %rsp': it uses the stack pointer (R_X86_64_32S)"),
    "copied in 32 bits": ("f: mov $x,%ecx; inc %eax; mov %ecx,%edi",
                          ":.text+0x0: error: cannot make 'x' private: instruction "
                          "'mov $0x00, %ecx': its address is copied as 32 bits (R_X86_64_32)"),
    "product": ("f: imul $x,%rax,%rcx",
                ":.text+0x0: error: cannot make 'x' private: instruction "
                "'imul $0x00, %rax, %rcx': it has no form with a register operand (R_X86_64_32S)"),
    "call": ("f: call x",
             ":.text+0x0: error: cannot make 'x' private: instruction 'call +0x05': "
             "its relocation does not fit the operand (R_X86_64_PLT32)"),
    "call through the GOT": ("f: call *x@GOTPCREL(%rip)",
                             ":.text+0x0: error: cannot make 'x' private: instruction "
                             "'call (%rip)': it branches to data (R_X86_64_GOTPCRELX)"),
    "wide load from the GOT": ("f: movdqu x@GOTPCREL(%rip),%xmm0",
                               ":.text+0x0: error: cannot make 'x' private: instruction "
                               "'movdqu (%rip), %xmm0': it does more than read the "
                               "GOT entry (R_X86_64_GOTPCREL)"),
    "16 bits": ("f: mov $x,%ax",
                ":.text+0x0: error: cannot make 'x' private: instruction 'mov $0x00, %ax': its "
                "relocation does not fit the operand (R_X86_64_16)"),
}
# The relocations of 64 and 32 bits of an address, of a distance; the size of `ret`.
ABS64, ABS32, PREL32, RET = {"x86_64": ("R_X86_64_64", "R_X86_64_32", "R_X86_64_PC32", 1),
                             "aarch64": ("R_AARCH64_ABS64", "R_AARCH64_ABS32", "R_AARCH64_PREL32", 4)}[PROCESSOR]
SECTIONS = {
    "data in text": ("f: ret; .quad x",
                     f":.text+{RET:#x}: error: cannot make 'x' private: not the operand of an "
                     f"instruction ({ABS64})"),
    "described data in text": ("f: ret\n.type d,@object\n.size d,8\nd: .quad x",
                               f":.text+{RET:#x}: error: cannot make 'x' private: not the operand of an "
                               f"instruction ({ABS64})"),
    "32 bits of data": (".data; .long x",
                        ":.data+0x18: error: cannot make 'x' private: data of this form cannot hold "
                        f"the address of a thread's copy ({ABS32})"),
    "a distance": (".section .rodata; .long x - .",
                   ":.rodata+0x0: error: cannot make 'x' private: data of this form cannot hold "
                   f"the address of a thread's copy ({PREL32})"),
    "a distance from private data": (".data; .long text_label - .; .text; text_label: ret",
                                     ":.data+0x18: error: cannot make section private: the offset of "
                                     f"'text_label' differs from thread to thread ({PREL32})"),
    "a pointer for all threads": (".section upc_process,\"aw\"; p: .quad x+8",
                                  ":upc_process+0x0: error: cannot make 'x+8' private: this data is "
                                  f"shared by all threads ({ABS64})"),
    "a constructor": (".section .init_array,\"aw\",@init_array; .quad 0x1234",
                      ":.init_array+0x0: error: constructor or destructor is not a function"),
    "two mains": (".globl main, upc_main\nmain: ret\nupc_main: ret",
                  ":.text+0x0: error: both 'main' and 'upc_main' are defined"),
    "writable code": (".section .wx,\"awx\"; ret",
                      ":.wx+0x0: error: cannot make section private: it is both writable and executable"),
}
REFUSED = {**INSTRUCTIONS, **SECTIONS} if PROCESSOR == "x86_64" else SECTIONS


def refused(upct, path):
    output = upct.path("out.o")
    result = upct.run([upct.tool("upc-privatize"), path, "-o", output])
    assert result.returncode == 1, f"status with {result.stderr}"
    assert not os.path.exists(output), "an output file is there"
    assert result.stdout == "", "standard output"
    assert [n for n in os.listdir(upct.folder) if n.startswith("out.o")] == [], "leftovers"
    return result.stderr.replace(path, "in.o")


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_refused_with_a_reason(upct, name):
    text, wanted = REFUSED[name]
    assert refused(upct, assemble(upct, DATA + text + "\n")) == f"in.o{wanted}\n"


def test_more_than_a_thread_can_have(upct):
    text = "".join(f".section .bss.{n},\"aw\",@nobits\nv{n}: .zero 1500000000\n" for n in "ab")
    assert refused(upct, assemble(upct, text)) == (
        "in.o: error: 3000000000 bytes of private data exceed the limit of 2130706432 bytes per thread\n")
    text = "".join(f".section .bss.{n},\"aw\",@nobits\n.size {n},{size}\n.type {n},@object\n{n}: .zero {size}\n"
                   for n, size in (("a", 7), ("b", 1600000000), ("c", 1700000000)))
    assert refused(upct,
                   assemble(upct,
                            text)) == ("in.o: error: 3300000007 bytes of private data exceed the limit of 2130706432 bytes per thread; "
                                       "the largest symbols:\n    1700000000 c\n    1600000000 b\n             7 a\n")
    assert refused(upct, assemble(upct, ".comm big,3000000000,64\n")) == (
        "in.o: error: symbol 'big' is too large: 3000000000 bytes, aligned to 64\n")


def test_every_error_is_shown(upct):
    wrong = {"x86_64": "add $x,%rsp; sub $x,%rsp", "aarch64": "bl x; b x"}[PROCESSOR]
    got = refused(upct, assemble(upct, f"{DATA}f: {wrong}\n")).splitlines()
    assert len(got) == 3
    assert got[2] == "in.o: 2 errors"


def compiled(upct, name):
    return compile_object(upct, upct.write("x.c", "int x;\nint f (void) { return x; }\n"), name, flags=["-fno-asynchronous-unwind-tables"])


def variant(upct, change):
    """An object with some bytes changed by CHANGE."""
    with open(compiled(upct, "whole.o"), "rb") as f:
        image = bytearray(f.read())
    return upct.write("in.o", bytes(change(image)))


def patch(offset, data):
    return lambda image: image[:offset] + data + image[offset + len(data):]


def section_header(image, index):
    return struct.unpack_from("<Q", image, 40)[0] + 64 * index


# What the tool is for, and another machine.
OURS, OTHER, NUMBER = {"x86_64": ("x86-64", "aarch64", 183), "aarch64": ("aarch64", "x86-64", 62)}[PROCESSOR]
NO_OBJECTS = {
    "empty": (lambda image: b"", "the file is empty"),
    "text": (lambda image: b"hello, world", "not an ELF object"),
    "script": (lambda image: b"/* GNU ld script\n*/\nGROUP ( libm-2.36.a )\n",
               "a linker script; name the files that it names"),
    "archive": (lambda image: b"!<arch>\n",
                "an archive; link its members into one object with 'ld -r' first"),
    "bitcode": (lambda image: b"BC\xc0\xde1234", "LLVM bitcode; compile without -flto"),
    "short": (lambda image: image[:30], "truncated"),
    "header only": (lambda image: image[:64], None),
    "half": (lambda image: image[:len(image) // 2], None),
    "32 bits": (patch(4, b"\1"), f"not a 64-bit little-endian object; only {OURS} is supported"),
    "big-endian": (patch(5, b"\2"), f"not a 64-bit little-endian object; only {OURS} is supported"),
    "another processor": (patch(18, struct.pack("<H", NUMBER)), f"for {OTHER}, not {OURS}"),
    "executable": (patch(16, struct.pack("<H", 2)), "an executable, not a relocatable object"),
    "shared": (patch(16, struct.pack("<H", 3)),
               "a shared library or an executable, not a relocatable object"),
    "no sections": (patch(40, struct.pack("<Q", 0)), None),
    "sections beyond the end": (patch(40, struct.pack("<Q", 1 << 60)), None),
    "too many sections": (patch(60, struct.pack("<H", 60000)), None),
    "text without bytes": (lambda image: patch(section_header(image, 1) + 4, struct.pack("<I", 0))(image),
                           "section '.rela.text': relocation 0 is outside of its section"),
    "names in no section": (patch(62, struct.pack("<H", 9999)), None),
}


@pytest.mark.parametrize("name", sorted(NO_OBJECTS))
def test_no_object(upct, name):
    change, wanted = NO_OBJECTS[name]
    got = refused(upct, variant(upct, change))
    assert got.startswith("in.o: error: ") and got.count("\n") == 1
    if wanted:
        assert got == f"in.o: error: {wanted}\n"


def test_no_file(upct):
    assert refused(upct, upct.path("none.o")) == "in.o: error: No such file or directory\n"
    assert refused(upct, "/") == "in.o: error: not a regular file\n"


def test_lto_objects(upct):
    path = upct.write("in.c", "int x; int main (void) { return x; }\n")
    got = refused(upct, compile_object(upct, path, flags=["-O2", "-flto", "-fno-fat-lto-objects"]))
    assert got == "in.o: error: an object for link-time optimisation; compile without -flto\n"


def test_destination_that_cannot_be_written(upct):
    source = assemble(upct, DATA)
    result = upct.run([upct.tool("upc-privatize"), source, "-o", upct.path("none/out.o")])
    assert (result.returncode, result.stderr) == (1, f"{upct.path('none/out.o')}: error: No such file or directory\n")


def test_the_input_can_be_the_output(upct):
    source = compiled(upct, "in.o")
    upct.check_output([upct.tool("upc-privatize"), source, "-o", source])
    assert "upc_private" in upct.check_output(["readelf", "-SW", source]), "not rewritten"


@pytest.mark.parametrize("arguments, wanted", [(("in.o",), "no output file; name one with '-o'"), ((), "no input file"),
                                               (("--none", "in.o"), "unknown option '--none'"),
                                               (("in.o", "-o"), "no file after '-o'"),
                                               (("a.o", "b.o", "-o", "c.o"), "two input files: 'b.o'"),
                                               (("a.o", "-o", "b.o", "-o", "c.o"), "two output files: 'c.o'")])
def test_usage(upct, arguments, wanted):
    result = upct.run([upct.tool("upc-privatize"), *arguments])
    assert (result.returncode, result.stdout, result.stderr) == (
        2, "", f"upc-privatize: error: {wanted}; see upc-privatize --help\n")


def test_help_and_version(upct):
    assert "usage: upc-privatize" in upct.check_output([upct.tool("upc-privatize"), "--help"]), "no usage"
    assert "UPCT" in upct.check_output([upct.tool("upc-privatize"), "--version"]), "no version"
