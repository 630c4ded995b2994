"""Each form of an instruction that reaches private memory, executed as it was and
privatized: registers, flags, red zone and memory must agree. After a `~` the flags
are those of an address, which no two programs have in common."""

import os
import re

import pytest

from privatize.common import compile_object, merge, same_in_each_thread
from support import ROOT

pytestmark = pytest.mark.only_x86_64("instructions of x86-64")

REGISTERS = ["rax", "rcx", "rdx", "rbx", None, "rbp", "rsi", "rdi"] + [f"r{n}" for n in range(8, 16)]

# Any code model: relative addresses and the GOT.
RELATIVE = """
movq area(%rip),%xmm0
.byte 0x4a,0x8b,0x05; .long area-.-4
movq %xmm1,zone+8(%rip)
movd area+4(%rip),%xmm1
movd %xmm0,zone+4(%rip)
movups area+1(%rip),%xmm0
movups %xmm1,zone+1(%rip)
movdqa area+16(%rip),%xmm0
movdqa %xmm1,zone+16(%rip)
movdqu area+3(%rip),%xmm2
movapd area+32(%rip),%xmm3
movhps area+8(%rip),%xmm0
movhps %xmm1,zone+8(%rip)
movhpd area+8(%rip),%xmm0
movlps area+8(%rip),%xmm1
movlpd %xmm1,zone+8(%rip)
paddq area+16(%rip),%xmm0
psubd area(%rip),%xmm1
pand area(%rip),%xmm0
por area(%rip),%xmm0
pxor area+16(%rip),%xmm0
pandn area(%rip),%xmm1
pcmpeqd area(%rip),%xmm0
pmuludq area(%rip),%xmm0
pmullw area(%rip),%xmm0
punpcklqdq area(%rip),%xmm0
punpckhdq area(%rip),%xmm1
packuswb area(%rip),%xmm0
pshufd $0x1b,area(%rip),%xmm0
pinsrw $3,area(%rip),%xmm0
psllq area(%rip),%xmm0
unpcklps area(%rip),%xmm0
shufps $0x1b,area(%rip),%xmm0
andps area(%rip),%xmm0
andnpd area(%rip),%xmm0
orps area(%rip),%xmm1
xorps area(%rip),%xmm0
xorpd area(%rip),%xmm1
addss area(%rip),%xmm0
addsd area+8(%rip),%xmm0
addpd area(%rip),%xmm0
subss area(%rip),%xmm0
subsd area(%rip),%xmm1
mulss area(%rip),%xmm0
mulsd area(%rip),%xmm1
mulpd area(%rip),%xmm1
divss area(%rip),%xmm0
divsd area(%rip),%xmm1
minsd area(%rip),%xmm0
maxss area(%rip),%xmm0
sqrtss area(%rip),%xmm0
cmpltsd area(%rip),%xmm0
ucomisd area(%rip),%xmm0
comisd area(%rip),%xmm0
ucomiss area(%rip),%xmm1
cvtss2sd area(%rip),%xmm0
cvtsd2ss area(%rip),%xmm0
cvtsi2sdl area(%rip),%xmm0
cvtsi2ssq area(%rip),%xmm0
cvttsd2si area(%rip),%eax
cvttss2si area(%rip),%rcx
cvtdq2pd area(%rip),%xmm0
cvtps2pd area(%rip),%xmm0
mov $0,%edx; mov $9,%eax; idivl area+4(%rip)
cmovs area(%rip),%eax
cmovbe area(%rip),%rcx
cmovg area+4(%rip),%r9d
setbe zone(%rip)
setg zone+3(%rip)
btcl $5,area(%rip)
btrq $33,area(%rip)
lock btsl $3,zone(%rip)
movsbl area(%rip),%eax
movswq area(%rip),%rcx
movslq area(%rip),%r10
movzwl area+2(%rip),%edx
sarl $3,area(%rip)
rorq %cl,zone(%rip)
rclb area(%rip)
movnti %eax,zone(%rip)
movntps %xmm0,zone(%rip)
prefetcht0 area(%rip)
popcnt area(%rip),%rax
movbe area(%rip),%ecx
crc32l area(%rip),%eax
lock cmpxchg8b zone(%rip)
lock xchg %al,area(%rip)
flds area(%rip); fstps zone(%rip)
fldl area(%rip); fstpl zone(%rip)
fildl area(%rip); fistpl zone(%rip)
fildll area(%rip); fistpll zone(%rip)
fld1; fadds area(%rip); fstpl zone(%rip)
fld1; fisttpll zone(%rip)
fldt area(%rip); fstpt zone(%rip)
fnstcw zone(%rip)
stmxcsr zone(%rip)
mov area(%rip),%eax
mov area+4(%rip),%r9
mov %al,area(%rip)
mov %r10w,area+2(%rip)
mov %rcx,zone+8(%rip)
movl $0x12345678,area+12(%rip)
movw $0x1234,area+12(%rip)
movb $0x12,area+12(%rip)
movq $-5,zone(%rip)
movq $local_text,zone(%rip)
add %eax,area(%rip)
addl $1,area+16(%rip)
addl $0x11223344,area+16(%rip)
subq $8,zone(%rip)
adc area+1(%rip),%rbx
sbb %rbx,area+3(%rip)
and area(%rip),%r11
or %r12,area(%rip)
xor $7,%eax; xorb $3,area(%rip)
cmp area(%rip),%rax
cmpb $0x39,area+8(%rip)
cmpl $300,area+8(%rip)
test %esi,area(%rip)
testl $0x40404040,area(%rip)
testb $4,area+9(%rip)
incl area(%rip)
decq area+7(%rip)
negw area(%rip)
notq area(%rip)
mulq area(%rip)
imul area(%rip),%rcx
imul $77,area(%rip),%r8
imul $1000000,area(%rip),%r8d
mov $0,%edx; divl area+4(%rip)
shlq $3,area(%rip)
shrl %cl,area(%rip)
rolw area(%rip)
shld $5,%rax,area(%rip)
shrd %cl,%rax,area(%rip)
bt $9,area(%rip)
btsl $9,area(%rip)
bsr area(%rip),%rax
xchg %rax,area(%rip)
xadd %ecx,area(%rip)
lock xaddq %rcx,zone(%rip)
lock incl area(%rip)
lock cmpxchg %rcx,area(%rip)
lock cmpxchg16b zone(%rip)
lock orl $0x1000,area+4(%rip)
cmove area(%rip),%rax
cmovne area(%rip),%r15d
sete area(%rip)
setne zone+5(%rip)
movzbl area+3(%rip),%eax
movzwl area+3(%rip),%r8d
movsbq area+30(%rip),%rax
movslq area+36(%rip),%r14
movsbw area(%rip),%ax
pushq area(%rip); pop %rax
pushq area(%rip); pop zone+8(%rip)
lea area(%rip),%rax
lea area+2048(%rip),%rdi
lea area-1(%rip),%r12
lea zone+16(%rip),%rsi; mov (%rsi),%eax
lea area(%rip),%rbp
lea area(%rip),%r13
mov area@GOTPCREL(%rip),%rax
mov zone@GOTPCREL(%rip),%r15
mov area@GOTPCREL(%rip),%rcx; addl $3,8(%rcx)
lea zone(%rip),%rax; cmp area@GOTPCREL(%rip),%rax; mov $0,%eax; sete %al; xor %ecx,%ecx
lea area(%rip),%rax; cmp area@GOTPCREL(%rip),%rax
lea area(%rip),%rax; cmp %rax,area@GOTPCREL(%rip)
lea area+24(%rip),%rax; sub area@GOTPCREL(%rip),%rax
~add area@GOTPCREL(%rip),%rax
~add zone@GOTPCREL(%rip),%r11
push area@GOTPCREL(%rip); pop %rdx
cmovne area@GOTPCREL(%rip),%rax
cmove area@GOTPCREL(%rip),%rax
~cmpq $0,area@GOTPCREL(%rip)
movq area@GOTPCREL(%rip),%xmm0
movq area@GOTPCREL(%rip),%xmm1; movhps zone@GOTPCREL(%rip),%xmm1
movhpd area@GOTPCREL(%rip),%xmm2
~xor %eax,%eax; xor area@GOTPCREL(%rip),%rax
lea area(%rip),%rax; mov area@GOTPCREL(%rip),%cl; sub %al,%cl; mov $0,%eax
lea area(%rip),%rax; movzbl area@GOTPCREL(%rip),%ecx; sub %al,%cl; mov $0,%eax
lea area(%rip),%rax; mov area@GOTPCREL(%rip),%r9d; sub %eax,%r9d; mov $0,%eax
lea area(%rip),%rax; cmp area@GOTPCREL(%rip),%ax; mov $0,%eax
movss area(%rip),%xmm1
movsd area+8(%rip),%xmm0
movsd %xmm1,zone+8(%rip)
movaps area(%rip),%xmm2
movaps %xmm2,zone+16(%rip)
movdqu %xmm3,zone+3(%rip)
paddd area+32(%rip),%xmm0
pshufd $0x1b,area(%rip),%xmm0
pinsrw $3,area(%rip),%xmm0
pinsrq $1,area+8(%rip),%xmm0
pextrb $3,%xmm1,area(%rip)
pshufb area(%rip),%xmm1
palignr $3,area(%rip),%xmm1
ucomisd area(%rip),%xmm0
cvtsi2sdl area(%rip),%xmm0
cvttss2si area(%rip),%eax
addps area+48(%rip),%xmm1
sqrtsd area(%rip),%xmm2
movlps area(%rip),%xmm0
movnti %rax,zone+8(%rip)
movntdq %xmm1,zone+16(%rip)
crc32l area(%rip),%eax
popcnt area(%rip),%rax
movbe area(%rip),%rax
fldt area(%rip); fstpt zone(%rip)
fldl area(%rip); fstpl zone(%rip)
fildll area(%rip); fistpll zone(%rip)
fld1; faddl area(%rip); fstps zone(%rip)
fnstcw zone(%rip)
ldmxcsr control(%rip); stmxcsr zone+8(%rip)
prefetcht0 area(%rip)
lea local_text(%rip),%rdx; movzwl area+2-local_text(%rdx),%eax; mov $0,%edx
lea local_text(%rip),%rdx; mov $3,%ecx; movzbl area-local_text(%rdx,%rcx,4),%eax; xor %ecx,area-local_text(%rdx)
lea local_text(%rip),%r12; mov $2,%r9d; addw $0x1234,zone-local_text(%r12,%r9,2)
lea local_text(%rip),%r13; mov $5,%ecx; lea area-local_text(%r13,%rcx,8),%r13
lea local_text(%rip),%rax; mov $5,%ecx; lea zone-local_text(%rcx,%rax),%rcx
lea local_text(%rip),%rsi; movdqu area+16-local_text(%rsi),%xmm1; mov %rsi,zone-local_text(%rsi)
call *pointer(%rip); lea 0f(%rip),%r11; 0: sub %r10,%r11
call *pointer+8(%rip); 0: lea 0b(%rip),%r11; sub %r10,%r11
notrack jmp *jump(%rip)
movabs area+8,%rax
movabs area+8,%al
movabs %eax,zone+16
movabs %ax,zone+18
movabs $area,%rax
movabs $zone+8,%r12
movabs $area-0x40dcd3a9739dd2e0,%r14; movabs $0x40dcd3a9739dd2e0,%rax; lea (%rax,%r14),%r14; mov (%r14),%ecx
movabs $area+0x100000008,%rax; movabs $-0x100000000,%rcx; lea (%rax,%rcx),%rax; mov (%rax),%edx
mov %fs:0,%rax; mov $0,%eax; mov area(%rip),%al
cs mov area(%rip),%eax
jmp 1f; 0: nop; jmp 2f; 1: mov area(%rip),%eax; jmp 0b; 2: inc %ecx
stc; mov area(%rip),%eax; adc $0,%ecx
mov $3,%ecx; xor %edx,%edx; 0: add area(%rip),%edx; imul $3,%edx; add zone+4(%rip),%edx; dec %ecx; jne 0b
mov $5,%ecx; jmp 1f; 0: add area(%rip),%edx; 1: add %ecx,%edx; mov %edx,zone(%rip); sub $1,%ecx; ja 0b
incl area(%rip); push %rax; incl area(%rip); pop %rcx; incl area(%rip); lea 8(%rsp),%rdx; sub %rsp,%rdx; incl area(%rip)
mov area(%rip),%eax; mov public(%rip),%ecx; lea public(%rip),%rdx; sub %rdx,%rdx; mov zone(%rip),%r8d
mov area(%rip),%eax; cmpl $0x55,public(%rip); sete %cl; mov zone(%rip),%r8d; jmp 1f; ud2; 1: incl zone(%rip)
call 1f; 1: pop %r9; incl area(%rip); lea 1b(%rip),%r10; sub %r10,%r9; incl area(%rip)
cld; lea area(%rip),%rsi; lea zone+128(%rip),%rdi; mov $16,%ecx; rep movsl
"""

