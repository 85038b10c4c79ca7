// SPDX-License-Identifier: MIT

/// The version of daemon, client library and tools, which are released together.
public enum HapticVersion {
    public static let current = "0.1.0"
}
