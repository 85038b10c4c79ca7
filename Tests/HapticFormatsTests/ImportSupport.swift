// SPDX-License-Identifier: MIT
import Foundation
import HapticCore
import HapticFormats
import HapticPatterns
import HapticText

/// The bytes of a file of `Tests/fixtures`.
func fixture(_ path: String) throws -> [UInt8] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return Array(try Data(contentsOf: file.appendingPathComponent("fixtures").appendingPathComponent(path)))
}

func imported(_ text: String, file: String) throws -> ReadPattern {
    try PatternFiles.read(Array(text.utf8), file: file, expectedName: "x")
}

/// What is wrong with a text.
func diagnostics(of text: String, file: String) -> [Diagnostic] {
    do throws(InvalidDocument) {
        _ = try PatternFiles.read(Array(text.utf8), file: file)
        return []
    } catch {
        return error.diagnostics
    }
}

func keyframes(of track: Pattern.Track?) -> [Keyframe] {
    if case .keyframes(let keyframes) = track?.content { keyframes } else { [] }
}

func events(of track: Pattern.Track?) -> [HapticEvent] {
    if case .events(let events) = track?.content { events } else { [] }
}

/// Time in milliseconds, intensity and sharpness, rounded so that floating point does not show.
func rounded(_ keyframes: [Keyframe]) -> [[Double]] {
    keyframes.map { [$0.at.inMilliseconds, rounded($0.intensity.value), rounded($0.sharpness.value)] }
}

func rounded(_ events: [HapticEvent]) -> [[Double]] {
    events.map { [$0.at.inMilliseconds, rounded($0.intensity.value), rounded($0.sharpness.value)] }
}

private func rounded(_ value: Double) -> Double { (value * 1e9).rounded() / 1e9 }
