// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticText

extension Configuration.Socket {
    static let keys: [Key<Self>] = [
        .optional("path", pathForm, default: "the usual place", "the absolute path, of at most 107 bytes") { $0.path = $1 },
        .optional("mode", permissions, default: "`\"0660\"`", "the permissions: octal digits in quotes, up to `\"0777\"`") {
            $0.mode = $1
        },
        .optional(
            "group", .name(limit: 32), default: "`haptics` if it exists, else the group of the daemon",
            "the group that may connect"
        ) { $0.group = $1.string },
    ]

    /// At most what `sockaddr_un` holds, less the NUL at its end.
    private static let pathForm = Form<Text>.name(limit: 107).then { path, field -> String? in
        if path.string.begins(with: "/") { return path.string }
        field.fail("\(quoted(path.string)) is not an absolute path; begin it with `/`")
        return nil
    }.described(as: .textLike("/run/hapticd/hapticd.sock", pattern: #"^/[^\u0000-\u001f\u007f]{0,106}$"#))

    private static let permissions = Form<UInt32>(.textLike("0660", pattern: "^0?[0-7]{3}$")) { field in
        if case .string(let text) = field.node.content, (3...4).contains(text.utf8.count), text.utf8.allSatisfy(isDigit),
            let mode = UInt32(text.string, radix: 8),
            mode <= 0o777
        {
            return mode
        }
        field.failExpected("permissions as octal digits in quotes, such as \"0660\"")
        return nil
    }
}

/// Not a sign, which Swift would take.
private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

extension Configuration.Realtime {
    private static let standard = Self()

    static let keys: [Key<Self>] = [
        .optional(
            "priority", .orNone(.integer(in: 1...99)), default: standard.priority.map { "\($0)" },
            "the priority of the thread under `SCHED_FIFO`; `none`: ordinary scheduling"
        ) { $0.priority = $1 },
        .optional("lockMemory", .boolean, default: "\(standard.lockMemory)", "whether the daemon stays in memory") {
            $0.lockMemory = $1
        },
        .optional("cpu", .integer(in: 0...1023), "the only processor of the thread") { $0.cpu = $1 },
    ]
}
