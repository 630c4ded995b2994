/* Which sanitizer this is compiled for: UPCR_TSAN, UPCR_ASAN, or neither. */

#ifndef UPCR_SANITIZERS_H
#define UPCR_SANITIZERS_H

#ifdef __has_feature
#define UPCR_HAS_FEATURE(x) __has_feature (x)
#else
#define UPCR_HAS_FEATURE(x) 0
#endif
#if defined __SANITIZE_THREAD__ || UPCR_HAS_FEATURE (thread_sanitizer)
#define UPCR_TSAN 1
#elif defined __SANITIZE_ADDRESS__ || UPCR_HAS_FEATURE (address_sanitizer)
#define UPCR_ASAN 1
#endif

#endif
