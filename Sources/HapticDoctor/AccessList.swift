// SPDX-License-Identifier: MIT
import CLinux

/// Who may do what with a file, beside its owner: by its access list (ACL), and where it has none by its group and mode.
struct AccessList: Hashable, Sendable {
    struct Rights: OptionSet, Hashable, Sendable {
        var rawValue: UInt16
        static let read = Rights(rawValue: 4)
        static let write = Rights(rawValue: 2)
    }

    private var groups: [UInt32: Rights] = [:]
    private var others: Rights = []
    /// More than this no group of an access list has.
    private var mask = Rights(rawValue: 7)

    init(group: UInt32, mode: UInt32) {
        groups[group] = Rights(rawValue: UInt16(mode >> 3 & 7))
        others = Rights(rawValue: UInt16(mode & 7))
    }

    /// `bytes`: as the kernel gives the list of a file whose group is `group`; nil where they are none that is known.
    init?(_ bytes: [UInt8], group: UInt32) {
        guard bytes.count >= 4, bytes.count % 8 == 4, Self.number(bytes[..<4]) == 2 else { return nil }
        for start in stride(from: 4, to: bytes.count, by: 8) {
            let rights = Rights(rawValue: UInt16(Self.number(bytes[start + 2..<start + 4]) & 7))
            switch Self.number(bytes[start..<start + 2]) {
            case 0x04: groups[group, default: []].formUnion(rights)
            case 0x08: groups[Self.number(bytes[start + 4..<start + 8]), default: []].formUnion(rights)
            case 0x10: mask = rights
            case 0x20: others = rights
            default: break
            }
        }
    }

    /// Little-endian.
    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) } }

    /// Whether a process in `group`, and in no other that is named, may do this.
    func allows(_ rights: Rights, to group: UInt32) -> Bool {
        (groups[group].map { $0.intersection(mask) } ?? others).isSuperset(of: rights)
    }

    /// That of the file at `path`; nil where that is not known. Changes nothing.
    init?(_ path: String) {
        guard let file = SystemFacts.file(path) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let length = clinux_access_list(path, &bytes, bytes.count)
        if length == 0 {
            self.init(group: file.group, mode: file.mode)
        } else {
            guard length > 0 else { return nil }
            self.init(Array(bytes[..<length]), group: file.group)
        }
    }
}
