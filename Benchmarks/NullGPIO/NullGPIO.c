// SPDX-License-Identifier: MIT
// A libgpiod that has one chip with one line, and nothing behind it. Where it is preloaded, the daemon drives a motor on a GPIO line
// that is not there, and costs only what it costs itself.
//
// With NULL_GPIO_EDGES=FILE it writes there how often the line has been set, each time that the line is given back: the daemon
// asks for it once more at its end, to see that it is off.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <gpiod.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static unsigned long edges;
static int descriptor = -1;

static int request_line(void) {
    descriptor = memfd_create("gpio-line", MFD_CLOEXEC);
    return descriptor < 0 ? -1 : 0;
}

static void release_line(void) {
    const char *path = getenv("NULL_GPIO_EDGES");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%lu\n", edges);
        fclose(file);
    }
    if (descriptor >= 0) close(descriptor);
    descriptor = -1;
}

#ifdef GPIOD_LINE_BULK_MAX_LINES  // Version 1

struct gpiod_chip { int unused; };
struct gpiod_line { int unused; };

static struct gpiod_chip the_chip;
static struct gpiod_line the_line;

struct gpiod_chip *gpiod_chip_open(const char *path) { return (void)path, &the_chip; }
void gpiod_chip_close(struct gpiod_chip *chip) { (void)chip; }
const char *gpiod_chip_name(struct gpiod_chip *chip) { return (void)chip, "null-gpio"; }
const char *gpiod_chip_label(struct gpiod_chip *chip) { return (void)chip, "null"; }
unsigned int gpiod_chip_num_lines(struct gpiod_chip *chip) { return (void)chip, 1; }
struct gpiod_line *gpiod_chip_get_line(struct gpiod_chip *chip, unsigned int offset) { return (void)chip, (void)offset, &the_line; }
const char *gpiod_line_name(struct gpiod_line *line) { return (void)line, "null"; }
const char *gpiod_line_consumer(struct gpiod_line *line) { return (void)line, NULL; }
bool gpiod_line_is_used(struct gpiod_line *line) { return (void)line, false; }
int gpiod_line_direction(struct gpiod_line *line) { return (void)line, GPIOD_LINE_DIRECTION_OUTPUT; }
void gpiod_line_release(struct gpiod_line *line) { (void)line, release_line(); }

int gpiod_line_request(struct gpiod_line *line, const struct gpiod_line_request_config *configuration, int value) {
    (void)line, (void)configuration, (void)value;
    return request_line();
}

int gpiod_line_set_value(struct gpiod_line *line, int value) {
    (void)line, (void)value;
    edges += 1;
    return 0;
}

/// Version 1 does not say which descriptor a request has, so the daemon looks for a new one with the kernel's name for it.
ssize_t readlink(const char *path, char *target, size_t size) {
    static const char mine[] = "/memfd:gpio-line", kernels[] = "anon_inode:gpio-line";
    ssize_t length = readlinkat(AT_FDCWD, path, target, size);
    if (length < (ssize_t)sizeof mine - 1 || size < sizeof kernels || memcmp(target, mine, sizeof mine - 1) != 0) return length;
    memcpy(target, kernels, sizeof kernels - 1);
    return sizeof kernels - 1;
}

#else

struct gpiod_chip { int unused; };
struct gpiod_chip_info { int unused; };
struct gpiod_line_info { int unused; };
struct gpiod_line_settings { int unused; };
struct gpiod_line_config { int unused; };
struct gpiod_request_config { int unused; };
struct gpiod_line_request { int unused; };

#define ONE(type, function) struct type *function(void) { static struct type one; return &one; }
#define NOTHING(type, function) void function(struct type *it) { (void)it; }
ONE(gpiod_line_settings, gpiod_line_settings_new)
ONE(gpiod_line_config, gpiod_line_config_new)
ONE(gpiod_request_config, gpiod_request_config_new)
NOTHING(gpiod_line_settings, gpiod_line_settings_free)
NOTHING(gpiod_line_config, gpiod_line_config_free)
NOTHING(gpiod_request_config, gpiod_request_config_free)
NOTHING(gpiod_chip_info, gpiod_chip_info_free)
NOTHING(gpiod_line_info, gpiod_line_info_free)
NOTHING(gpiod_chip, gpiod_chip_close)

static struct gpiod_chip the_chip;
static struct gpiod_chip_info the_chip_info;
static struct gpiod_line_info the_line_info;
static struct gpiod_line_request the_request;

struct gpiod_chip *gpiod_chip_open(const char *path) { return (void)path, &the_chip; }
struct gpiod_chip_info *gpiod_chip_get_info(struct gpiod_chip *chip) { return (void)chip, &the_chip_info; }
const char *gpiod_chip_info_get_name(struct gpiod_chip_info *info) { return (void)info, "null-gpio"; }
const char *gpiod_chip_info_get_label(struct gpiod_chip_info *info) { return (void)info, "null"; }
size_t gpiod_chip_info_get_num_lines(struct gpiod_chip_info *info) { return (void)info, 1; }
struct gpiod_line_info *gpiod_chip_get_line_info(struct gpiod_chip *chip, unsigned int offset) {
    return (void)chip, (void)offset, &the_line_info;
}
const char *gpiod_line_info_get_name(struct gpiod_line_info *info) { return (void)info, "null"; }
const char *gpiod_line_info_get_consumer(struct gpiod_line_info *info) { return (void)info, NULL; }
bool gpiod_line_info_is_used(struct gpiod_line_info *info) { return (void)info, false; }
enum gpiod_line_direction gpiod_line_info_get_direction(struct gpiod_line_info *info) {
    return (void)info, GPIOD_LINE_DIRECTION_OUTPUT;
}
int gpiod_line_settings_set_direction(struct gpiod_line_settings *settings, enum gpiod_line_direction direction) {
    return (void)settings, (void)direction, 0;
}
void gpiod_line_settings_set_active_low(struct gpiod_line_settings *settings, bool low) { (void)settings, (void)low; }
int gpiod_line_settings_set_output_value(struct gpiod_line_settings *settings, enum gpiod_line_value value) {
    return (void)settings, (void)value, 0;
}
void gpiod_request_config_set_consumer(struct gpiod_request_config *config, const char *consumer) { (void)config, (void)consumer; }
int gpiod_line_config_add_line_settings(
    struct gpiod_line_config *config, const unsigned int *offsets, size_t count, struct gpiod_line_settings *settings) {
    return (void)config, (void)offsets, (void)count, (void)settings, 0;
}
struct gpiod_line_request *gpiod_chip_request_lines(
    struct gpiod_chip *chip, struct gpiod_request_config *config, struct gpiod_line_config *lines) {
    (void)chip, (void)config, (void)lines;
    return request_line() == 0 ? &the_request : NULL;
}
int gpiod_line_request_get_fd(struct gpiod_line_request *request) { return (void)request, descriptor; }
void gpiod_line_request_release(struct gpiod_line_request *request) { (void)request, release_line(); }
int gpiod_line_request_set_value(struct gpiod_line_request *request, unsigned int offset, enum gpiod_line_value value) {
    (void)request, (void)offset, (void)value;
    edges += 1;
    return 0;
}

#endif