# Position-dependent code: absolute addresses of 32 bits.
ABSOLUTE = """
mov $8,%ecx; movapd area(%rcx,%rcx),%xmm0
mov $1,%ecx; movsbl area(%rcx),%eax
mov $2,%ecx; movswl area(,%rcx,2),%eax
mov $3,%ecx; sub %eax,zone(,%rcx,4)
mov $3,%ecx; sub area(,%rcx,4),%eax
mov $3,%ecx; or %rax,zone(,%rcx,8)
mov $3,%ecx; mulsd area(,%rcx,8),%xmm0
mov $3,%ecx; ucomisd area(,%rcx,8),%xmm0
mov $4,%ecx; movhps area(,%rcx,8),%xmm0
mov $4,%ecx; movdqa area(,%rcx,8),%xmm0
mov $4,%ecx; movaps %xmm1,zone(,%rcx,8)
mov $4,%ecx; cvtsi2sdl area(,%rcx,8),%xmm0
mov $4,%ecx; lock incl zone(,%rcx,8)
mov $4,%ecx; lock cmpxchg %eax,zone(,%rcx,8)
mov $4,%ecx; xchg %rax,zone(,%rcx,8)
mov $4,%ecx; push area(,%rcx,8); pop zone(,%rcx,8)
mov $4,%ecx; fldl area(,%rcx,8); fstpl zone(,%rcx,8)
~mov $area,%esi; mov $4,%ecx; rep lodsb
~mov $zone,%edi; mov $7,%ecx; mov $3,%eax; rep stosl
~mov $area,%esi; mov $area+64,%edi; mov $9,%ecx; repe cmpsb; mov $0,%esi; mov $0,%edi
~mov $area,%edi; mov $9,%ecx; mov $0x39,%eax; repne scasb; mov $0,%edi
mov area,%eax
mov area(%rcx),%eax
mov area(,%rcx,8),%rax
mov area+16(%rcx,%rdx,4),%al
mov %eax,zone(%rbx)
mov %r9,zone-8(,%rsi,2)
movzbl area-1(%rax),%ecx
addl $5,zone(,%r12,4)
movl $77777,zone+4(%r13)
movl $77777,zone+4(%r12)
incq zone(%rbp)
cmpb $3,area(%r8,%r9)
mov $area,%eax
mov $area+8,%edi
mov $zone,%r15d
mov $area,%ecx; mov %ecx,%edi; movzbl (%rdi),%eax
mov $area+8,%r9d; mov %r9d,%esi; movzbl (%rsi),%eax
mov $area,%eax; mov %eax,%r12d; movb $7,(%r12); mov %rax,%rbx
mov $area,%ecx; .byte 0x8b,0xf9; movzbl (%rdi),%eax
mov $area,%ecx; mov %ecx,%ecx; movzbl (%rcx),%eax
movq $area,%rax
movq $area-1,%r9
movq $area,zone(%rip)
movq $area+3,zone
movq $area+3,zone(%rax)
movq $area+3,zone(,%rcx,8)
movq $area,-8(%rsp)
movq $area,-64(%rsp)
movq $area,-128(%rsp)
movq $area,-128(%rsp,%rcx,8)
movq $zone,area+8(%rip)
lea zone(%rip),%r11; movq $area,(%r11)
lea zone(%rip),%r11; movq $area,16(%r11)
~lea zone(%rip),%r10; movq $0,64(%r10); lock; addq $area,64(%r10)
push $area; pop %rax
push $zone+17; pop %rcx
push $area; pop zone+8(%rip)
lea area,%rax
lea area,%r12
lea area(%rax),%rax
lea area(%rdi),%rax
lea area(%rcx),%rbx
lea area+3(,%rcx,8),%rbx
lea area+3(,%rcx,8),%rcx
lea area(%rcx,%rdx,4),%rsi
lea area(%rcx,%rdx,4),%rdx
lea area(%rcx,%rdx,4),%rcx
lea area(%rcx,%rcx),%rcx
lea area(%r12,%r13,2),%r12
lea area(%rbp),%r13
lea area(%r13),%rbp
lea area(%r11,%r10),%r11
~add $area,%rax
~add $area,%rcx
~add $area-64,%r13
~sub $area,%rcx; add $area,%rcx
~sub $area,%rax; add $area,%rax
lea area+24(%rip),%rcx; sub $area,%rcx
lea area+24(%rip),%rax; sub $area,%rax
lea area+24(%rip),%edi; sub $area,%edi
lea area+24(%rip),%rax; cmp $area,%rax
lea area+24(%rip),%rax; cmp $area+24,%rax
lea area+24(%rip),%rbx; cmp $area+25,%rbx
lea area+24(%rip),%r11; cmp $area+25,%r11
lea area(%rip),%rax; mov %rax,zone(%rip); cmpq $area,zone(%rip); sete %cl
lea area(%rip),%rax; mov %rax,zone(%rip); cmpq $area+1,zone; setb %cl
lea area(%rip),%rax; mov %rax,-32(%rsp); cmpq $area+1,-32(%rsp)
lea area(%rip),%rax; mov %rax,zone(%rip); subq $area,zone(%rip)
lea area(%rip),%rax; mov %rax,zone(%rip); mov $0,%ecx; xorq $area,zone(%rcx)
~xor %eax,%eax; or $area,%rax
~xor %ecx,%ecx; or $area,%rcx
~xor %ecx,%ecx; xor $area,%rcx
~stc; sbb %rax,%rax; and $area,%rax
~stc; sbb %rdx,%rdx; and $area,%rdx
~stc; mov $0,%ebx; adc $area,%rbx
~test $area,%rax; mov $area,%eax
~xor %eax,%eax; test $area,%rax
~xor %esi,%esi; test $area,%rsi
call *pointer; 0: lea 0b(%rip),%r11; sub %r10,%r11
mov $0,%ecx; call *pointer(,%rcx,8); 0: lea 0b(%rip),%r11; sub %r10,%r11
mov $1,%ebx; call *pointer(,%rbx,8); 0: lea 0b(%rip),%r11; sub %r10,%r11
mov $8,%ebx; call *pointer(%rbx); 0: lea 0b(%rip),%r11; sub %r10,%r11
mov $0,%ecx; jmp *jump(,%rcx,8)
mov $0,%r9d; notrack jmp *jump(,%r9,8)
mov $area,%esi; mov $zone+128,%edi; mov $16,%ecx; rep movsl
mov $0,%eax; movb $63,zone(%rax)
mov area,%al; movb $63,zone(%rax)
movss area(,%rcx,4),%xmm0
movups %xmm1,zone+1(%rax,%rax)
movsd %xmm1,zone(%r14)
"""

