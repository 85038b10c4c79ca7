// SPDX-License-Identifier: MIT
import FoundationEssentials
import HapticCore
import HapticEngine
import HapticJSON
import HapticService
import HapticWire
import Synchronization

@testable import HapticServer

/// Keeps what a session gets.
final class RecordingOutput: SessionOutput {
    private(set) var lines: [[UInt8]] = []
    func send(_ lines: [[UInt8]], sent: @escaping () -> Void) {
        self.lines += lines
        sent()
    }
    func resumeReading() {}
    func close(_ way: SessionClosing) {}

    var last: JSONValue? { lines.last.flatMap { try? JSONDecoder().decode(JSONValue.self, from: Data($0)) } }
}

/// Someone connected without a socket, so that it may be anyone. On the event loop only.
final class Visitor {
    let session: Session
    private let output = RecordingOutput()
    private let server: FeedbackServer

    init(_ server: FeedbackServer, user: UInt32, groups: [UInt32] = []) throws {
        self.server = server
        session = try server.open(Peer(user: user, groups: groups), output: output)
    }

    func ask(_ method: String, _ params: String = "{}") -> JSONValue? {
        let line = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#
        // Whoever waits for each answer has the event loop go around between two lines.
        (server.turns.worked, server.turns.isRunScheduled) = (.zero, false)
        server.say(line, from: session)
        return output.last
    }

    func close() {
        (server.turns.worked, server.turns.isRunScheduled) = (.zero, false)
        server.close(session)
    }
}

let notAllowed = JSONValue.number(-32005)
let quota = JSONValue.number(-32000)

/// What was logged, from whichever thread.
final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
}

extension TestDaemon {
    static func configured(
        bounds: EngineBounds = .standard, _ change: (inout ServiceConfiguration) -> Void
    ) throws -> ServiceConfiguration {
        var configuration = try Self.configuration(bounds: bounds)
        change(&configuration)
        return configuration
    }
}
