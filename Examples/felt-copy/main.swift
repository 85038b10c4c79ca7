// SPDX-License-Identifier: MIT
// Copies a file, and lets it be felt: felt-copy FROM TO
import Foundation
import HapticClient
import HapticCore
import HapticWire

let (from, to) = (CommandLine.arguments[1], CommandLine.arguments[2])
let places = SocketPath.candidates(explicit: nil, environment: ProcessInfo.processInfo.environment)
let daemon = try HapticClient(paths: places, app: "felt-copy")

let source = try FileHandle(forReadingFrom: URL(fileURLWithPath: from))
let size = try source.seekToEnd()
try source.seek(toOffset: 0)
_ = FileManager.default.createFile(atPath: to, contents: nil)
let target = try FileHandle(forWritingTo: URL(fileURLWithPath: to))

// The id outlives the connection: whoever tells of this copy next goes on from where it is. This copy begins.
try daemon.notify(ReleaseParams(id: "copy"))
var copied = 0
while let chunk = try source.read(upToCount: 65_536), !chunk.isEmpty {
    try target.write(contentsOf: chunk)
    copied += chunk.count
    // Nothing comes back, so nothing is waited for. However often it is told, each step is felt once.
    let progress = ProgressParams(id: "copy", value: Progress(clamping: Double(copied) / Double(size)))
    try daemon.notify(progress)
}

// With `call` one waits for the answer: here the decision, and why.
let decision = try daemon.call(EventParams(name: "copy.\(to)"))
print(
    "\(copied) bytes; copy.\(to): \(decision.outcome), \(decision.reason?.rawValue ?? "felt as \(decision.pattern ?? "nothing")")"
)