AVX = """
vpand area(%rip),%xmm1,%xmm0
vpaddq area(%rip),%xmm1,%xmm0
vpmuludq area(%rip),%xmm1,%xmm0
vmovdqa area+16(%rip),%xmm1
vpxor area(%rip),%ymm1,%ymm0
vmulsd area(%rip),%xmm1,%xmm0
vinserti128 $1,area(%rip),%ymm0,%ymm0
vmovq area(%rip),%xmm0
vzeroupper; vucomisd area(%rip),%xmm0
vmovaps area(%rip),%xmm0
vmovups %ymm0,zone+32(%rip)
vpaddd area(%rip),%ymm1,%ymm0
vaddsd area+8(%rip),%xmm1,%xmm0
vpalignr $3,area(%rip),%xmm1,%xmm0
vpermq $0x1b,area(%rip),%ymm0
vblendvps %xmm1,area(%rip),%xmm2,%xmm0
vbroadcastss area(%rip),%xmm0
vpbroadcastq area@GOTPCREL(%rip),%xmm0
vmovq area@GOTPCREL(%rip),%xmm0
vpinsrq $1,area@GOTPCREL(%rip),%xmm0,%xmm0
vfmadd213sd area(%rip),%xmm1,%xmm0
mulx area(%rip),%rax,%rcx
rorx $3,area(%rip),%rax
lea local_text(%rip),%rdx; mov $1,%ecx; vpaddd area-local_text(%rdx,%rcx,8),%ymm1,%ymm0
lea local_text(%rip),%r10; vpxor area-local_text(%r10),%xmm1,%xmm0
andn area(%rip),%rax,%rcx
bextr %rax,area(%rip),%rcx
shlx %rax,area(%rip),%rcx
vcvtsi2sdq area(%rip),%xmm0,%xmm0
vmovaps area(%rax,%rax),%xmm0
vmovdqu area(,%rcx,8),%xmm2
vpcmpeqd %xmm1,%xmm1,%xmm1; vpxor %xmm2,%xmm2,%xmm2; vpgatherdd %xmm1,area(,%xmm2,4),%xmm0
"""

