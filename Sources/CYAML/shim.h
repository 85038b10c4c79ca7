// SPDX-License-Identifier: MIT
// Swift can call all that we use of libyaml: no wrapper is needed, only the header under a path of our own.
#include <yaml.h>
