// SPDX-License-Identifier: MIT
import Glibc
import HapticBackends
import HapticDocuments

/// Which programs run, and what they have open, as far as this user may see.
enum ProcessFiles {
    /// More are not looked at.
    private static let (mostProcesses, mostFiles, mostHolders) = (4096, 4096, 16)

    static func processes(named name: String) -> [Int32] { all().filter { self.name($0) == name } }

    /// Those that have the device: of a chip with lines, the one line that is meant.
    static func holders(of sighting: DeviceSighting) -> [ActuatorFacts.Holder] {
        let paths = Set(sighting.files.compactMap(real))
        guard !paths.isEmpty else { return [] }
        let consumer: String? = if case .busy(let name)? = sighting.fault?.cause { name } else { nil }
        let own = getpid()
        let found = all().filter { process in
            guard process != own else { return false }
            guard let line = sighting.line else { return hasOpen(process) { paths.contains($0.link) } }
            return hasOpen(process) { $0.isRequest(of: line, paths) ?? (consumer == "`\(name(process))`") }
        }
        return found.prefix(mostHolders).map { ActuatorFacts.Holder(process: $0, name: name($0)) }
    }

    struct Descriptor {
        var link: String
        /// Where the kernel says more of it.
        var info: String

        /// Whether it is a request of that line of one of these chips; nil where it is one of GPIO lines, and the kernel does not say of
        /// which.
        func isRequest(of line: Int, _ chips: Set<String>) -> Bool? {
            guard link.hasPrefix("anon_inode:"), link.contains("gpio-line") else { return false }
            let said = SystemFacts.lines(info).map { $0.split { $0 == ":" || $0 == "\t" || $0 == " " } }
            guard let chip = said.first(where: { $0.first == "gpio-chip" })?.last else { return nil }
            return chips.contains("/dev/\(chip)") && said.contains { $0.first == "gpio-line" && $0.last == "\(line)" }
        }
    }

    private static func all() -> [Int32] {
        let names = (try? FileAccess.disk.directory("/proc"))?.names ?? []
        return Array(names.compactMap { Int32($0) }.sorted().prefix(mostProcesses))
    }

    private static func hasOpen(_ process: Int32, _ isWanted: (Descriptor) -> Bool) -> Bool {
        guard let names = (try? FileAccess.disk.directory("/proc/\(process)/fd"))?.names else { return false }
        return names.prefix(mostFiles).contains { number in
            guard let link = link("/proc/\(process)/fd/\(number)") else { return false }
            return isWanted(Descriptor(link: link, info: "/proc/\(process)/fdinfo/\(number)"))
        }
    }

    private static func link(_ path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: 4096)
        let count = readlink(path, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }

    private static func real(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// As the kernel has it, 15 bytes at most; whoever runs it may call it what they like.
    private static func name(_ process: Int32) -> String {
        let bytes = (try? FileAccess.disk.read("/proc/\(process)/comm", 64)) ?? []
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
