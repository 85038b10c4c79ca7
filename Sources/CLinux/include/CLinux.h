// SPDX-License-Identifier: MIT
// What Linux offers and Swift cannot call. One header a concern; this one gathers them.
#ifndef CLINUX_H
#define CLINUX_H

#include "CLinuxClock.h"
#include "CLinuxDescriptors.h"
#include "CLinuxFutex.h"
#include "CLinuxInotify.h"
#include "CLinuxLock.h"
#include "CLinuxProcess.h"
#include "CLinuxReadiness.h"
#include "CLinuxThread.h"

#endif