AVX512 = """
vmovdqa64 area+64(%rip),%zmm0
vpaddq area+64(%rip),%zmm1,%zmm0
vmovdqu64 area+64(%rip),%zmm0
vmovdqu64 %zmm0,zone+64(%rip)
vpaddd area(%rip){1to4},%xmm1,%xmm0
vaddsd area(%rip),%xmm16,%xmm0
vmovdqa32 area(%rip),%xmm17; vmovdqa32 %xmm17,zone(%rip)
kmovw area(%rip),%k1; vmovdqu32 area(%rip),%xmm0{%k1}{z}
vpternlogd $0x96,area(%rip),%xmm1,%xmm0
lea local_text(%rip),%r11; vpternlogd $0x96,area-local_text(%r11),%xmm1,%xmm0
vmovdqu64 area(%rax,%rax),%zmm2
vmovdqu64 area(,%r12,8),%xmm1
vpcmpud $1,area(%rip),%xmm1,%k2; kmovw %k2,%eax
"""

PROLOGUE = """
\tpush %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15; push %rdi
\tpushq 128(%rdi); popfq
""" + "".join(f"\tmov ${0x1111111111111111 * (i % 15 + 1):#x},%rax; mov %rax,-{8 * i + 8}(%rsp)\n"
              for i in range(16)) + "".join(
    f"\tmovups {264 + 16 * i}(%rdi),%xmm{i}\n" for i in range(4)) + "".join(
    f"\tmov {8 * i}(%rdi),%{name}\n" for i, name in enumerate(REGISTERS)
    if name and name != "rdi") + "\tmov 56(%rdi),%rdi\n"

