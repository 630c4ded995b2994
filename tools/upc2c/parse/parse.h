/* parse: tokens to the tree, by recursive descent. Needs sema. */

#ifndef UPC2C_PARSE_H
#define UPC2C_PARSE_H

/* Fills TREE from the unit's tokens. Afterwards error_count says how it went. */
void parse_unit (void);

#endif
