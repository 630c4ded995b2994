/* upct/bupc_namespace.h: Berkeley UPC's extensions with upc_ and UPC_ in front, which
   BUPC_USE_UPC_NAMESPACE asks for. Part of bupc_extensions.h. */

#ifndef _UPCT_BUPC_NAMESPACE_H
#define _UPCT_BUPC_NAMESPACE_H
#pragma GCC system_header

#define upc_handle_t bupc_handle_t
#undef UPC_COMPLETE_HANDLE
#define UPC_COMPLETE_HANDLE BUPC_COMPLETE_HANDLE
#define upc_memcpy_async bupc_memcpy_async
#define upc_memcpy_asynci bupc_memcpy_asynci
#define upc_memget_async bupc_memget_async
#define upc_memget_asynci bupc_memget_asynci
#define upc_memput_async bupc_memput_async
#define upc_memput_asynci bupc_memput_asynci
#define upc_memset_async bupc_memset_async
#define upc_memset_asynci bupc_memset_asynci
#define upc_waitsync bupc_waitsync
#define upc_waitsync_all bupc_waitsync_all
#define upc_waitsync_some bupc_waitsync_some
#define upc_waitsynci bupc_waitsynci
#define upc_trysync bupc_trysync
#define upc_trysync_all bupc_trysync_all
#define upc_trysync_some bupc_trysync_some
#define upc_trysynci bupc_trysynci
#define upc_begin_accessregion bupc_begin_accessregion
#define upc_end_accessregion bupc_end_accessregion
#define upc_pmemvec_t bupc_pmemvec_t
#define upc_smemvec_t bupc_smemvec_t
#define upc_memcpy_vlist bupc_memcpy_vlist
#define upc_memcpy_vlist_async bupc_memcpy_vlist_async
#define upc_memget_vlist bupc_memget_vlist
#define upc_memget_vlist_async bupc_memget_vlist_async
#define upc_memput_vlist bupc_memput_vlist
#define upc_memput_vlist_async bupc_memput_vlist_async
#define upc_memcpy_ilist bupc_memcpy_ilist
#define upc_memcpy_ilist_async bupc_memcpy_ilist_async
#define upc_memget_ilist bupc_memget_ilist
#define upc_memget_ilist_async bupc_memget_ilist_async
#define upc_memput_ilist bupc_memput_ilist
#define upc_memput_ilist_async bupc_memput_ilist_async
#define upc_memcpy_fstrided bupc_memcpy_fstrided
#define upc_memcpy_fstrided_async bupc_memcpy_fstrided_async
#define upc_memget_fstrided bupc_memget_fstrided
#define upc_memget_fstrided_async bupc_memget_fstrided_async
#define upc_memput_fstrided bupc_memput_fstrided
#define upc_memput_fstrided_async bupc_memput_fstrided_async
#define upc_memcpy_strided bupc_memcpy_strided
#define upc_memcpy_strided_async bupc_memcpy_strided_async
#define upc_memget_strided bupc_memget_strided
#define upc_memget_strided_async bupc_memget_strided_async
#define upc_memput_strided bupc_memput_strided
#define upc_memput_strided_async bupc_memput_strided_async
#define upc_sem_t bupc_sem_t
#define upc_sem_alloc bupc_sem_alloc
#define upc_sem_free bupc_sem_free
#define upc_sem_post bupc_sem_post
#define upc_sem_postN bupc_sem_postN
#define upc_sem_wait bupc_sem_wait
#define upc_sem_waitN bupc_sem_waitN
#define upc_sem_try bupc_sem_try
#define upc_sem_tryN bupc_sem_tryN
#define upc_memput_signal bupc_memput_signal
#define upc_memput_signal_async bupc_memput_signal_async
#define upc_thread_distance bupc_thread_distance
#define UPC_SEM_BOOLEAN BUPC_SEM_BOOLEAN
#define UPC_SEM_INTEGER BUPC_SEM_INTEGER
#define UPC_SEM_SPRODUCER BUPC_SEM_SPRODUCER
#define UPC_SEM_MPRODUCER BUPC_SEM_MPRODUCER
#define UPC_SEM_SCONSUMER BUPC_SEM_SCONSUMER
#define UPC_SEM_MCONSUMER BUPC_SEM_MCONSUMER
#define UPC_SEM_MAXVALUE BUPC_SEM_MAXVALUE
#define UPC_THREADS_SAME BUPC_THREADS_SAME
#define UPC_THREADS_VERYNEAR BUPC_THREADS_VERYNEAR
#define UPC_THREADS_NEAR BUPC_THREADS_NEAR
#define UPC_THREADS_FAR BUPC_THREADS_FAR
#define UPC_THREADS_VERYFAR BUPC_THREADS_VERYFAR

#pragma upct extension on
__BUPC_ATOMIC (__BUPC_ATOMIC_INTEGER, upc_atomicI, int)
__BUPC_ATOMIC (__BUPC_ATOMIC_INTEGER, upc_atomicU, unsigned int)
__BUPC_ATOMIC (__BUPC_ATOMIC_INTEGER, upc_atomicUI, unsigned int)
__BUPC_ATOMIC (__BUPC_ATOMIC_INTEGER, upc_atomicL, long)
__BUPC_ATOMIC (__BUPC_ATOMIC_INTEGER, upc_atomicUL, unsigned long)
__BUPC_ATOMIC (__BUPC_ATOMIC_INTEGER, upc_atomicX, long long)
__BUPC_ATOMIC (__BUPC_ATOMIC_INTEGER, upc_atomicUX, unsigned long long)
__BUPC_ATOMIC (__BUPC_ATOMIC_INTEGER, upc_atomicI32, int)
__BUPC_ATOMIC (__BUPC_ATOMIC_INTEGER, upc_atomicU32, unsigned int)
__BUPC_ATOMIC (__BUPC_ATOMIC_INTEGER, upc_atomicI64, long)
__BUPC_ATOMIC (__BUPC_ATOMIC_INTEGER, upc_atomicU64, unsigned long)
__BUPC_ATOMIC (__BUPC_ATOMIC_FLOATING, upc_atomicF, float)
__BUPC_ATOMIC (__BUPC_ATOMIC_FLOATING, upc_atomicD, double)
#pragma upct extension off

#endif
