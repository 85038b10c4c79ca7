// SPDX-License-Identifier: MIT
import Testing

@testable import HapticDoctor

@Suite("Access to a device's file")
struct AccessListTests {
    private let input: UInt32 = 104
    private let hapticd: UInt32 = 990

    /// As the kernel gives it: `entries` are tags, rights and whose they are.
    private func list(_ entries: [(tag: UInt8, rights: UInt8, of: UInt32)]) -> [UInt8] {
        var bytes: [UInt8] = [2, 0, 0, 0]
        for entry in entries {
            bytes += [entry.tag, 0, entry.rights, 0]
            withUnsafeBytes(of: entry.of.littleEndian) { bytes += $0 }
        }
        return bytes
    }

    @Test("Without an access list the group and the mode decide")
    func mode() {
        let node = AccessList(group: input, mode: 0o640)
        #expect(node.allows(.read, to: input))
        #expect(!node.allows(.write, to: input))
        #expect(!node.allows(.read, to: hapticd))
        #expect(AccessList(group: input, mode: 0o604).allows(.read, to: hapticd))
        #expect(!AccessList(group: hapticd, mode: 0o604).allows(.read, to: hapticd), "its own group is none of the others")
    }

    @Test("An entry for the group decides, within the mask")
    func entries() throws {
        let none = UInt32.max
        let rule: [(tag: UInt8, rights: UInt8, of: UInt32)] = [
            (0x01, 6, none), (0x04, 6, none), (0x08, 4, hapticd), (0x10, 6, none), (0x20, 0, none),
        ]
        let node = try #require(AccessList(list(rule), group: input))
        #expect(node.allows(.read, to: hapticd))
        #expect(!node.allows([.read, .write], to: hapticd))
        #expect(node.allows([.read, .write], to: input))
        #expect(!node.allows(.read, to: 7))
        let masked = rule.map { $0.tag == 0x10 ? (tag: $0.tag, rights: 0, of: $0.of) : $0 }
        #expect(try #require(AccessList(list(masked), group: input)).allows(.read, to: hapticd) == false)
    }

    @Test("A list of another form counts as no list", arguments: [[], [2, 0, 0], [3, 0, 0, 0], [2, 0, 0, 0, 1]])
    func unknown(bytes: [UInt8]) { #expect(AccessList(bytes, group: input) == nil) }

    @Test("A missing file has no list, and any other file has one")
    func files() {
        #expect(AccessList("/no/such/file") == nil)
        #expect(AccessList("/dev/null")?.allows([.read, .write], to: 990) == true)
        #expect(SystemFacts.mayUse([], 990, .read) == nil)
        #expect(SystemFacts.mayUse(["/dev/null"], 990, .read) == true)
    }
}
