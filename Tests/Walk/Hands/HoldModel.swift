// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine

/// What becomes of holds, by a computation apart: nanoseconds, ticks of 10 ms, and the formula of docs/patterns.md.
struct HoldModel {
    /// A hold that only a device can press, and a glob of those of clients.
    static let device = "knob"
    static let (press, tick, fall): (Int64, Int64, Double) = (500_000_000, 10_000_000, 300_000_000)
    private static let lastTick = 160.0
    /// The pattern of a press on the device, and of one as `h2`.
    static let pressed = "light"

    static let rules: [(match: HoldRule.Match, pressed: String?)] = [
        (.device(device), pressed), (.clients(Glob("h2")), pressed), (.clients(Glob("h*")), nil),
    ]

    static func isFelt(_ press: Input) -> Bool { press.client.connection == 0 || press.id == "h2" }

    struct Key: Hashable {
        /// Nil: the device's.
        let user: UInt32?
        let id: String
    }

    /// What has to come of a hold by itself.
    enum Happening: Equatable {
        case change(HoldChange.State, Double)
        /// Something to be felt of it; and an event.
        case felt(Double)
        case event(HoldChange.State)
        /// Its connection has been closed.
        case letGo
        /// Its lease has ended.
        case leaseEnded

        static func == (a: Self, b: Self) -> Bool {
            switch (a, b) {
            case (.change(let a, let x), .change(let b, let y)): a == b && abs(x - y) < 1e-6
            case (.felt(let x), .felt(let y)): abs(x - y) < 1e-6
            case (.event(let a), .event(let b)): a == b
            case (.letGo, .letGo), (.leaseEnded, .leaseEnded): true
            default: false
            }
        }
    }

    private enum Phase {
        case up
        case pressed(Int64)
        /// Since when, from which tick of the curve on, and how many of its ticks have been looked at.
        case charging(Int64, from: Double, looked: Int)
        case confirmed
        case falling(Int64, from: Double)
    }

    private struct Hold {
        var phase = Phase.up
        var connection: UInt64
        var lastAt: Int64 = 0
        var lease: (length: Int64, end: Int64)?
        /// How far it was when something was felt last.
        var felt = 0.0
        /// It ended, and nobody has looked.
        var owed: HoldChange.State?
        /// It was picked up while it fell, there, and nobody has looked.
        var pickedUp: Double?

        var isDown: Bool {
            switch phase {
            case .pressed, .charging, .confirmed: true
            case .up, .falling: false
            }
        }

        var isShown: Bool {
            switch phase {
            case .charging, .falling: true
            case .up, .pressed, .confirmed: owed != nil
            }
        }

        var isOver: Bool { if case .up = phase { owed == nil } else { false } }
    }

    private var holds: [Key: Hold] = [:]
    /// Nothing comes by itself.
    var areWaiting = false
    /// The machine prepares to sleep until then: nothing can be pressed.
    private var suspendedUntil = Int64.min

    var count: Int { holds.count }
    /// Those of `user` that are down.
    func down(of user: UInt32?) -> [(id: String, connection: UInt64)] {
        holds.filter { $0.key.user == user && $0.value.isDown }.map { ($0.key.id, $0.value.connection) }.sorted { $0.id < $1.id }
    }

    // MARK: What hands do

    /// What has to be decided.
    mutating func take(_ hand: HandInput, of input: Input, at now: Int64) -> Reason {
        let isDevice = input.client.connection == 0
        let key = Key(user: isDevice ? nil : input.client.user, id: input.id ?? "")
        if !isDevice, key.id == Self.device { return .reserved }
        let at = min(input.at.nanoseconds, now)
        switch hand.state {
        case .down:
            if now < suspendedUntil { return .suspended }
            guard isDevice ? key.id == Self.device : key.id.hasPrefix("h") else { return .noRule }
            if var hold = holds[key], hold.isDown {
                guard hold.connection == input.client.connection else { return .duplicate }
                let isRenewed = hold.lease.map { at <= $0.end } ?? (hand.lease != nil)
                Self.renew(&hold, hand.lease, at: at)
                holds[key] = hold
                return isRenewed ? .renewed : .duplicate
            }
            let ofUser = holds.keys.count { $0.user == key.user }
            let ofClients = holds.keys.count { $0.user != nil }
            if !isDevice, holds[key] == nil, ofClients >= 256 || ofUser >= 32 { return .quota }
            var hold = holds[key] ?? Hold(connection: 0)
            hold.connection = input.client.connection
            hold.lastAt = max(at, hold.lastAt, now - Self.press)
            press(&hold)
            Self.renew(&hold, hand.lease, at: at)
            holds[key] = hold
            return .pressed
        case .up:
            guard var hold = holds[key], hold.isDown else { return .unchanged }
            guard isDevice || hold.connection == input.client.connection else { return .notAllowed }
            letGo(&hold, at: max(at, hold.lastAt), isDated: hand.isDated)
            holds[key] = hold.isOver ? nil : hold
            return .released
        }
    }

    mutating func connectionClosed(_ connection: UInt64, at now: Int64) -> [(Key, [Happening])] {
        var letGo: [(Key, [Happening])] = []
        for (key, var hold) in holds where key.user != nil && hold.connection == connection && hold.isDown {
            self.letGo(&hold, at: now, isDated: false)
            holds[key] = hold.isOver ? nil : hold
            letGo.append((key, [.letGo]))
        }
        return letGo
    }

