/* Groups of sections that the linker may drop, for ld --gc-sections. What this tool adds for a
   section refers to it, and the runtime refers to the addition. So the section and the addition
   become one group: the linker drops both or neither. Groups come after their members, which GNU
   ld accepts, and gold does not. */

#include "privatize/data/data.h"

#include <elf.h>

static void
add_group (struct object *object, uint32_t member)
{
  uint32_t index = add_section (object, ".group", SHT_GROUP, 0, sizeof (uint32_t));
  struct section *group = object->sections[index], *section = object->sections[member];

  group->header.sh_link = object->symtab;
  group->header.sh_info = section_symbol (object, member);
  group->header.sh_entsize = sizeof (uint32_t);
  append_bytes (group, &(uint32_t){ 0 }, sizeof (uint32_t));
  append_bytes (group, &member, sizeof member);
  section->header.sh_flags |= SHF_GROUP;
  section->is_alone = true;
  if (section->rela_section)
    {
      append_bytes (group, &section->rela_section, sizeof section->rela_section);
      object->sections[section->rela_section]->header.sh_flags |= SHF_GROUP;
    }
}

void
group_sections (struct object *object)
{
  for (size_t i = 1, n = object->section_count; i < n; i++)
    {
      const struct section *section = object->sections[i];
      bool is_ours = section->kind == KIND_PRIVATE || section->kind == KIND_TLS
                     || section->kind == KIND_TEXT;

      if (is_ours && section->header.sh_size && !leaves_with_group (section))
        add_group (object, i);
    }
}
