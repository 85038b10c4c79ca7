// SPDX-License-Identifier: MIT
#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stdbool.h>

/// Whether allocations can be counted in this build: a sanitizer has an allocator of its own.
bool callocations_can_count(void);

/// From here on, or no longer, the calls of the allocator by the calling thread count.
void callocations_count_this_thread(bool counts);

/// The calls of malloc, calloc, realloc and the like, and of free with something to free, by the calling thread while it counted.
long callocations_of_this_thread(void);

#endif
