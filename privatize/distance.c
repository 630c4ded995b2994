/* Addresses as distances from somewhere: in position-independent code of the large models
   from the GOT, in hand-written code from a place in the text whose address a register
   holds. What is private is elsewhere in each thread, and so are these distances. */

#include "privatize/rewrite.h"

enum { FIELD_BYTES = 4 };

/* lea SYMBOL+OFFSET(%rip), TO; not TO: the address's negative, less one. The flags stay. */
static void
emit_negative (struct code *code, int to, uint32_t type, uint32_t symbol, int64_t offset)
{
  Elf64_Rela rela = { .r_info = ELF64_R_INFO ((uint64_t) symbol, 0) };

  emit_byte (code, 0x48 | (to >= 8 ? 4 : 0));
  emit_byte (code, 0x8d);
  emit_byte (code, (to & 7) << 3 | 5);
  emit_field (code, type, &rela, offset - FIELD_BYTES);
  emit_byte (code, 0x48 | (to >= 8 ? 1 : 0));
  emit_byte (code, 0xf7);
  emit_byte (code, 0xd0 | (to & 7));
}

/* movabs $x@GOTOFF, %reg: the distance of the thread's copy from the GOT, in code whose
   model leaves all distances open. */
void
emit_got_distance (const struct site *site, struct code *code, int to)
{
  int holder = free_register (site);
  struct address difference = { .base = to, .index = holder, .addend = 1 };

  emit_move_stack (code, -RED_ZONE);
  emit_push (code, holder);
  emit_private_address (code, true, to, site->imm, site->imm->r_addend);
  emit_negative (code, holder, R_X86_64_GOTPC32, site->got, 0);
  emit_lea (code, true, to, &difference);
  emit_pop (code, holder);
  emit_move_stack (code, RED_ZONE);
}

/* x - $$ + N(%base): the displacement is the distance from itself to x, and what
   is in the base is an address in the text that makes up for it. */
bool
is_distance (const struct site *site)
{
  return site->text && ELF64_R_TYPE (site->disp->r_info) == R_X86_64_PC32
         && memory_base (site) != NO_REGISTER;
}

/* lea: what HOLDER, the index and the displacement add up to, and the thread pointer. */
static void
emit_distant_address (const struct site *site, struct code *code, int holder)
{
  int to = modrm_register (site);
  struct address part = { .base = holder, .index = memory_index (site),
                          .scale = site->z.raw.sib.scale, .rela = site->disp,
                          .addend = site->disp->r_addend };
  struct address sum = { .base = to, .index = holder };

  emit_lea (code, true, holder, &part);
  emit_thread_pointer (code, to);
  emit_lea (code, is_wide (site), to, &sum);
}

/* A register more holds the base less the place of the displacement; to that the thread's
   distance to its copy is added. */
const char *
rewrite_distance (const struct site *site, struct code *code)
{
  int base = memory_base (site), holder = free_base (site, base);
  struct address difference = { .base = holder, .index = base, .addend = 1 };

  if (uses_stack_pointer (site) || base == RSP || site->z.meta.branch_type != ZYDIS_BRANCH_TYPE_NONE)
    return "it computes with the stack pointer";
  if (holder == NO_REGISTER)
    return "it leaves no register free";
  if (is_lea (site) ? site->z.operand_width == 16 : has_address_operand (site))
    return "it computes an address";
  emit_move_stack (code, -RED_ZONE);
  emit_push (code, holder);
  emit_negative (code, holder, R_X86_64_PC32, site->text, site->disp->r_offset);
  emit_lea (code, true, holder, &difference);
  if (is_lea (site))
    emit_distant_address (site, code, holder);
  else
    {
      emit_prefixes (code, site, true);
      emit_private_operand (code, site, holder);
      emit_rest (code, site);
    }
  emit_pop (code, holder);
  emit_move_stack (code, RED_ZONE);
  return NULL;
}
