// SPDX-License-Identifier: MIT
private import Glibc

/// systemd's journal.
enum Journal {
    /// Whether entries can be sent at all: libsystemd is there.
    static var isThere: Bool { (try? Libsystemd.loaded.get()) != nil }

    /// Sends one entry, each of `fields` as `NAME=value`; may wait. False where the journal did not take it.
    static func send(_ fields: [[UInt8]]) -> Bool {
        guard let library = try? Libsystemd.loaded.get() else { return false }
        var bytes = Array(fields.joined())
        return bytes.withUnsafeMutableBytes { buffer in
            var offset = 0
            // Into `buffer`, which outlives the call.
            let vectors = fields.map { field in
                defer { offset += field.count }
                return iovec(iov_base: buffer.baseAddress.map { $0 + offset }, iov_len: field.count)
            }
            return library.journalSendv(vectors, Int32(vectors.count)) == 0
        }
    }
}
