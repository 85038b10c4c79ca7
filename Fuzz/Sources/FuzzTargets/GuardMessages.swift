// SPDX-License-Identifier: MIT
internal import HapticBackends
internal import HapticCore

@testable internal import HapticGuard

/// What comes over the guard's socket: messages of at most 255 bytes, each after the centiseconds that pass before it.
public enum GuardMessages: FuzzTarget {
    public static let name = "guard"

    public static func run(_ bytes: [UInt8]) {
        if let answer = GuardAnswer(bytes) { require(answer.bytes == bytes, "an answer is written as it was read") }
        var state = GuardState.idle
        var now = MonotonicInstant.zero
        var isHolding = false
        var rest = bytes[...]
        while rest.count >= 2 {
            now = now + .milliseconds(Int64(rest.removeFirst()) * 10)
            let length = min(Int(rest.removeFirst()), rest.count)
            let message = GuardMessage(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
            if state.deadline <= now {
                require(state.handle(.timePassed, at: now, isHolding: isHolding) == .switchOff, "silence switches off")
            }
            guard let message else { continue }
            require(GuardMessage(message.bytes) == message, "a message is read as it was written")
            let action: GuardState.Action
            switch message {
            case .hold(_, let calls):
                require(calls.allSatisfy(\.action.isValid), "the guard performs only valid calls")
                isHolding = true
                continue
            case .release:
                isHolding = false
                continue
            case .beat: action = state.handle(.beat, at: now, isHolding: isHolding)
            case .idle: action = state.handle(.idle, at: now, isHolding: isHolding)
            case .goodbye: action = state.handle(.goodbye, at: now, isHolding: isHolding)
            }
            require(state.deadline > now, "nothing stays due")
            if action == .leave { return }
        }
        let end = state.handle(.daemonGone, at: now, isHolding: isHolding)
        require(end == (isHolding ? .switchOff : .leave), "what is held is switched off when the daemon has gone")
    }
}
