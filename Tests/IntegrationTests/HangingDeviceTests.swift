// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("A device that hangs when it is opened", .ownThreads)
struct HangingDeviceTests {
    private let folder: TemporaryFolder
    private let (slow, good): (FileChip, FileChip)

    init() throws {
        folder = try TemporaryFolder()
        slow = try FileChip(in: folder, name: "pwmchip0", hangs: true)
        good = try FileChip(in: folder, name: "pwmchip1")
    }

    /// The one that hangs comes first.
    private func configure(more: String = "") throws -> String {
        try folder.write(
            "version: 1\nactuators:\n\(slow.actuator("slow"))\(good.actuator("good"))\(more)", to: "hapticd.yaml")
    }

    private func isPlayed(on actuator: String, _ client: Connection) throws -> Bool {
        let decision = try client.result("play", #"{"pattern":"soft","actuators":["\#(actuator)"]}"#).object("decision")
        return decision.text("outcome") == "played"
    }

    private func missing(_ client: Connection) throws -> [String] {
        let missing = try client.result("status")["unavailable"] as? [[String: Any]] ?? []
        return missing.compactMap { $0.text("actuator") }
    }

    private func letGetOn(_ daemon: Daemon, _ client: Connection) throws {
        #expect(try missing(client) == ["slow"])
        try wait(for: "the device to be driven") {
            slow.getOnIfRead()
            return try missing(client).isEmpty
        }
        try wait(for: "`slow` to be driven") { try isPlayed(on: "slow", client) }
        #expect(try daemon.stop().status == 0)
    }

    @Test("It keeps neither a later one of its kind from being driven, nor a killed guard from being replaced")
    func guardReplacement() throws {
        let daemon = try Daemon(["--config", configure()], simulate: false, in: folder)
        let client = try daemon.connect()
        // The socket is there before the guard; clients are served after it.
        #expect(try missing(client) == ["slow"])
        let guardian = try daemon.guardian()
        kill(guardian, SIGKILL)
        try wait(for: "another guard") { try children(of: daemon.program.processIdentifier).contains { $0 != guardian } }
        #expect(try isPlayed(on: "good", client))
        try letGetOn(daemon, client)
    }

    @Test("It does not hold up a reload, and is driven by the next executor once it gets on")
    func reload() throws {
        let daemon = try Daemon(["--config", configure()], simulate: false, in: folder)
        let client = try daemon.connect()
        _ = try configure(more: "  - { name: more, backend: simulated }\n")
        #expect(try client.result("reload")["changed"] as? [String] == ["actuators"])
        for actuator in ["good", "more"] {
            try wait(for: "`\(actuator)` to be driven") { try isPlayed(on: actuator, client) }
        }
        // For a moment it is expected to be there at once.
        try wait(for: "the slow one to be known as missing") { try missing(client) == ["slow"] }
        try letGetOn(daemon, client)
    }
}
