// SPDX-License-Identifier: MIT
// One face for libgpiod 1.6 and 2.x, chosen by the header that is there: their functions have nothing in common but the idea.
// Swift could call each version, but not compile against both. Every function returns 0 or an errno.
#ifndef CGPIOD_SHIM_H
#define CGPIOD_SHIM_H

#include <errno.h>
#include <gpiod.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/// A line requested as an output.
struct cgpiod_output {
    struct gpiod_chip *chip;
    void *request;
    unsigned int offset;
    /// Of the request; -1 where libgpiod does not say (1.6).
    int descriptor;
};

/// What the kernel says of a line. Names are empty where there are none.
struct cgpiod_line {
    char name[64];
    char consumer[64];
    bool is_used;
    bool is_output;
};

/// What the kernel says of a chip.
struct cgpiod_chip {
    char name[64];
    char label[64];
    unsigned int line_count;
};

static inline int cgpiod_error(void) { return errno ? errno : EIO; }

static inline void cgpiod_copy(char to[64], const char *from) { snprintf(to, 64, "%s", from ? from : ""); }

// The macro is one of version 1 only.
#ifdef GPIOD_LINE_BULK_MAX_LINES

#define CGPIOD_VERSION 1

static inline int cgpiod_describe_chip(struct gpiod_chip *chip, struct cgpiod_chip *description) {
    cgpiod_copy(description->name, gpiod_chip_name(chip));
    cgpiod_copy(description->label, gpiod_chip_label(chip));
    description->line_count = gpiod_chip_num_lines(chip);
    return 0;
}

static inline int cgpiod_describe_line(struct gpiod_chip *chip, unsigned int offset, struct cgpiod_line *description) {
    struct gpiod_line *line = gpiod_chip_get_line(chip, offset);
    if (!line) return cgpiod_error();
    cgpiod_copy(description->name, gpiod_line_name(line));
    cgpiod_copy(description->consumer, gpiod_line_consumer(line));
    description->is_used = gpiod_line_is_used(line);
    description->is_output = gpiod_line_direction(line) == GPIOD_LINE_DIRECTION_OUTPUT;
    return 0;
}

static inline int cgpiod_request_line(
    struct cgpiod_output *output, unsigned int offset, bool active_low, const char *consumer) {
    struct gpiod_line *line = gpiod_chip_get_line(output->chip, offset);
    if (!line) return cgpiod_error();
    struct gpiod_line_request_config configuration = {
        .consumer = consumer,
        .request_type = GPIOD_LINE_REQUEST_DIRECTION_OUTPUT,
        .flags = active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0,
    };
    if (gpiod_line_request(line, &configuration, 0) != 0) return cgpiod_error();
    output->request = line;
    output->descriptor = -1;
    return 0;
}

static inline int cgpiod_set(const struct cgpiod_output *output, bool is_active) {
    return gpiod_line_set_value((struct gpiod_line *)output->request, is_active) == 0 ? 0 : cgpiod_error();
}

static inline void cgpiod_release_line(struct cgpiod_output *output) {
    gpiod_line_release((struct gpiod_line *)output->request);
}

#else

#define CGPIOD_VERSION 2

static inline int cgpiod_describe_chip(struct gpiod_chip *chip, struct cgpiod_chip *description) {
    struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
    if (!info) return cgpiod_error();
    cgpiod_copy(description->name, gpiod_chip_info_get_name(info));
    cgpiod_copy(description->label, gpiod_chip_info_get_label(info));
    description->line_count = (unsigned int)gpiod_chip_info_get_num_lines(info);
    gpiod_chip_info_free(info);
    return 0;
}

static inline int cgpiod_describe_line(struct gpiod_chip *chip, unsigned int offset, struct cgpiod_line *description) {
    struct gpiod_line_info *info = gpiod_chip_get_line_info(chip, offset);
    if (!info) return cgpiod_error();
    cgpiod_copy(description->name, gpiod_line_info_get_name(info));
    cgpiod_copy(description->consumer, gpiod_line_info_get_consumer(info));
    description->is_used = gpiod_line_info_is_used(info);
    description->is_output = gpiod_line_info_get_direction(info) == GPIOD_LINE_DIRECTION_OUTPUT;
    gpiod_line_info_free(info);
    return 0;
}

static inline int cgpiod_request_line(
    struct cgpiod_output *output, unsigned int offset, bool active_low, const char *consumer) {
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    struct gpiod_line_config *lines = gpiod_line_config_new();
    struct gpiod_request_config *request = gpiod_request_config_new();
    int error = ENOMEM;
    if (settings && lines && request) {
        gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT);
        gpiod_line_settings_set_active_low(settings, active_low);
        gpiod_line_settings_set_output_value(settings, GPIOD_LINE_VALUE_INACTIVE);
        gpiod_request_config_set_consumer(request, consumer);
        struct gpiod_line_request *made = NULL;
        if (gpiod_line_config_add_line_settings(lines, &offset, 1, settings) == 0)
            made = gpiod_chip_request_lines(output->chip, request, lines);
        error = made ? 0 : cgpiod_error();
        output->request = made;
        output->descriptor = made ? gpiod_line_request_get_fd(made) : -1;
    }
    if (request) gpiod_request_config_free(request);
    if (lines) gpiod_line_config_free(lines);
    if (settings) gpiod_line_settings_free(settings);
    return error;
}

static inline int cgpiod_set(const struct cgpiod_output *output, bool is_active) {
    enum gpiod_line_value value = is_active ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
    return gpiod_line_request_set_value((struct gpiod_line_request *)output->request, output->offset, value) == 0
               ? 0 : cgpiod_error();
}

static inline void cgpiod_release_line(struct cgpiod_output *output) {
    gpiod_line_request_release((struct gpiod_line_request *)output->request);
}

#endif

/// Opens a chip by the path of its device.
static inline int cgpiod_open_chip(const char *path, struct gpiod_chip **chip) {
    errno = 0;
    *chip = gpiod_chip_open(path);
    return *chip ? 0 : cgpiod_error();
}

/// Requests a line as an output that is inactive from the first instant on. `chip` is the output's from here on, also where it fails.
static inline int cgpiod_request_output(
    struct gpiod_chip *chip, unsigned int offset, bool active_low, const char *consumer, struct cgpiod_output *output) {
    *output = (struct cgpiod_output){.chip = chip, .offset = offset, .descriptor = -1};
    errno = 0;
    int error = cgpiod_request_line(output, offset, active_low, consumer);
    if (error != 0) gpiod_chip_close(chip);
    return error;
}

/// Gives the line and its chip back.
static inline void cgpiod_release(struct cgpiod_output *output) {
    cgpiod_release_line(output);
    gpiod_chip_close(output->chip);
}

#endif
