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
    private enum Code {
        static let syn: UInt16 = 0
        static let report: UInt16 = 0
        static let dropped: UInt16 = 3
    }

    /// Of each input of the device; two may be of one key or axis.
    let keys: [InputKey]
    private var isDropping = false

    init(_ keys: [InputKey]) { self.keys = keys }

    mutating func take(_ event: Event, into reading: inout InputReading) {
        switch (event.type, event.code) {
        case (Code.syn, Code.dropped): isDropping = true
        case (Code.syn, Code.report) where isDropping:
            isDropping = false
            reading.hasGap = true
        case (Code.syn, _): break
        default: if !isDropping { change(event, into: &reading) }
        }
    }

    private func change(_ event: Event, into reading: inout InputReading) {
        for (input, key) in keys.enumerated() where key.kind.type == event.type && key.code == event.code {
            guard let isDown = key.isDown(at: event.value) else { continue }
            reading.edges.append(InputEdge(input: input, isDown: isDown, at: event.at))
        }
    }
}