EPILOGUE = """
\tlea -256(%rsp),%rsp
\tpushfq; push %rax; mov 272(%rsp),%rax
""" + "".join(f"\tmov %{name},{8 * i}(%rax)\n" for i, name in enumerate(REGISTERS)
              if name and name != "rax") + """
\tpop %rcx; mov %rcx,0(%rax); pop %rcx; mov %rcx,128(%rax)
\tlea 256(%rsp),%rsp
""" + "".join(f"\tmov -{8 * i + 8}(%rsp),%rcx; mov %rcx,{136 + 8 * i}(%rax)\n" for i in range(16)) + \
    "".join(f"\tmovups %xmm{i},{264 + 16 * i}(%rax)\n" for i in range(4)) + """
\tcld; fninit
\tpop %rdi; pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx; ret
"""

DATA = """
\t.text
\t.type callee,@function
callee: mov (%rsp),%r10; ret
\t.type other,@function
other: mov (%rsp),%r10; inc %r10; dec %r10; ret
local_text:
\t.section .rodata
public: .long 0x55
\t.data
\t.balign 64
\t.globl area, zone
area: .zero 4096
pointer: .quad callee, other
control: .long 0x1f80
\t.bss
\t.balign 64
zone: .zero 4096
"""


def assembly(forms):
    text = [DATA]
    jumps, table = [], []
    for number, form in enumerate(forms):
        snippet = form.lstrip("~")
        if "jump" in form:
            # A jump needs a target of its own.
            snippet = snippet.replace("jump", f"jump_{number}") + f"\nud2\ntarget_{number}: inc %ecx"
            jumps.append(f"jump_{number}: .quad target_{number}")
        body = "\n".join(part.strip() for part in snippet.split(";"))
        text.append(f"\t.text\n\t.type form_{number},@function\nform_{number}:\n{PROLOGUE}{body}\n{EPILOGUE}")
        table.append(f"\t.section .data.rel.ro,\"aw\"\n\t.quad form_{number}, name_{number}\n"
                     f"\t.section .rodata.str1.1,\"aMS\",@progbits,1\nname_{number}: .asciz \"{form}\"")
    text.append("\t.data\n" + "\n".join(jumps))
    text.append("\t.section .data.rel.ro,\"aw\"\n\t.globl forms\nforms:\n" + "\n".join(table))
    text.append(f"\t.section .rodata\n\t.globl form_count\nform_count: .long {len(forms)}\n")
    text.append("\t.section .note.GNU-stack,\"\",@progbits")
    return "\n".join(text) + "\n"