    /// The machine is about to sleep.
    mutating func suspend(at now: Int64) -> [(Key, [Happening])] {
        suspendedUntil = now + 10_000_000_000
        return removeAll()
    }

    mutating func slept() -> [(Key, [Happening])] {
        suspendedUntil = .min
        return removeAll()
    }

    /// All end without a hand.
    mutating func removeAll() -> [(Key, [Happening])] {
        defer { holds = [:] }
        return holds.filter { $0.value.isShown }.map { ($0.key, [.change(.released, 0)]) }
    }

    private func press(_ hold: inout Hold) {
        let value = value(of: hold, at: hold.lastAt)
        if case .falling = hold.phase, value > 0 {
            let (a, b) = (0.000035, 0.000665)
            let tick = min(Self.lastTick, (-b + (b * b + 4 * a * value).squareRoot()) / (2 * a))
            (hold.phase, hold.pickedUp) = (.charging(hold.lastAt, from: tick, looked: 0), value)
            // A step that nobody has looked at before it fell is not felt later.
            if hold.felt - value > 0.01 || value - hold.felt >= 0.01 - 1e-9 { hold.felt = value }
            return
        }
        if case .falling = hold.phase { hold.owed = .released }
        hold.phase = .pressed(hold.lastAt)
    }

    private static func renew(_ hold: inout Hold, _ time: Nanoseconds?, at instant: Int64) {
        guard let length = time?.count ?? hold.lease?.length else { return }
        if let lease = hold.lease, instant > lease.end { return }
        hold.lease = (length, instant + length)
    }

    private func letGo(_ hold: inout Hold, at instant: Int64, isDated: Bool) {
        hold.lastAt = hold.lease.map { min($0.end, instant) } ?? instant
        (hold.pickedUp, hold.lease) = (nil, nil)
        guard case .charging(let start, let origin, _) = hold.phase else {
            hold.phase = .up
            return
        }
        let full = start + Self.tick * Self.ticks(from: origin)
        if isDated, hold.lastAt >= full {
            (hold.owed, hold.phase) = (.confirmed, .up)
        } else {
            // Nobody saw it full.
            let instant = min(hold.lastAt, full - 1)
            hold.phase = .falling(instant, from: value(of: hold, at: instant))
        }
    }

    // MARK: What comes of it

    private static func value(_ tick: Double) -> Double {
        tick >= lastTick ? 1 : min(1, 0.000035 * tick * tick + 0.000665 * tick)
    }

    private static func ticks(from origin: Double) -> Int64 { max(1, Int64((lastTick - origin).rounded(.up))) }

    private func value(of hold: Hold, at now: Int64) -> Double {
        switch hold.phase {
        case .up, .pressed: 0
        case .confirmed: 1
        case .charging(let start, let origin, _):
            Self.value(origin + Double(min(max(0, now - start) / Self.tick, Self.ticks(from: origin))))
        case .falling(let start, let value): max(0, value - Double(now - start) / Self.fall)
        }
    }

    /// What has to come by `now`, of each, in order.
    mutating func advance(to now: Int64) -> [(Key, [Happening])] {
        var all: [(Key, [Happening])] = []
        if areWaiting { return [] }
        for (key, var hold) in holds {
            var happenings: [Happening] = []
            if let end = hold.lease?.end, end <= now {
                // An old line may press after the end of its own lease: nobody sees that it was picked up.
                if hold.lastAt > end { hold.pickedUp = nil }
                while let more = next(&hold, end) { happenings += more }
                letGo(&hold, at: end, isDated: true)
                happenings.append(.leaseEnded)
            }
            while let more = next(&hold, now) { happenings += more }
            holds[key] = hold.isOver ? nil : hold
            if !happenings.isEmpty { all.append((key, happenings)) }
        }
        return all
    }

    private func next(_ hold: inout Hold, _ now: Int64) -> [Happening]? {
        if let owed = hold.owed {
            (hold.owed, hold.felt) = (nil, 0)
            return Self.end(owed)
        }
        if let value = hold.pickedUp {
            hold.pickedUp = nil
            return [.change(.began, value)]
        }
        switch hold.phase {
        case .up, .confirmed: return nil
        case .pressed(let start):
            guard now >= start + Self.press else { return nil }
            (hold.phase, hold.felt) = (.charging(start + Self.press, from: 0, looked: 0), 0)
            return [.change(.began, 0)]
        case .charging(let start, let origin, let looked):
            if now >= start + Self.tick * Self.ticks(from: origin) {
                hold.phase = .confirmed
                return Self.end(.confirmed)
            }
            let ticks = Int((now - start) / Self.tick)
            guard ticks > looked else { return nil }
            hold.phase = .charging(start, from: origin, looked: ticks)
            let value = Self.value(origin + Double(ticks))
            // Reaching 1 is the confirmation's.
            guard value < 1 - 1e-9, value - hold.felt >= 0.01 - 1e-9 else { return nil }
            hold.felt = value
            return [.change(.progress, value), .felt(value)]
        case .falling(let start, let value):
            guard now >= start + Int64((Self.fall * value).rounded()) else { return nil }
            (hold.phase, hold.felt) = (.up, 0)
            return Self.end(.released)
        }
    }

    private static func end(_ state: HoldChange.State) -> [Happening] {
        state == .confirmed
            ? [.change(.confirmed, 1), .felt(1), .event(.confirmed)] : [.change(.released, 0)]
    }
}
