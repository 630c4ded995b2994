/* Finds the instructions that reach private data, and has each rewritten.

   Relocations say where operands are, but not where the instruction starts; only
   decoding from a known start does. A relocation that does not lie exactly on an
   operand shows that the decoder has lost its way, in data or in something it does
   not know. From there to the next known start, or a label that may be one, no
   instruction is touched. */

#include "privatize/lines.h"
#include "privatize/privatize.h"
#include "privatize/text.h"

#include <stdlib.h>
#include <string.h>

enum { LOOK_AHEAD = 24 };

static ZydisDecoder lengths, decoder;
static ZydisFormatter formatter;

struct walk
{
  struct object *object;
  struct section *section;
  struct chain chain;
  size_t next;          /* the first relocation at or after the place */
  uint32_t got;         /* symbol _GLOBAL_OFFSET_TABLE_, once it is needed */
  struct anchors *labels;
  const struct stops *stops;
  size_t stop;          /* the first stop at or after the place */
};

static bool
is_site (const struct walk *walk, size_t i)
{
  return wants_private_address (walk->object, &walk->section->rela[i]);
}

static void
report_site (const struct walk *walk, const struct site *site, uint64_t offset, const char *reason)
{
  const Elf64_Rela *rela = site->disp_private ? site->disp : site->imm;
  int64_t addend = site->disp_private ? target_addend (site) : rela->r_addend;
  char text[256];

  if (rela == site->imm && site->z.raw.imm[0].is_relative)
    addend = moved_addend (addend, site->z.length - site->z.raw.imm[0].offset);
  if (!ZYAN_SUCCESS (ZydisFormatterFormatInstruction (&formatter, &site->z, site->operands,
                                                      site->z.operand_count_visible, text,
                                                      sizeof text, ZYDIS_RUNTIME_ADDRESS_NONE,
                                                      NULL)))
    strcpy (text, "?");
  report_error (walk->object, walk->section, offset,
                "cannot make '%s' private: instruction '%s': %s (%s)",
                describe_target (walk->object, rela, addend), text, reason,
                relocation_name (ELF64_R_TYPE (rela->r_info)));
}

/* A relocation that no decoded instruction reaches. */
static void
report_lost_site (const struct walk *walk, const Elf64_Rela *rela)
{
  report_error (walk->object, walk->section, rela->r_offset,
                "cannot make '%s' private: not the operand of an instruction (%s)",
                describe_target (walk->object, rela, rela->r_addend),
                relocation_name (ELF64_R_TYPE (rela->r_info)));
}

/* Reports the sites from the current one to END. */
static void
report_lost (struct walk *walk, uint64_t end)
{
  struct section *section = walk->section;

  for (; walk->next < section->rela_count && section->rela[walk->next].r_offset < end; walk->next++)
    if (is_site (walk, walk->next))
      report_lost_site (walk, &section->rela[walk->next]);
}

/* Decodes some instructions after SITE for what they do with the address. No known
   start is between: END is the next one. */
static void
look_ahead (const struct walk *walk, uint64_t offset, uint64_t end, struct site *site)
{
  uint64_t at = offset + site->z.length;

  for (unsigned i = 0; i < LOOK_AHEAD; i++)
    {
      struct site next;
      if (!ZYAN_SUCCESS (ZydisDecoderDecodeFull (&decoder, walk->section->data + at, end - at,
                                                 &next.z, next.operands))
          || !note_next (site, &next, i == 0))
        return;
      at += next.z.length;
    }
}

static uint32_t
find_got_symbol (struct object *object)
{
  uint32_t symbol;

  for (symbol = 1; symbol < object->symbol_count; symbol++)
    if (strcmp (symbol_name (object, &object->symbols[symbol]), "_GLOBAL_OFFSET_TABLE_") == 0)
      return symbol;
  symbol = add_symbol (object, (Elf64_Sym) { .st_info = ELF64_ST_INFO (STB_GLOBAL, STT_NOTYPE) }, SHN_UNDEF);
  object->symbols[symbol].new_name = copy_text ("_GLOBAL_OFFSET_TABLE_");
  return symbol;
}

