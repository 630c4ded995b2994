/* upct/types.h: the types of the libraries whose macro __UPC_…__ is predefined. The driver
   includes it before the program. Some headers use one of these types if the macro says that the
   library exists, and leave it to their users to include its header. A declaration of the
   program replaces one of these. */

#ifndef _UPCT_TYPES_H
#define _UPCT_TYPES_H
#pragma GCC system_header
#pragma upct extension on

typedef int upc_flag_t;
typedef unsigned long upc_op_t;
typedef int upc_type_t;
typedef shared struct upc_atomicdomain_struct upc_atomicdomain_t;
typedef int upc_atomichint_t;
typedef struct upc_handle_struct *upc_handle_t;
typedef unsigned long upc_tick_t;
typedef struct upc_thread_info_struct upc_thread_info_t;
typedef shared struct upc_file_struct upc_file_t;

#pragma upct extension off

#endif