def has_cpu(*flags):
    with open("/proc/cpuinfo") as cpu:
        for line in cpu:
            if line.startswith("flags"):
                return set(flags) <= set(line.split())
    return False


def lines(text):
    return [line for line in text.splitlines() if line.strip()]


def linkable(text, link):
    """Absolute fields of 32 bits are for position-dependent programs only."""
    absolute = re.compile(r"\$local_text|(area|zone)[+\d]*\((?!%rip\))")
    return [form for form in lines(text) if link == "-no-pie" or not absolute.search(form)]


def execute(upct, forms, link_flags, flags=()):
    snippets = upct.write("forms.s", assembly(forms))
    model = "-fno-pie" if "-no-pie" in link_flags else "-fPIE"
    driver = compile_object(upct, "forms.c", "driver.o", flags=["-O1", model])
    same_in_each_thread(upct, merge(upct, compile_object(upct, snippets, "forms.o", flags=flags), driver), link_flags, threads=3)


@pytest.mark.parametrize("link", ["-pie", "-no-pie"])
def test_relative(upct, link):
    execute(upct, linkable(RELATIVE, link), [link])


def test_absolute(upct):
    execute(upct, lines(ABSOLUTE), ["-no-pie"])


def test_one_by_one(upct):
    """With line numbers, here one for each instruction."""
    execute(upct, lines(RELATIVE) + lines(ABSOLUTE), ["-no-pie"], flags=["-g"])


