// SPDX-License-Identifier: MIT
// Nothing of its own: NullGPIO.c defines what <gpiod.h> declares.
