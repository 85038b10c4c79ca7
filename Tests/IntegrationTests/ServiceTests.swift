// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("The daemon as a service", .ownThreads)
struct ServiceTests {
    private let folder: TemporaryFolder
    private let manager: ServiceManager

    init() throws {
        folder = try TemporaryFolder()
        manager = try ServiceManager(in: folder)
    }

    private static let main = "  - { name: main, backend: simulated }\n"
    /// Actuators whose devices are not there.
    private static let gone = """
          - { name: line, backend: gpio, chip: hapticd-test-without-this-chip, line: 1 }
          - { name: pad, backend: evdev, match: { name: "hapticd test without this pad" } }

        """

    @discardableResult
    private func configure(_ actuators: String = main) throws -> String {
        try folder.write("version: 1\nactuators:\n\(actuators)", to: "hapticd.yaml")
    }

    private func start(watchdog: Double? = nil, _ more: [String: String] = [:], errors: FileHandle? = nil) throws -> Program {
        try Program(
            "hapticd", ["--config", folder.path("hapticd.yaml"), "--socket", folder.path("hapticd.sock")],
            environment: manager.environment(watchdog: watchdog).merging(more) { $1 }, errors: errors, in: folder)
    }

    private func connect() throws -> Connection { try Connection(to: folder.path("hapticd.sock")) }

    private func stop(_ program: Program) throws {
        program.signal(SIGTERM)
        let ended = try program.wait()
        #expect(ended.status == 0, "\(ended.errors)")
    }

