// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("The daemon as a service")
struct ServiceTests {
    private let folder: TemporaryFolder
    private let manager: ServiceManager

    init() throws {
        folder = try TemporaryFolder()
        manager = try ServiceManager(in: folder)
    }

    private func configuration(_ actuators: String = "  - { name: main, backend: simulated }\n") throws -> String {
        try folder.write("version: 1\nactuators:\n\(actuators)", to: "hapticd.yaml")
    }

    private func start(_ configuration: String, watchdog: Double? = nil) throws -> Program {
        try Program(
            "hapticd", ["--config", configuration, "--socket", folder.path("hapticd.sock")],
            environment: manager.environment(watchdog: watchdog), in: folder)
    }

    private func connect() throws -> Connection { try Connection(to: folder.path("hapticd.sock")) }

    @Test("The daemon is ready once every actuator has been tried, and announces its state in words, when that changes")
    func ready() throws {
        let program = try start(configuration("  - { name: main, backend: simulated }\n" + gone("line", "pad")))
        let ready = "STATUS=3 actuators, 2 missing (line, pad); 0 clients; profile full"
        #expect(try manager.message() == ["READY=1", ready])
        let client = try connect()
        // It serves: what it reports as missing has been tried.
        let errors = try #require(try client.result("actuators")["actuators"] as? [[String: Any]]).compactMap { $0.text("error") }
        #expect(errors.count == 2 && errors.allSatisfy { $0.contains("is not there") }, "\(errors)")
        _ = try client.result("profile", #"{"set":"quiet"}"#)
        #expect(try manager.message(with: "STATUS=3 actuators, 2 missing (line, pad); 1 client; profile quiet").count == 1)
        program.signal(SIGTERM)
        #expect(try program.wait().status == 0)
        #expect(try manager.message(with: "STOPPING=1").count == 2)
        #expect(manager.messagesNow() == [])
    }

    /// Actuators whose devices are not there.
    private func gone(_ line: String, _ pad: String) -> String {
        """
          - { name: \(line), backend: gpio, chip: hapticd-test-without-this-chip, line: 1 }
          - { name: \(pad), backend: evdev, match: { name: "hapticd test without this pad" } }

        """
    }

    @Test("The library libsystemd is in memory where a service manager is, and nowhere else")
    func libraryIsLoadedWhereItIsNeeded() throws {
        func hasLoadedIt(_ program: Program) throws -> Bool {
            // `String(contentsOfFile:)` ends with the first page of such a file.
            let maps = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/\(program.processIdentifier)/maps"))
            let text = try String(decoding: maps.readToEnd() ?? Data(), as: UTF8.self)
            #expect(text.contains("/libc.so") && text.contains("[stack]"), "\(text)")
            return text.contains("/libsystemd.so")
        }
        let byHand = try Program(
            "hapticd", ["--config", configuration(), "--socket", folder.path("by-hand.sock"), "--simulate"], in: folder)
        try wait(for: "the socket") { (try? Connection(to: folder.path("by-hand.sock"))) != nil }
        #expect(try !hasLoadedIt(byHand))
        let service = try start(configuration())
        _ = try manager.message(with: "READY=1")
        #expect(try hasLoadedIt(service))
    }

    @Test("Without libsystemd the daemon does not start for a service manager, and says so where its log is read")
    func missingLibrary() throws {
        // The loader takes the first of this name, and finds it too short.
        _ = try folder.write("", to: "libsystemd.so.0")
        let log = URL(fileURLWithPath: try folder.write("", to: "log"))
        var status = stat()
        try #require(stat(log.path, &status) == 0)
        let journal = ["LD_LIBRARY_PATH": folder.url.path, "JOURNAL_STREAM": "\(status.st_dev):\(status.st_ino)"]
        let program = try Program(
            "hapticd", ["--config", configuration(), "--socket", folder.path("hapticd.sock")],
            environment: manager.environment(watchdog: 1).merging(journal) { $1 }, errors: FileHandle(forWritingTo: log),
            in: folder)
        #expect(try program.wait().status == 1)
        let said = try String(contentsOf: log, encoding: .utf8)
        #expect(
            said.hasPrefix(
                "<2>started under a service manager ($NOTIFY_SOCKET, $WATCHDOG_USEC), but libsystemd cannot be used: "),
            "\(said)")
        #expect(said.contains(folder.path("libsystemd.so.0")) && said.contains("install libsystemd0"), "\(said)")
    }

    @Test("What a service manager has set and cannot be used is logged once, and the daemon runs without")
    func unusableVariables() throws {
        let program = try Program(
            "hapticd", ["--config", configuration(), "--socket", folder.path("hapticd.sock")],
            environment: ["NOTIFY_SOCKET": folder.path("nowhere"), "WATCHDOG_USEC": "soon"], in: folder)
        try wait(for: "the daemon") { program.errors.contains("listens on") }
        program.signal(SIGTERM)
        #expect(try program.wait().status == 0)
        for words in ["warning hapticd: nobody can be notified at $NOTIFY_SOCKET", "warning hapticd: $WATCHDOG_USEC or"] {
            #expect(program.errors.components(separatedBy: words).count == 2, "\(program.errors)")
        }
    }

