// SPDX-License-Identifier: MIT
#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stdint.h>

/// How often the calling thread has asked for memory, by whichever of malloc, calloc, realloc, posix_memalign, aligned_alloc and memalign.
/// Exact: a program that is linked with this has these functions in place of the C library's.
uint64_t callocations_count(void);

#endif