/* In the large code models an immediate may be a distance from the GOT: of something
   private, or of the entry that holds its address. The entry is a private pointer
   then. */
static void
prepare_got_distance (struct walk *walk, struct site *site)
{
  struct object *object = walk->object;
  uint32_t type = ELF64_R_TYPE (site->imm->r_info);
  Elf64_Rela pointer = *site->imm;

  if (site->z.raw.imm[0].size != 64 || (type != R_X86_64_GOTOFF64 && type != R_X86_64_GOT64))
    return;
  if (!walk->got)
    walk->got = find_got_symbol (object);
  site->got = walk->got;
  if (type == R_X86_64_GOTOFF64)
    return;
  if (!object->got)
    {
      object->got = add_section (object, ".data.upc_got", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE,
                                 sizeof (uint64_t));
      object->sections[object->got]->kind = KIND_PRIVATE;
    }
  pointer.r_info = ELF64_R_INFO (ELF64_R_SYM (pointer.r_info), R_X86_64_64);
  pointer.r_offset = append_bytes (object->sections[object->got], NULL, sizeof (uint64_t));
  append_rela (object, object->got, pointer);
  site->imm->r_info
    = ELF64_R_INFO ((uint64_t) section_symbol (object, object->got), R_X86_64_GOTOFF64);
  site->imm->r_addend = pointer.r_offset;
}

/* Rewrites the instruction at OFFSET if it is a site, and otherwise lets the thunks
   before it run on. Returns how many bytes after it are done with it. */
static size_t
visit_instruction (struct walk *walk, uint64_t offset, uint64_t end, struct site *site)
{
  struct section *section = walk->section;
  struct code code;
  const char *reason;

  site->bytes = section->data + offset;
  if (!ZYAN_SUCCESS (ZydisDecoderDecodeFull (&decoder, site->bytes,
                                             section->header.sh_size - offset, &site->z,
                                             site->operands)))
    {
      close_chain (&walk->chain);
      if (site->disp_private)
        report_lost_site (walk, site->disp);
      if (site->imm_private)
        report_lost_site (walk, site->imm);
      return 0;
    }
  if (!site->disp_private && !site->imm_private)
    {
      continue_chain (&walk->chain, site, offset);
      return 0;
    }
  if (site->imm_private)
    prepare_got_distance (walk, site);
  if (site->disp_private && ELF64_R_TYPE (site->disp->r_info) == R_X86_64_PC32)
    site->text = section_symbol (walk->object, walk->chain.text);
  look_ahead (walk, offset, end, site);
  reason = rewrite_instruction (site, &code);
  if (reason)
    report_site (walk, site, offset, reason);
  else
    place_code (&walk->chain, offset, site, &code);
  return code.covers;
}

/* A thunk must not run over a place where a debugger may want to stop. */
static void
stop_chain (struct walk *walk, uint64_t offset)
{
  const struct stops *stops = walk->stops;
  uint32_t text = walk->chain.text;

  while (walk->stop < stops->count && stops->list[walk->stop].section == text
         && stops->list[walk->stop].offset < offset)
    walk->stop++;
  if (walk->stop < stops->count && stops->list[walk->stop].section == text
      && stops->list[walk->stop].offset == offset)
    close_chain (&walk->chain);
}

/* Takes the relocations of the instruction at OFFSET. Returns false when one is
   not on an operand. */
static bool
take_relocations (struct walk *walk, uint64_t offset, const ZydisDecodedInstruction *z,
                  struct site *site)
{
  struct section *section = walk->section;

  for (; walk->next < section->rela_count; walk->next++)
    {
      Elf64_Rela *rela = &section->rela[walk->next];
      uint64_t at = rela->r_offset - offset;
      uint32_t type = ELF64_R_TYPE (rela->r_info);
      if (rela->r_offset >= offset + z->length)
        break;
      if (type == R_X86_64_NONE || type == R_X86_64_TLSDESC_CALL)
        continue;
      if (z->raw.disp.size >= 32 && at == z->raw.disp.offset && !site->disp)
        {
          site->disp = rela;
          site->disp_private = is_site (walk, walk->next);
        }
      else if (z->raw.imm[0].size && at == z->raw.imm[0].offset && !site->imm)
        {
          site->imm = rela;
          site->imm_private = is_site (walk, walk->next);
        }
      else
        return false;
    }
  return true;
}

