/* Declarations that only sema/ uses. */

#ifndef UPC2C_SEMA_INTERNAL_H
#define UPC2C_SEMA_INTERNAL_H

#include "tools/upc2c/sema/sema.h"

/* operator.c */

/* Operator OP with one or two operands, whose tokens it covers. */
struct expr *covering (enum expr_kind kind, int op, token_index op_token, struct expr *a,
                       struct expr *b, struct type *type);
/* The type of E as an operand: a bit-field narrower than an int is an int. */
struct type *operand_type (struct expr *e);
/* Two pointers-to-shared at one operator must have one type, block size and all. */
void check_same_pointers (token_index where, const struct type *a, const struct type *b);

#endif
