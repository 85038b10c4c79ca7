// SPDX-License-Identifier: MIT
import Glibc

/// Whether tests run that a busy machine may decide: `make nightly` sets HAPTICD_NIGHTLY, CI does not.
public let isNightly = getenv("HAPTICD_NIGHTLY") != nil
