/* Walks over the syntax tree, for questions like "is i assigned in this body?". */

#ifndef UPC2C_VISIT_H
#define UPC2C_VISIT_H

#include "tools/upc2c/front.h"

/* Called for each expression; true ends the walk. */
typedef bool expr_question (struct expr *e, void *data);
/* Called for each statement; true ends the walk. */
typedef bool stmt_question (struct stmt *s, void *data);

/* Whether ASK says true of E or of any expression in it. */
bool any_in_expr (struct expr *e, expr_question *ask, void *data);
/* The same for all expressions of a statement. */
bool any_in_stmt (struct stmt *s, expr_question *ask, void *data);
/* Whether ASK says true of S or any statement in it; those in statement expressions
   and in nested functions do not count. */
bool any_stmt (struct stmt *s, stmt_question *ask, void *data);

/* Whether E itself, without the expressions in it, may do more than have a value; stores by
   plain assignments are told apart. */
bool has_effect (const struct expr *e);

#endif