    @Test("A change that is taken back at once is not announced, and events never are")
    func quiet() throws {
        let program = try start(configuration())
        _ = try manager.message(with: "READY=1")
        let began = Date()
        for _ in 1...20 {
            let client = try connect()
            for step in 1...20 { _ = try client.result("progress", #"{"id":"a","value":\#(Double(step) / 20)}"#) }
        }
        // This state comes after any that the twenty before have caused.
        let last = try connect()
        _ = try last.result("profile", #"{"set":"silent"}"#)
        var states: [String] = []
        while states.last?.contains("silent") != true { states += try manager.message() }
        #expect(states.allSatisfy { $0.hasPrefix("STATUS=1 actuator; ") }, "\(states)")
        // One a second at most.
        #expect(Double(states.count) <= Date().timeIntervalSince(began) + 1, "\(states)")
        program.signal(SIGTERM)
        #expect(try program.wait().status == 0)
    }

    @Test(
        "A device that takes its time to open delays readiness by 2 s at most, and who connected before is served then"
    )
    func slowDevice() throws {
        let chip = try FileChip(in: folder, hangs: true)
        let program = try start(configuration(chip.actuator("slow") + "  - { name: main, backend: simulated }\n"))
        try wait(for: "the socket") { (try? connect()) != nil }
        let early = try connect()
        let decision = try early.result("play", #"{"pattern":"soft","actuators":["main"]}"#).object("decision")
        #expect(decision.text("outcome") == "played")
        let status = try #require(try manager.message(with: "READY=1").last)
        #expect(status.hasPrefix("STATUS=2 actuators, 1 still being opened (slow); "), "\(status)")
        #expect(program.errors.contains("still being opened: slow"), "\(program.errors)")
        try chip.getOn()
        #expect(try manager.message(with: "STATUS=2 actuators; 1 client; profile full").count == 1)
        program.signal(SIGTERM)
        #expect(try program.wait().status == 0)
    }

    @Test("A device that hangs does not keep the daemon from stopping: it says so and leaves the rest to the guard")
    func boundedStop() throws {
        let chip = try FileChip(in: folder, hangs: true)
        let program = try start(configuration(chip.actuator("slow")))
        _ = try manager.message(with: "READY=1")
        program.signal(SIGTERM)
        #expect(try manager.message(with: "STOPPING=1").count == 2)
        let ended = try program.wait()
        #expect(ended.status == 1)
        #expect(ended.errors.contains("could not be stopped in order within 3 s"), "\(ended.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("hapticd.sock")))
    }

    @Test("A reload is announced before and after, with the time of its beginning, a bad one too")
    func reload() throws {
        let file = try configuration()
        let program = try start(file)
        _ = try manager.message(with: "READY=1")
        for text in ["version: 1\nactuators: nonsense\n", "version: 1\nactuators:\n" + gone("line", "pad")] {
            _ = try folder.write(text, to: "hapticd.yaml")
            program.signal(SIGHUP)
            let reloading = try manager.message(with: "RELOADING=1")
            let instant = try #require(reloading.last.map { $0.split(separator: "=") })
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            #expect(instant.first == "MONOTONIC_USEC")
            #expect((1...now.tv_sec * 1_000_000 + now.tv_nsec / 1000).contains(try #require(Int(instant[1]))))
            #expect(try manager.message().first == "READY=1")
        }
        #expect(try manager.message(with: "STATUS=2 actuators, 2 missing (line, pad)").count == 1)
    }

    @Test("A reload that waits for a device that hangs does not end the signs of life")
    func slowReload() throws {
        let chip = try FileChip(in: folder, hangs: true)
        let program = try start(configuration(), watchdog: 1)
        _ = try manager.message(with: "READY=1")
        _ = try configuration(chip.actuator("slow"))
        program.signal(SIGHUP)
        _ = try manager.message(with: "RELOADING=1")
        _ = try manager.message(with: "READY=1")
        // Three periods, in which there is no executor.
        for _ in 1...4 { _ = try manager.message(with: "WATCHDOG=1") }
        try chip.getOn()
        // And the next one shows itself.
        for _ in 1...4 { _ = try manager.message(with: "WATCHDOG=1") }
        program.signal(SIGTERM)
        #expect(try program.wait().status == 0)
    }

    @Test("A manager that does not read stops nothing")
    func deafManager() throws {
        let program = try start(configuration(), watchdog: 0.002)
        let client: Connection = try {
            try wait(for: "the socket") { (try? connect()) != nil }
            return try connect()
        }()
        // Its socket takes ten messages, or some hundreds: as many as there are signs of life in this time.
        for _ in 1...20 {
            program.signal(SIGHUP)
            _ = try client.result("reload")
            usleep(50_000)
        }
        #expect(try client.result("profile").text("profile") == "full")
        program.signal(SIGTERM)
        #expect(try program.wait().status == 0)
        // Once it reads again it learns whether the daemon is ready.
        #expect(manager.messagesNow().first?.first == "READY=1")
    }
}
