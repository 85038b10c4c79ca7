// SPDX-License-Identifier: MIT
import Foundation
import HapticBackends
import Testing

@testable import hapticctl

@Suite("Who has a device")
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
        #expect(ProcessFiles.holders(of: DeviceSighting(files: [path])).isEmpty)
        let program = try #require(popen("exec 3<'\(path)'; echo ready; exec sleep 1000", "r"))
        var line = [CChar](repeating: 0, count: 16)
        #expect(fgets(&line, Int32(line.count), program) != nil)
        let holders = ProcessFiles.holders(of: DeviceSighting(files: ["/tmp/../\(path)"]))
        #expect(holders.count == 1)
        for holder in holders { kill(holder.process, SIGKILL) }
        pclose(program)
        #expect(ProcessFiles.holders(of: DeviceSighting(files: [path])).isEmpty)
    }

    @Test("Of a chip's lines only the request of the one that is meant counts; where the kernel does not say which, nobody knows")
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