    @Test("The daemon is ready once every actuator has been tried, and announces its state in words, when that changes")
    func ready() throws {
        try configure(Self.main + Self.gone)
        let program = try start()
        let ready = "STATUS=3 actuators, 2 missing (line, pad); 0 clients; profile full"
        #expect(try manager.message() == ["READY=1", ready])
        let client = try connect()
        // It serves: what it reports as missing has been tried.
        let errors = try #require(try client.result("actuators")["actuators"] as? [[String: Any]]).compactMap { $0.text("error") }
        #expect(errors.count == 2)
        for error in errors { #expect(error.contains("is not there")) }
        _ = try client.result("settings", #"{"set":{"profile":"quiet"}}"#)
        #expect(try manager.message(with: "STATUS=3 actuators, 2 missing (line, pad); 1 client; profile quiet").count == 1)
        try stop(program)
        #expect(try manager.message(with: "STOPPING=1").count == 2)
        #expect(manager.messagesNow() == [])
    }

    @Test("The library libsystemd is in memory if there is a service manager, and else not")
    func libraryIsLoadedWhereItIsNeeded() throws {
        func hasLoadedIt(_ program: Program) throws -> Bool {
            // `String(contentsOfFile:)` ends with the first page of such a file.
            let maps = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/\(program.processIdentifier)/maps"))
            let text = try String(decoding: maps.readToEnd() ?? Data(), as: UTF8.self)
            #expect(text.contains("/libc.so"))
            #expect(text.contains("[stack]"))
            return text.contains("/libsystemd.so")
        }
        #expect(try !hasLoadedIt(Daemon().program))
        try configure()
        let service = try start()
        _ = try manager.message(with: "READY=1")
        #expect(try hasLoadedIt(service))
    }

    @Test("Without libsystemd the daemon does not start for a service manager, and its log contains the reason")
    func missingLibrary() throws {
        // The loader takes the first of this name, and finds it too short.
        try folder.write("", to: "libsystemd.so.0")
        let log = URL(fileURLWithPath: try folder.write("", to: "log"))
        var status = stat()
        try #require(stat(log.path, &status) == 0)
        let journal = ["LD_LIBRARY_PATH": folder.url.path, "JOURNAL_STREAM": "\(status.st_dev):\(status.st_ino)"]
        try configure()
        let program = try start(watchdog: 1, journal, errors: FileHandle(forWritingTo: log))
        #expect(try program.wait().status == 1)
        let said = try folder.read("log")
        for part in [
            "<2>started under a service manager ($NOTIFY_SOCKET, $WATCHDOG_USEC), but libsystemd cannot be used: ",
            folder.path("libsystemd.so.0"), "install libsystemd0",
        ] { #expect(said.contains(part), "\(said)") }
    }

    @Test("Variables of a service manager that cannot be used are logged once, and the daemon runs without")
    func unusableVariables() throws {
        try configure()
        let program = try start(["NOTIFY_SOCKET": folder.path("nowhere"), "WATCHDOG_USEC": "soon"])
        try program.wait(toSay: "listens on")
        try stop(program)
        for words in ["warning hapticd: nobody can be notified at $NOTIFY_SOCKET", "warning hapticd: $WATCHDOG_USEC or"] {
            #expect(program.errors.components(separatedBy: words).count == 2, "\(program.errors)")
        }
    }

    @Test("The service manager gets the state at most once a second, however often it changes")
    func onceASecond() throws {
        try configure()
        let program = try start()
        _ = try manager.message(with: "READY=1")
        let began = ContinuousClock.now
        for _ in 1...20 { _ = try connect().result("status") }
        // This state comes after any that the twenty clients have caused.
        let last = try connect()
        _ = try last.result("settings", #"{"set":{"profile":"silent"}}"#)
        var states: [String] = []
        while states.last?.hasSuffix("profile silent") != true { states += try manager.message() }
        // A first one may have been under way.
        #expect(.seconds(states.count - 1) <= ContinuousClock.now - began, "\(states)")
        try stop(program)
    }

    @Test("A device that opens slowly delays readiness by 2 s at most, and clients that connected before are served then")
    func slowDevice() throws {
        let chip = try FileChip(in: folder, hangs: true)
        try configure(chip.actuator("slow") + Self.main)
        let program = try start()
        try program.waitUntilListening(at: folder.path("hapticd.sock"))
        let early = try connect()
        try wait(for: "`main` to be open") {
            let decision = try early.result("play", #"{"pattern":"soft","actuators":["main"]}"#).object("decision")
            return decision.text("outcome") == "played"
        }
        let status = try #require(try manager.message(with: "READY=1").last)
        // On a busy machine `main` may not be open yet either.
        #expect(status.contains("still being opened (slow"), "\(status)")
        #expect(program.errors.contains("still being opened: slow"), "\(program.errors)")
        try chip.getOn()
        #expect(try manager.message(with: "STATUS=2 actuators; 1 client; profile full").count == 1)
        try stop(program)
    }

    @Test(
        "A device that hangs does not keep the daemon from stopping: it logs that, ends with status 1, and other outputs are off")
    func boundedStop() throws {
        let (slow, chip) = (try FileChip(in: folder, hangs: true), try FileChip(in: folder, name: "pwmchip1"))
        try configure(slow.actuator("slow") + chip.actuator("main"))
        let program = try start()
        _ = try manager.message(with: "READY=1")
        try AfterDaemon().shake(connect(), chip)
        program.signal(SIGTERM)
        #expect(try manager.message(with: "STOPPING=1").count == 2)
        let ended = try program.wait()
        #expect(ended.status == 1)
        #expect(ended.errors.contains("could not be stopped in order within 3 s"), "\(ended.errors)")
        #expect(!folder.has("hapticd.sock"))
        try wait(for: "the other output to be off") { chip.duty == 0 }
    }

    @Test("A reload is announced before and after, with the time of its beginning, a bad one too")
    func reload() throws {
        try configure()
        let program = try start()
        _ = try manager.message(with: "READY=1")
        for actuators in ["nonsense", Self.gone] {
            try configure(actuators)
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
        try configure()
        let program = try start(watchdog: 0.4)
        _ = try manager.message(with: "READY=1")
        try configure(chip.actuator("slow"))
        program.signal(SIGHUP)
        _ = try manager.message(with: "RELOADING=1")
        _ = try manager.message(with: "READY=1")
        // Three periods, in which there is no executor.
        for _ in 1...4 { _ = try manager.message(with: "WATCHDOG=1") }
        try chip.getOn()
        // And the next one shows itself.
        for _ in 1...4 { _ = try manager.message(with: "WATCHDOG=1") }
        try stop(program)
    }

    @Test("A manager that does not read stops nothing")
    func deafManager() throws {
        try configure()
        let program = try start(watchdog: 0.002)
        try program.waitUntilListening(at: folder.path("hapticd.sock"))
        let client = try connect()
        // Its socket takes so many messages: a reload sends two, in addition to the signs of life.
        let limit = try String(contentsOfFile: "/proc/sys/net/unix/max_dgram_qlen", encoding: .utf8)
        let room = try #require(Int(limit.split(separator: "\n")[0]))
        for _ in 0...room / 2 + 5 { _ = try client.result("reload") }
        #expect(try client.result("status").text("profile") == "full")
        try stop(program)
        // Once it reads again it learns whether the daemon is ready.
        #expect(manager.messagesNow().first?.first == "READY=1")
    }
}
