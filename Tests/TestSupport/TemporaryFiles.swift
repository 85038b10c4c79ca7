// SPDX-License-Identifier: MIT
import FoundationEssentials

/// Runs `body` with a new folder, and removes the folder afterwards.
public func withFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let path = "/tmp/hapticctl-\(UInt64.random(in: .min ... .max))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
}

/// Runs `body` with a new file of that name and text.
public func withFile<Result>(_ name: String, _ text: String, _ body: (String) throws -> Result) throws -> Result {
    try withFolder { folder in
        let path = "\(folder)/\(name)"
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        return try body(path)
    }
}
