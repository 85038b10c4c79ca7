// SPDX-License-Identifier: MIT
#ifndef CGPIOD_SHIM_H
#define CGPIOD_SHIM_H

#include <errno.h>
#include <gpiod.h>

#endif
