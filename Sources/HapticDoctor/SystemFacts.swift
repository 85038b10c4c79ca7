// SPDX-License-Identifier: MIT
import Glibc
import HapticConfig
import HapticCore
import HapticYAML

/// What the kernel and the user database say.
enum SystemFacts {
    /// In bytes: more of a file of `/proc` is not read.
    private static let most = 65_536

    static func user() -> UserFacts {
        let id = geteuid()
        let name = Accounts.name(ofUser: id) ?? ""
        var groups = [gid_t](repeating: 0, count: 65_536)
        let count = getgroups(Int32(groups.count), &groups)
        let own = Set(groups.prefix(Int(max(0, count)))).union([getegid()])
        return UserFacts(id: id, name: name, groups: own, groupsAtLogin: atLogin(name) ?? own)
    }

    private static func atLogin(_ name: String) -> Set<UInt32>? {
        var entry = passwd()
        var result: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 65_536)
        guard getpwnam_r(name, &entry, &buffer, buffer.count, &result) == 0, result != nil else { return nil }
        var groups = [gid_t](repeating: 0, count: 4096)
        var count = Int32(groups.count)
        guard getgrouplist(name, entry.pw_gid, &groups, &count) >= 0 else { return nil }
        return Set(groups.prefix(Int(count)))
    }

    /// Links are followed, as a client and a driver do.
    static func file(_ path: String) -> FileFacts? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return FileFacts(
            path: path, group: status.st_gid, groupName: Accounts.name(ofGroup: status.st_gid),
            mode: status.st_mode & 0o7777, isSocket: status.st_mode & S_IFMT == S_IFSOCK)
    }

    /// That of the daemon of the package; nil where there is none.
    static func serviceGroup() -> UInt32? {
        if case .id(let group) = Accounts.system.group("hapticd") { group } else { nil }
    }

    /// Whether `group` may do this with one of these files at least; nil where there are none.
    static func mayUse(_ files: [String], _ group: UInt32, _ rights: AccessList.Rights) -> Bool? {
        let lists = files.compactMap { AccessList($0) }
        return lists.isEmpty ? nil : lists.contains { $0.allows(rights, to: group) }
    }

    /// Where udev looks, what is stronger first.
    private static let ruleFolders = [
        "/etc/udev/rules.d", "/run/udev/rules.d", "/usr/local/lib/udev/rules.d", "/usr/lib/udev/rules.d", "/lib/udev/rules.d",
    ]

    /// Not one that is empty or leads to `/dev/null`: that masks the others.
    static func rulesPath(in folders: [String] = ruleFolders) -> String? {
        let paths = folders.map { "\($0)/70-hapticd.rules" }
        guard let first = paths.first(where: { access($0, F_OK) == 0 }) else { return nil }
        let bytes = try? FileAccess.disk.read(first, most)
        // One that may not be read is there all the same.
        if bytes == nil, resolvesToNothing(first) { return nil }
        return bytes?.isEmpty == true ? nil : first
    }

    private static func resolvesToNothing(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }

    static func machine() -> MachineFacts {
        var resolution = timespec()
        clock_getres(CLOCK_MONOTONIC, &resolution)
        let memory = fields("/proc/meminfo")
        return MachineFacts(
            clockResolution: Int64(resolution.tv_sec) * 1_000_000_000 + Int64(resolution.tv_nsec),
            totalMemory: memory["MemTotal"].flatMap(leadingNumber), availableMemory: memory["MemAvailable"].flatMap(leadingNumber)
        )
    }

    /// What `/proc` tells this user of the daemon's process.
    static func addLimits(to daemon: inout DaemonFacts) {
        guard let process = daemon.process else { return }
        daemon.lockedMemory = fields("/proc/\(process)/status")["VmLck"].flatMap(leadingNumber)
        daemon.openFiles = (try? FileAccess.disk.directory("/proc/\(process)/fd"))?.names.count
        daemon.mostOpenFiles = lines("/proc/\(process)/limits").first { $0.begins(with: "Max open files") }.flatMap { line in
            line.split(separator: " ").compactMap { Int($0) }.first
        }
    }

    static func lines(_ path: String) -> [Substring] {
        guard let bytes = try? FileAccess.disk.read(path, most) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }

    /// `NAME: VALUE`, a line each.
    static func fields(_ path: String) -> [String: String] {
        let pairs = lines(path).compactMap { line -> (String, String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }))
        }
        return Dictionary(pairs) { first, _ in first }
    }

    private static func leadingNumber(_ text: String) -> Int? { text.split(separator: " ").first.flatMap { Int($0) } }
}
