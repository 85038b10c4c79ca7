// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// A device whose opening does not return.
@Suite("A device that hangs")
struct HangingDeviceTests {
    private let folder: TemporaryFolder
    private let slow: FileChip
    private let good: FileChip

    init() throws {
        folder = try TemporaryFolder()
        slow = try FileChip(in: folder, name: "pwmchip0", hangs: true)
        good = try FileChip(in: folder, name: "pwmchip1")
    }

    /// The one that hangs comes first.
    private func write(more: String = "") throws -> String {
        try folder.write(
            "version: 1\nactuators:\n\(slow.actuator("slow"))\(good.actuator("good"))\(more)", to: "hapticd.yaml")
    }

    private func start() throws -> Daemon { try Daemon(["--config", write()], simulate: false, in: folder) }

    private func isPlayed(on actuator: String, _ client: Connection) throws -> Bool {
        let decision = try client.result("play", #"{"pattern":"soft","actuators":["\#(actuator)"]}"#).object("decision")
        return decision.text("outcome") == "played"
    }

    private func missing(_ client: Connection) throws -> [String] {
        let missing = try client.result("status")["unavailable"] as? [[String: Any]] ?? []
        return missing.compactMap { $0.text("actuator") }
    }

    private func letGetOn(_ client: Connection) throws {
        #expect(try missing(client) == ["slow"])
        try wait(for: "the device to be driven") {
            slow.getOnIfRead()
            return try missing(client).isEmpty
        }
    }

    @Test("A device that hangs does not keep another of its kind, which comes after it, from being driven")
    func otherDevice() throws {
        let daemon = try start()
        let client = try daemon.connect()
        #expect(try isPlayed(on: "good", client))
        try letGetOn(client)
        #expect(try daemon.stop().status == 0)
    }

    @Test("A device that hangs does not hold up a reload, and is driven by the next executor once it gets on")
    func reload() throws {
        let daemon = try start()
        let client = try daemon.connect()
        _ = try write(more: "  - { name: more, backend: simulated }\n")
        #expect(try client.result("reload")["changed"] as? [String] == ["actuators"])
        for actuator in ["good", "more"] {
            try wait(for: "`\(actuator)` to be driven") { try isPlayed(on: actuator, client) }
        }
        // For a moment it is expected to be there at once.
        try wait(for: "the slow one to be known as missing") { try missing(client) == ["slow"] }
        try letGetOn(client)
        try wait(for: "`slow` to be driven") { try isPlayed(on: "slow", client) }
        #expect(try daemon.stop().status == 0)
    }

    @Test("A device that hangs does not keep a guard that was killed from being replaced")
    func guardReplacement() throws {
        let daemon = try start()
        let client = try daemon.connect()
        let process = daemon.program.processIdentifier
        // The socket is there before the guard; clients are served after it.
        #expect(try missing(client) == ["slow"])
        let guardian = try #require(children(of: process).first)
        kill(guardian, SIGKILL)
        try wait(for: "another guard") { try children(of: process).contains { $0 != guardian } }
        #expect(try isPlayed(on: "good", client))
        try letGetOn(client)
        #expect(try daemon.stop().status == 0)
    }
}