/* Decodes from *OFFSET to END, up to LAST and what the last thunk may take along.
   Returns false when it has lost its way, with *OFFSET where. */
static bool
walk_on (struct walk *walk, uint64_t *offset, uint64_t last, uint64_t end)
{
  struct section *section = walk->section;

  while (*offset < last || (walk->chain.is_open && *offset < end))
    {
      struct site site = { 0 };
      ZydisDecodedInstruction z;
      size_t first = walk->next;
      bool is_known = ZYAN_SUCCESS (ZydisDecoderDecodeInstruction (
        &lengths, NULL, section->data + *offset, end - *offset, &z));
      if (!is_known || !take_relocations (walk, *offset, &z, &site))
        {
          close_chain (&walk->chain);
          walk->next = first;
          return false;
        }
      stop_chain (walk, *offset);
      if (walk->chain.is_open || site.disp_private || site.imm_private)
        *offset += visit_instruction (walk, *offset, end, &site);
      *offset += z.length;
    }
  close_chain (&walk->chain);
  return true;
}

/* From START to END, and where there is data between, from each label after it. */
static void
walk_instructions (struct walk *walk, uint64_t start, uint64_t end)
{
  struct section *section = walk->section;
  uint64_t last = start, offset = start;

  for (size_t i = walk->next; i < section->rela_count && section->rela[i].r_offset < end; i++)
    if (is_site (walk, i))
      last = section->rela[i].r_offset + 1;
  while (offset < last && !walk_on (walk, &offset, last, end))
    {
      offset = next_label (walk->object, walk->labels, walk->chain.text, offset, end);
      report_lost (walk, offset);
    }
  report_lost (walk, end);
}

/* Rewrites one section; ANCHORS are its own. */
static void
rewrite_section (struct object *object, uint32_t index, const struct anchor *anchors, size_t count,
                 struct anchors *labels, const struct stops *stops)
{
  struct walk walk = {
    .object = object,
    .section = object->sections[index],
    .chain = { .object = object, .text = index, .may_join = !stops->is_unknown[index] },
    .labels = labels,
    .stops = stops,
    .stop = find_stop (stops, index, 0)
  };
  bool has_site = false;

  walk.chain.has_lines = stops->is_unknown[index]
                         || (walk.stop < stops->count && stops->list[walk.stop].section == index);
  for (size_t i = 0; i < walk.section->rela_count; i++)
    has_site |= is_site (&walk, i);
  if (!has_site)
    return;
  sort_relas (walk.section);
  for (size_t i = 0; i < count; i++)
    {
      uint64_t end = i + 1 < count ? anchors[i + 1].offset : walk.section->header.sh_size;
      if (anchors[i].is_data)
        report_lost (&walk, end);
      else
        walk_instructions (&walk, anchors[i].offset, end);
    }
  end_chains (&walk.chain);
  drop_empty_relas (walk.section);
}

void
rewrite_text (struct object *object)
{
  struct anchors anchors = collect_anchors (object), labels = { 0 };
  struct stops stops = collect_stops (object);

  ZydisDecoderInit (&lengths, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  ZydisDecoderEnableMode (&lengths, ZYDIS_DECODER_MODE_MINIMAL, ZYAN_TRUE);
  ZydisDecoderInit (&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  ZydisFormatterInit (&formatter, ZYDIS_FORMATTER_STYLE_ATT);
  for (size_t i = 0, n; i < anchors.count; i += n)
    {
      for (n = 1; i + n < anchors.count
                  && anchors.list[i + n].section == anchors.list[i].section;)
        n++;
      rewrite_section (object, anchors.list[i].section, anchors.list + i, n, &labels, &stops);
    }
  free (labels.list);
  free (stops.is_unknown);
  free (stops.list);
  free (anchors.list);
}
