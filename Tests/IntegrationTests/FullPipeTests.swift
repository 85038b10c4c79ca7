// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// A pipe whose writers do not block, as a shell or a supervisor may hand it down.
private final class FullPipe {
    private let pipe = Pipe()
    private var filled = 0
    var end: FileHandle { pipe.fileHandleForWriting }

    init() { _ = fcntl(end.fileDescriptor, F_SETFL, O_WRONLY | O_NONBLOCK) }

    /// Leaves no room.
    func fill() {
        for size in [4096, 1] {
            let bytes = [UInt8](repeating: UInt8(ascii: "."), count: size)
            while case let count = Glibc.write(end.fileDescriptor, bytes, size), count > 0 { filled += count }
        }
    }

    var isEmpty: Bool {
        var reader = pollfd(fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        return poll(&reader, 1, 0) == 0
    }

    /// What came behind that which filled it, to the end.
    func drain() throws -> String {
        try end.close()
        let all = try pipe.fileHandleForReading.readToEnd() ?? Data()
        return String(decoding: all.dropFirst(filled), as: UTF8.self)
    }
}

extension Program {
    fileprivate var isAsleep: Bool { state == "S" }

    /// How often it has gone to sleep.
    fileprivate var sleeps: Int {
        let text = (try? String(contentsOfFile: "/proc/\(processIdentifier)/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
        return line.flatMap { Int($0.split(separator: "\t").last ?? "") } ?? 0
    }
}

@Suite("Pipes without room", .ownThreads) struct FullPipeTests {
    @Test("A full pipe is waited for asleep, and all output arrives")
    func outputThatHasNoRoom() throws {
        let arguments = ["play", "--pattern", "soft", "--steps", "75", "--simulate", "--json"]
        let expected = try runCtl(arguments).output
        let full = FullPipe()
        full.fill()
        let program = try Program("hapticctl", arguments, output: full.end, in: TemporaryFolder())
        program.closeInput()
        try wait(for: "hapticctl to sleep until there is room") { program.isAsleep }
        #expect(try full.drain() == expected)
        #expect(try program.wait().status == 0)
    }

    @Test("An error message that has no room is not lost")
    func errorMessageThatHasNoRoom() throws {
        let full = FullPipe()
        full.fill()
        let program = try Program(
            "hapticctl", ["play", "--pattern", "soft", "--steps", "many"], errors: full.end, in: TemporaryFolder())
        program.closeInput()
        try wait(for: "hapticctl to sleep until there is room, or to end") { program.isAsleep || !program.isRunning }
        let message = try full.drain()
        #expect(message.contains("many"), "\(message)")
        #expect(try program.wait().status == 2)
    }

    @Test("Ctrl-C ends a monitor whose output nobody reads")
    func ctrlCEnds() throws {
        let daemon = try Daemon()
        let full = FullPipe()
        let program = try daemon.start(["monitor", "--json"], output: full.end)
        let connection = try daemon.connect()
        func play() throws { _ = try connection.request("play", #"{"pattern":"tick"}"#) }
        try wait(for: "the monitor to tell of something") {
            try play()
            return !full.isEmpty
        }
        full.fill()
        // It gets more, and that does not wake it: so it waits for room.
        try wait(for: "the monitor to sleep until there is room") {
            let before = program.sleeps
            for _ in 0..<4 { try play() }
            return program.isAsleep && program.sleeps == before
        }
        program.signal(SIGINT)
        #expect(try program.wait().status == 1)
    }
}
