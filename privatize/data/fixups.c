/* Pointers in data. An address of something private is known only when a thread
   runs: it becomes an entry of upc_fixups, which each thread applies to its copy. */

#include "privatize/data/data.h"

/* One entry: both are offsets from the thread pointer. */
struct fixup
{
  int32_t where;
  int32_t what;
};

static void
add_fixup (struct object *object, uint32_t *fixups, uint32_t section, const Elf64_Rela *pointer)
{
  uint64_t at;

  if (!*fixups)
    *fixups = add_table (object, "upc_fixups", SHF_ALLOC, 4, section);
  at = append_bytes (object->sections[*fixups], NULL, sizeof (struct fixup));
  append_rela (
      object, *fixups,
      (Elf64_Rela){ .r_offset = at + offsetof (struct fixup, where),
                    .r_info = ELF64_R_INFO (section_symbol (object, section), TARGET_RELOC_TPOFF32),
                    .r_addend = pointer->r_offset });
  append_rela (
      object, *fixups,
      (Elf64_Rela){ .r_offset = at + offsetof (struct fixup, what),
                    .r_info = ELF64_R_INFO (ELF64_R_SYM (pointer->r_info), TARGET_RELOC_TPOFF32),
                    .r_addend = pointer->r_addend });
}

static void
report_pointer (struct object *object, const struct section *section, const Elf64_Rela *rela,
                const char *reason)
{
  report_error (object, section, rela->r_offset, "cannot make '%s' private: %s (%s)",
                describe_target (object, rela, rela->r_addend), reason, relocation_name (rela));
}

/* Data that each thread has its copy of. */
static void
rewrite_private (struct object *object, uint32_t index, uint32_t *shared_fixups)
{
  struct section *section = object->sections[index];
  uint32_t own_fixups = 0;
  uint32_t *fixups = leaves_with_group (object, section) ? &own_fixups : shared_fixups;

  for (size_t i = 0; i < section->rela_count; i++)
    {
      Elf64_Rela *rela = &section->rela[i];
      if (!wants_private_address (object, rela))
        {
          if (is_relative (rela))
            report_error (object, section, rela->r_offset,
                          "cannot make section private: the offset of '%s' differs from "
                          "thread to thread (%s)%s",
                          describe_target (object, rela, rela->r_addend), relocation_name (rela),
                          section->header.sh_flags & SHF_WRITE
                              ? ""
                              : "; merge objects with 'ld -r --unique=.rodata'");
          continue;
        }
      if (is_pointer (rela))
        {
          add_fixup (object, fixups, index, rela);
          rela->r_info = TARGET_RELOC_NONE;
        }
      else
        report_pointer (object, section, rela,
                        "data of this form cannot hold the address of a "
                        "thread's copy");
    }
  drop_empty_relas (section);
}

/* Data that all threads share. */
static void
check_process (struct object *object, const struct section *section)
{
  for (size_t i = 0; i < section->rela_count; i++)
    if (wants_private_address (object, &section->rela[i]))
      report_pointer (object, section, &section->rela[i],
                      section->kind == KIND_READONLY
                          ? "data of this form cannot hold the address of a thread's copy"
                          : "this data is shared by all threads");
}

void
make_fixups (struct object *object)
{
  uint32_t fixups = 0;

  for (size_t i = 1, n = object->section_count; i < n; i++)
    switch (object->sections[i]->kind)
      {
      case KIND_PRIVATE:
      case KIND_TLS:
        rewrite_private (object, i, &fixups);
        break;
      case KIND_READONLY:
      case KIND_PROCESS:
      case KIND_INIT_ARRAY:
      case KIND_FINI_ARRAY:
        check_process (object, object->sections[i]);
        break;
      default:
        break;
      }
}
