// SPDX-License-Identifier: MIT
// One face for libgpiod 1.6 and 2.x, chosen by the header that is there: their functions have nothing in common but the idea.
// Swift could call each version, but not compile against both. Every function returns 0 or an errno.
#ifndef CGPIOD_SHIM_H
#define CGPIOD_SHIM_H

#include <errno.h>
#include <fcntl.h>
#include <gpiod.h>
#include <linux/gpio.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A line requested as an output.
struct cgpiod_output {
    struct gpiod_chip *chip;
    void *request;
    unsigned int offset;
    /// Of the request; -1 where libgpiod does not say (1.6).
    int descriptor;
};

/// The ioctl that sets a requested line inactive through any copy of its descriptor.
struct cgpiod_off_call {
    uint32_t request;
    uint32_t size;
    uint8_t argument[64];
};

/// A line requested as an input whose edges are reported.
struct cgpiod_input {
    struct gpiod_chip *chip;
    void *request;
    /// libgpiod 2 reads into it.
    void *buffer;
    unsigned int offset;
    int descriptor;
};

enum cgpiod_bias { CGPIOD_BIAS_AS_IS, CGPIOD_BIAS_UP, CGPIOD_BIAS_DOWN, CGPIOD_BIAS_DISABLED };

/// As many as are read at once. libgpiod 1.6 uses the kernel's first interface, which keeps no more.
#define CGPIOD_MOST_EDGES 16

struct cgpiod_edge {
    /// Of CLOCK_MONOTONIC; before Linux 5.7, by libgpiod 1.6, of CLOCK_REALTIME.
    int64_t ns;
    bool is_rising;
    /// Of the edges of the line, from 1; 0 where it is not known (libgpiod 1.6).
    unsigned long sequence;
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

static inline struct cgpiod_off_call cgpiod_off(void) {
    struct gpiohandle_data values = {{0}};
    struct cgpiod_off_call call = {.request = GPIOHANDLE_SET_LINE_VALUES_IOCTL, .size = sizeof values};
    memcpy(call.argument, &values, sizeof values);
    return call;
}

static inline int cgpiod_request_edges(struct cgpiod_input *input, bool active_low, enum cgpiod_bias bias, const char *consumer) {
    static const int biases[] = {
        0, GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP, GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN, GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE,
    };
    struct gpiod_line *line = gpiod_chip_get_line(input->chip, input->offset);
    if (!line) return cgpiod_error();
    struct gpiod_line_request_config configuration = {
        .consumer = consumer,
        .request_type = GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES,
        .flags = (active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0) | biases[bias],
    };
    if (gpiod_line_request(line, &configuration, 0) != 0) return cgpiod_error();
    input->request = line;
    input->descriptor = gpiod_line_event_get_fd(line);
    return 0;
}

static inline int cgpiod_get_edges(struct cgpiod_input *input, struct cgpiod_edge *edges) {
    struct gpiod_line_event events[CGPIOD_MOST_EDGES];
    int count = gpiod_line_event_read_fd_multiple(input->descriptor, events, CGPIOD_MOST_EDGES);
    for (int index = 0; index < count; index++) {
        edges[index].ns = (int64_t)events[index].ts.tv_sec * 1000000000 + events[index].ts.tv_nsec;
        edges[index].is_rising = events[index].event_type == GPIOD_LINE_EVENT_RISING_EDGE;
        edges[index].sequence = 0;
    }
    return count;
}

static inline int cgpiod_get_level(const struct cgpiod_input *input) {
    return gpiod_line_get_value((struct gpiod_line *)input->request);
}

static inline void cgpiod_release_edges(struct cgpiod_input *input) { gpiod_line_release((struct gpiod_line *)input->request); }

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

static inline struct cgpiod_off_call cgpiod_off(void) {
    struct gpio_v2_line_values values = {.bits = 0, .mask = 1};
    struct cgpiod_off_call call = {.request = GPIO_V2_LINE_SET_VALUES_IOCTL, .size = sizeof values};
    memcpy(call.argument, &values, sizeof values);
    return call;
}

static inline int cgpiod_request_edges(struct cgpiod_input *input, bool active_low, enum cgpiod_bias bias, const char *consumer) {
    static const enum gpiod_line_bias biases[] = {
        GPIOD_LINE_BIAS_AS_IS, GPIOD_LINE_BIAS_PULL_UP, GPIOD_LINE_BIAS_PULL_DOWN, GPIOD_LINE_BIAS_DISABLED,
    };
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    struct gpiod_line_config *lines = gpiod_line_config_new();
    struct gpiod_request_config *request = gpiod_request_config_new();
    struct gpiod_edge_event_buffer *buffer = gpiod_edge_event_buffer_new(CGPIOD_MOST_EDGES);
    int error = ENOMEM;
    if (settings && lines && request && buffer) {
        gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT);
        gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH);
        gpiod_line_settings_set_event_clock(settings, GPIOD_LINE_CLOCK_MONOTONIC);
        gpiod_line_settings_set_active_low(settings, active_low);
        gpiod_line_settings_set_bias(settings, biases[bias]);
        gpiod_request_config_set_consumer(request, consumer);
        struct gpiod_line_request *made = NULL;
        if (gpiod_line_config_add_line_settings(lines, &input->offset, 1, settings) == 0)
            made = gpiod_chip_request_lines(input->chip, request, lines);
        error = made ? 0 : cgpiod_error();
        input->request = made;
        input->descriptor = made ? gpiod_line_request_get_fd(made) : -1;
    }
    if (error == 0)
        input->buffer = buffer;
    else if (buffer)
        gpiod_edge_event_buffer_free(buffer);
    if (request) gpiod_request_config_free(request);
    if (lines) gpiod_line_config_free(lines);
    if (settings) gpiod_line_settings_free(settings);
    return error;
}

