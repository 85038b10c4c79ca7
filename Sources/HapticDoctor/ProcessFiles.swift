// SPDX-License-Identifier: MIT
import Glibc
import HapticBackends
import HapticYAML

/// Which programs run, and what they have open, as far as this user may see.
struct ProcessFiles {
    /// More are not looked at. `mostLinks`: of all processes together.
    private static let (mostProcesses, mostFiles, mostLinks, mostHolders) = (4096, 4096, 262_144, 16)

    /// Of each process but this one, what it has open of the devices.
    private var open: [(process: Int32, descriptors: [Descriptor])] = []

    static func processes(named name: String) -> [Int32] { all().filter { self.name($0) == name } }

    /// Looks at every process once.
    init(of sightings: [DeviceSighting], mostLinks: Int = mostLinks) {
        let paths = Set(sightings.flatMap(\.files).compactMap(Self.real))
        let own = getpid()
        var left = mostLinks
        for process in Self.all() where process != own && left > 0 {
            let descriptors = Self.descriptors(of: process, &left) { paths.contains($0) || Descriptor.isOfLines($0) }
            if !descriptors.isEmpty { open.append((process, descriptors)) }
        }
    }

    /// Those that have the device, one of those that were looked for: of a chip with lines, the one line that is meant.
    func holders(of sighting: DeviceSighting) -> [ActuatorFacts.Holder] {
        let paths = Set(sighting.files.compactMap(Self.real))
        guard !paths.isEmpty else { return [] }
        let consumer: String? = if case .busy(let name)? = sighting.fault?.cause { name } else { nil }
        let found = open.filter { process, descriptors in
            guard let line = sighting.line else { return descriptors.contains { paths.contains($0.link) } }
            return descriptors.contains { $0.isRequest(of: line, paths) ?? (consumer == "`\(Self.name(process))`") }
        }
        return found.prefix(Self.mostHolders).map { ActuatorFacts.Holder(process: $0.process, name: Self.name($0.process)) }
    }

    struct Descriptor {
        let link: String
        /// What the kernel says of GPIO lines, in words; of others nothing.
        private let said: [[Substring]]

        /// `info`: where the kernel says it.
        init(link: String, info: String) {
            self.link = link
            said = Self.isOfLines(link) ? SystemFacts.lines(info).map { $0.split { $0 == ":" || $0 == "\t" || $0 == " " } } : []
        }

        static func isOfLines(_ link: String) -> Bool { link.hasPrefix("anon_inode:") && link.contains("gpio-line") }

        /// Whether it is a request of that line of one of these chips; nil where it is one of GPIO lines, and the kernel does not say of
        /// which.
        func isRequest(of line: Int, _ chips: Set<String>) -> Bool? {
            guard Self.isOfLines(link) else { return false }
            guard let chip = said.first(where: { $0.first == "gpio-chip" })?.last else { return nil }
            return chips.contains("/dev/\(chip)") && said.contains { $0.first == "gpio-line" && $0.last == "\(line)" }
        }
    }

    private static func all() -> [Int32] {
        let names = (try? FileAccess.disk.directory("/proc"))?.names ?? []
        return Array(names.compactMap { Int32($0) }.sorted().prefix(mostProcesses))
    }

    private static func descriptors(of process: Int32, _ left: inout Int, _ isWanted: (String) -> Bool) -> [Descriptor] {
        let names = ((try? FileAccess.disk.directory("/proc/\(process)/fd"))?.names ?? []).prefix(min(mostFiles, left))
        left -= names.count
        return names.compactMap { number in
            guard let link = link("/proc/\(process)/fd/\(number)"), isWanted(link) else { return nil }
            return Descriptor(link: link, info: "/proc/\(process)/fdinfo/\(number)")
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
