// SPDX-License-Identifier: MIT
import Foundation
import HapticBackends
import Testing

@testable import HapticDoctor

@Suite("Holders of a device")
struct HolderTests {
    private let folder = URL(fileURLWithPath: "/tmp/hapticd-holder-\(UInt64.random(in: .min ... .max))")

    private func file(_ text: String) throws -> String {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appendingPathComponent("file").path
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test("A program that has the file open is named, whatever way the path is written; this one is not")
    func holder() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = try file("")
        let own = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(own) }
        func holders(_ path: String, mostLinks: Int = 262_144) -> [ActuatorFacts.Holder] {
            let sighting = DeviceSighting(files: [path])
            return ProcessFiles(of: [sighting], mostLinks: mostLinks).holders(of: sighting)
        }
        // A program that another test is just starting may still have what this one has.
        #expect(!holders(path).contains { $0.process == getpid() })
        let program = try #require(popen("exec 3<'\(path)'; echo $$; exec sleep 1000", "r"))
        var line = [CChar](repeating: 0, count: 16)
        #expect(fgets(&line, Int32(line.count), program) != nil)
        let text = String(decoding: line.prefix { $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let process = try #require(Int32(text))
        #expect(holders("/tmp/../\(path)").contains { $0.process == process })
        #expect(holders(path, mostLinks: 0).isEmpty, "no more is read than the bound")
        kill(process, SIGKILL)
        pclose(program)
        #expect(!holders(path).contains { $0.process == process })
    }

    @Test("Only the request of the line that is meant counts; an older kernel does not report the line")
    func lines() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let info = try file("pos:\t0\nflags:\t02\ngpio-chip:\tgpiochip1\ngpio-line:\t17\ngpio-line:\t18\n")
        let request = ProcessFiles.Descriptor(link: "anon_inode:gpio-line", info: info)
        #expect(request.isRequest(of: 18, ["/dev/gpiochip1"]) == true)
        #expect(request.isRequest(of: 1, ["/dev/gpiochip1"]) == false)
        #expect(request.isRequest(of: 18, ["/dev/gpiochip0"]) == false)
        let other = ProcessFiles.Descriptor(link: "/dev/gpiochip1", info: info)
        #expect(other.isRequest(of: 18, ["/dev/gpiochip1"]) == false, "the chip alone is not its line")
        let old = ProcessFiles.Descriptor(link: "anon_inode:gpio-linehandle", info: try file("pos:\t0\n"))
        #expect(old.isRequest(of: 18, ["/dev/gpiochip1"]) == nil)
    }
}