static inline int cgpiod_get_edges(struct cgpiod_input *input, struct cgpiod_edge *edges) {
    struct gpiod_edge_event_buffer *buffer = (struct gpiod_edge_event_buffer *)input->buffer;
    int count = gpiod_line_request_read_edge_events((struct gpiod_line_request *)input->request, buffer, CGPIOD_MOST_EDGES);
    for (int index = 0; index < count; index++) {
        struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(buffer, (unsigned long)index);
        edges[index].ns = (int64_t)gpiod_edge_event_get_timestamp_ns(event);
        edges[index].is_rising = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
        edges[index].sequence = gpiod_edge_event_get_line_seqno(event);
    }
    return count;
}

static inline int cgpiod_get_level(const struct cgpiod_input *input) {
    return (int)gpiod_line_request_get_value((struct gpiod_line_request *)input->request, input->offset);
}

static inline void cgpiod_release_edges(struct cgpiod_input *input) {
    gpiod_line_request_release((struct gpiod_line_request *)input->request);
    gpiod_edge_event_buffer_free((struct gpiod_edge_event_buffer *)input->buffer);
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

/// Gives the line and its chip back.
static inline void cgpiod_release_input(struct cgpiod_input *input) {
    cgpiod_release_edges(input);
    gpiod_chip_close(input->chip);
}

/// Requests a line as an input whose edges, both of them, are read without waiting. `chip` is the input's from here on, also where it fails.
static inline int cgpiod_request_input(
    struct gpiod_chip *chip, unsigned int offset, bool active_low, enum cgpiod_bias bias, const char *consumer,
    struct cgpiod_input *input) {
    *input = (struct cgpiod_input){.chip = chip, .offset = offset, .descriptor = -1};
    errno = 0;
    int error = cgpiod_request_edges(input, active_low, bias, consumer);
    if (error != 0) {
        gpiod_chip_close(chip);
        return error;
    }
    int flags = fcntl(input->descriptor, F_GETFL);
    if (flags >= 0 && fcntl(input->descriptor, F_SETFL, flags | O_NONBLOCK) == 0) return 0;
    error = cgpiod_error();
    cgpiod_release_input(input);
    return error;
}

/// Reads up to CGPIOD_MOST_EDGES that are there. Returns how many, 0 where there is none, or -errno.
static inline int cgpiod_read_edges(struct cgpiod_input *input, struct cgpiod_edge *edges) {
    int count;
    do {
        errno = 0;
        count = cgpiod_get_edges(input, edges);
    } while (count < 0 && errno == EINTR);
    if (count >= 0) return count;
    return errno == EAGAIN ? 0 : -cgpiod_error();
}

/// Reads whether the line is active. May block. Returns 0 or an errno.
static inline int cgpiod_read_level(const struct cgpiod_input *input, bool *is_active) {
    errno = 0;
    int level = cgpiod_get_level(input);
    *is_active = level == 1;
    return level < 0 ? cgpiod_error() : 0;
}

#endif
