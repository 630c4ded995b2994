/* The numbers of DWARF that are used here, with the names of the DWARF document. GNU's
   extensions have GNU in their names. */

#ifndef PRIVATIZE_DWARF_CONSTANTS_H
#define PRIVATIZE_DWARF_CONSTANTS_H

/* Call-frame instructions. The first three have an operand in their low six bits. */
enum
{
  DW_CFA_advance_loc = 0x40,
  DW_CFA_offset = 0x80,
  DW_CFA_restore = 0xc0,
  DW_CFA_nop = 0x00,
  DW_CFA_advance_loc1 = 0x02,
  DW_CFA_advance_loc2 = 0x03,
  DW_CFA_advance_loc4 = 0x04,
  DW_CFA_offset_extended = 0x05,
  DW_CFA_restore_extended = 0x06,
  DW_CFA_undefined = 0x07,
  DW_CFA_same_value = 0x08,
  DW_CFA_register = 0x09,
  DW_CFA_remember_state = 0x0a,
  DW_CFA_restore_state = 0x0b,
  DW_CFA_def_cfa = 0x0c,
  DW_CFA_def_cfa_register = 0x0d,
  DW_CFA_def_cfa_offset = 0x0e,
  DW_CFA_def_cfa_expression = 0x0f,
  DW_CFA_expression = 0x10,
  DW_CFA_offset_extended_sf = 0x11,
  DW_CFA_def_cfa_sf = 0x12,
  DW_CFA_def_cfa_offset_sf = 0x13,
  DW_CFA_val_offset = 0x14,
  DW_CFA_val_offset_sf = 0x15,
  DW_CFA_val_expression = 0x16,
  DW_CFA_AARCH64_negate_ra_state = 0x2d,
  DW_CFA_GNU_args_size = 0x2e
};

/* Encodings of pointers in .eh_frame. */
enum
{
  DW_EH_PE_pcrel_sdata4 = 0x1b,
  DW_EH_PE_aligned = 0x50,
  DW_EH_PE_omit = 0xff
};

/* Operations of expressions. */
enum
{
  DW_OP_addr = 0x03,
  DW_OP_deref = 0x06,
  DW_OP_const1u = 0x08,
  DW_OP_const4u = 0x0c,
  DW_OP_constu = 0x10,
  DW_OP_consts = 0x11,
  DW_OP_plus = 0x22,
  DW_OP_lit0 = 0x30,
  DW_OP_lit31 = 0x4f,
  DW_OP_piece = 0x93,
  DW_OP_stack_value = 0x9f,
  DW_OP_addrx = 0xa1,
  DW_OP_GNU_push_tls_address = 0xe0
};

enum
{
  DW_UT_compile = 1,
  DW_UT_type = 2,
  DW_UT_partial = 3
};

/* Operations of line programs. */
enum
{
  DW_LNS_copy = 1,
  DW_LNS_advance_pc,
  DW_LNS_advance_line,
  DW_LNS_set_file,
  DW_LNS_set_column,
  DW_LNS_negate_stmt,
  DW_LNS_set_basic_block,
  DW_LNS_const_add_pc,
  DW_LNS_fixed_advance_pc,
  DW_LNE_end_sequence = 1,
  DW_LNE_set_address = 2
};

/* Entries of lists of ranges and of locations, version 5. The first four mean the same in both. */
enum
{
  DW_RLE_end_of_list = 0,
  DW_RLE_base_addressx,
  DW_RLE_startx_endx,
  DW_RLE_startx_length,
  DW_RLE_offset_pair,
  DW_RLE_base_address,
  DW_RLE_start_end,
  DW_RLE_start_length,
  DW_LLE_default_location = 5,
  DW_LLE_base_address,
  DW_LLE_start_end,
  DW_LLE_start_length
};

/* Tags. */
enum
{
  DW_TAG_class_type = 0x02,
  DW_TAG_compile_unit = 0x11,
  DW_TAG_structure_type = 0x13,
  DW_TAG_union_type = 0x17,
  DW_TAG_variable = 0x34,
  DW_TAG_partial_unit = 0x3c,
  DW_TAG_hi_user = 0xffff /* nobody's: an entry to be passed over */
};

/* Attributes. */
enum
{
  DW_AT_location = 0x02,
  DW_AT_name = 0x03,
  DW_AT_low_pc = 0x11,
  DW_AT_high_pc = 0x12,
  DW_AT_abstract_origin = 0x31,
  DW_AT_decl_file = 0x3a,
  DW_AT_decl_line = 0x3b,
  DW_AT_declaration = 0x3c,
  DW_AT_specification = 0x47,
  DW_AT_ranges = 0x55,
  DW_AT_linkage_name = 0x6e,
  DW_AT_str_offsets_base = 0x72,
  DW_AT_addr_base = 0x73,
  DW_AT_rnglists_base = 0x74,
  DW_AT_loclists_base = 0x8c,
  DW_AT_MIPS_linkage_name = 0x2007,
  DW_AT_GNU_dwo_name = 0x2130,
  DW_AT_GNU_locviews = 0x2137,
  DW_AT_hi_user = 0x3fff /* nobody's: a filler */
};

/* Their forms. */
enum
{
  DW_FORM_addr = 0x01,
  DW_FORM_data4 = 0x06,
  DW_FORM_data8 = 0x07,
  DW_FORM_string = 0x08,
  DW_FORM_block1 = 0x0a,
  DW_FORM_data1 = 0x0b,
  DW_FORM_strp = 0x0e,
  DW_FORM_ref_addr = 0x10,
  DW_FORM_ref4 = 0x13,
  DW_FORM_sec_offset = 0x17,
  DW_FORM_exprloc = 0x18,
  DW_FORM_strx = 0x1a,
  DW_FORM_addrx = 0x1b,
  DW_FORM_implicit_const = 0x21,
  DW_FORM_loclistx = 0x22,
  DW_FORM_rnglistx = 0x23,
  DW_FORM_strx1 = 0x25,
  DW_FORM_strx2,
  DW_FORM_strx3,
  DW_FORM_strx4,
  DW_FORM_addrx1,
  DW_FORM_addrx2,
  DW_FORM_addrx3,
  DW_FORM_addrx4
};

#endif
