// SPDX-License-Identifier: MIT
// The allocator of the process that tests run in, with a count of who calls it. C, because it takes the place of the C library's functions.
#include "CAllocations.h"

#include <errno.h>
#include <stddef.h>

static _Thread_local bool counts_here;
static _Thread_local long made_here;

void callocations_count_this_thread(bool counts) {
    counts_here = counts;
}

long callocations_of_this_thread(void) {
    return made_here;
}

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)

bool callocations_can_count(void) {
    return false;
}

#else

bool callocations_can_count(void) {
    return true;
}

// A function of its own, for a breakpoint on it shows who allocates.
__attribute__((noinline)) static void note(void) {
    made_here += 1;
}

// What the functions below stand in for, by the names under which the C library keeps them for that.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

void *malloc(size_t size) {
    if (counts_here) note();
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    if (counts_here) note();
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    if (counts_here) note();
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    if (counts_here) note();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    void *found = memalign(alignment, size);
    if (!found) return ENOMEM;
    *memory = found;
    return 0;
}

void free(void *memory) {
    if (counts_here && memory) note();
    __libc_free(memory);
}

#endif