@pytest.mark.parametrize("link", ["-pie", "-no-pie"])
def test_avx(upct, link):
    if has_cpu("avx2", "fma", "bmi1", "bmi2"):
        execute(upct, linkable(AVX, link), [link])


@pytest.mark.parametrize("link", ["-pie", "-no-pie"])
def test_avx512(upct, link):
    if has_cpu("avx512f", "avx512vl", "avx512dq"):
        execute(upct, linkable(AVX512, link), [link])


LIBRARIES = ["liblua5.4", "libz", "libbz2", "libsqlite3", "libexpat", "libgmp", "libpng16", "libjpeg"]


def test_the_tables_have_what_libraries_use(upct):
    """Each combination of mnemonic and addressing that reaches private data in Debian's
    static libraries, or in libgcc."""
    program = upct.path("sites")
    sanitize = [f"-fsanitize={','.join(upct.sanitizers)}"] if upct.sanitizers else []
    upct.check_output(["gcc", "-D_GNU_SOURCE", "-I", ROOT, *sanitize, upct.fixture("privatize/sites.c"),
                       f"{upct.build}/obj/privatize/libprivatize.a",
                       f"{upct.build}/obj/tools/common/libcommon.a", "-lelf", "-lZydis", "-o", program])
    tables = [compile_object(upct, upct.write(f"{n}.s", assembly(lines(table))), f"{n}.o")
              for n, table in enumerate((RELATIVE, ABSOLUTE, AVX, AVX512))]
    archives = [path for name in LIBRARIES if os.path.exists(path := f"/usr/lib/x86_64-linux-gnu/{name}.a")]
    archives += [upct.check_output(["gcc", "-print-libgcc-file-name"]).strip()]
    assert len(archives) > 3
    have, need = ({line.rpartition(" ")[0] for line in upct.check_output([program, *files],
                                                                         ASAN_OPTIONS="detect_leaks=0").splitlines()}
                  for files in (tables, archives))
    assert len(need) > 10
    assert need - have == set()
