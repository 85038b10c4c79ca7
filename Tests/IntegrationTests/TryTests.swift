// SPDX-License-Identifier: MIT
import Foundation
import Testing

@Suite("hapticctl try, as a person uses it", .ownThreads)
struct TryTests {
    private func pattern(_ intensity: Double) -> String {
        """
        version: 1
        name: mine
        tracks:
          - keyframes:
              - { at: 0ms, intensity: \(intensity) }
              - { at: 60ms, intensity: 0, curve: step }

        """
    }

    @Test("A file is played at first and each time that it is saved; one with errors shows them, and is waited for")
    func saved() throws {
        let daemon = try Daemon()
        let witness = try daemon.connect()
        try witness.subscribe("actuations")
        /// The next thing that is felt.
        func felt() throws -> Double {
            while true {
                let intensity = try witness.notification("actuation").number("intensity") ?? 0
                if intensity > 0 { return intensity }
            }
        }
        let file = try daemon.folder.write(pattern(0.4), to: "mine.yaml")
        let program = try daemon.start(["try", file])
        #expect(try felt() == 0.4)
        // As an editor that writes another file in its place.
        try Data(pattern(0.6).utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
        #expect(try felt() == 0.6)
        _ = try daemon.folder.write("version: 1\nname: mine\ntracks: []\n", to: "mine.yaml")
        try program.wait(toSay: "\(file):")
        // As one that writes into the file.
        _ = try daemon.folder.write(pattern(0.9), to: "mine.yaml")
        #expect(try felt() == 0.9)
        try wait(for: "what it says of the third; it said \(program.output)") {
            program.output.components(separatedBy: "mine, 60 ms: ").count == 4
        }
        program.signal(SIGINT)
        let ended = try program.wait()
        #expect((ended.status, ended.endedBySignal) == (0, false))
        #expect(ended.output.hasPrefix("watching \(file); save it to feel it, Ctrl-C ends this\n"), "\(ended)")
    }
}
