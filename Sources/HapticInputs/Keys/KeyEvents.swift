// SPDX-License-Identifier: MIT
internal import HapticCore

/// What an input device reports of some of its keys. Pure.
///
/// After SYN_DROPPED, by which the kernel says that it had no room, everything up to the next SYN_REPORT is of no use
/// (Documentation/input/event-codes.rst), and then the keys have to be looked at.
struct KeyEvents: Hashable, Sendable {
    struct Event: Hashable, Sendable {
        var type: UInt16
        var code: UInt16
        var value: Int32
        var at: MonotonicInstant
    }

    /// Of the kernel, linux/input-event-codes.h.
    enum Code {
        static let syn: UInt16 = 0
        static let key: UInt16 = 1
        static let report: UInt16 = 0
        static let dropped: UInt16 = 3
    }

    /// Of each input of the device; two may be of one key.
    let codes: [UInt16]
    private var isDropping = false

    init(codes: [UInt16]) { self.codes = codes }

    mutating func take(_ event: Event, into reading: inout InputReading) {
        switch (event.type, event.code) {
        case (Code.syn, Code.dropped): isDropping = true
        case (Code.syn, Code.report) where isDropping:
            isDropping = false
            reading.hasGap = true
        // 2 is a repeat.
        case (Code.key, _) where !isDropping && (event.value == 0 || event.value == 1):
            for (input, code) in codes.enumerated() where code == event.code {
                reading.edges.append(InputEdge(input: input, isDown: event.value == 1, at: event.at))
            }
        default: break
        }
    }
}
