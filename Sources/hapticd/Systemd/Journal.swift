// SPDX-License-Identifier: MIT
private import Glibc

#if Systemd
    private import CSystemd
#endif

/// systemd's journal.
enum Journal {
    #if Systemd
        static let isThere = true

        /// Sends one entry, each of `fields` as `NAME=value`; may wait. False where the journal did not take it.
        static func send(_ fields: [[UInt8]]) -> Bool {
            var bytes = Array(fields.joined())
            return bytes.withUnsafeMutableBytes { buffer in
                var offset = 0
                // Into `buffer`, which outlives the call.
                let vectors = fields.map { field in
                    defer { offset += field.count }
                    return iovec(iov_base: buffer.baseAddress.map { $0 + offset }, iov_len: field.count)
                }
                return sd_journal_sendv(vectors, Int32(vectors.count)) == 0
            }
        }
    #else
        /// This build knows none.
        static let isThere = false

        static func send(_ fields: [[UInt8]]) -> Bool { false }
    #endif
}
