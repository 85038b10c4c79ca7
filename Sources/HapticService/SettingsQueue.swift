// SPDX-License-Identifier: MIT
internal import HapticCore

/// What people have set, on its way to where it is kept: one state at a time, and the newest next, whatever was set in between.
struct SettingsQueue {
    /// How many lines may wait at one time.
    static let limit = 1024
    /// From the end of one storing to the next: whoever sets a strength in every frame shall not wear out a card.
    static let pause = Nanoseconds.seconds(1)

    /// Whether anyone keeps it.
    var isKept = false
    /// The daemon ends: nothing is put off any more.
    var isEnding = false
    /// What had been set and could not be read at the start.
    var damage: String?
    /// Why what was set last is not stored, or, at the start, nothing will be; nil: it is.
    var failure: String?
    /// The state that was handed out last, or that was there at the start.
    private var handedOut = Settings()
    /// That one is stored.
    private var isStored = true
    /// The same is to be stored again.
    private var isStale = false
    /// Those who wait for what is being stored; nil where nothing is.
    private var running: [Ticket]?
    private var waiting: [Ticket] = []
    /// Nothing is handed out before this.
    private var earliest = MonotonicInstant.zero
    /// When `begin` is to be called again, for something waits until then; `distantFuture`: nothing does.
    private(set) var due = MonotonicInstant.distantFuture

    var isFull: Bool { waiting.count >= Self.limit }

    /// This is what was stored when the daemon last ran.
    mutating func restore(_ stored: Settings) { (handedOut, isStored) = (stored, true) }

    /// Whether whoever sets `settings` has to wait until they are stored.
    func isToBeStored(_ settings: Settings) -> Bool { isKept && (running != nil || !isStored || settings != handedOut) }

    /// Who has set what is in force now waits until it is stored.
    mutating func add(_ ticket: Ticket) { waiting.append(ticket) }

    /// What is stored says something that is no longer so, though the settings are the same.
    mutating func storeAgain() { isStale = true }

    /// Whether `settings`, which are in force, are to be handed out. What could not be stored is not tried again before somebody
    /// sets something.
    mutating func begin(_ settings: Settings, at now: MonotonicInstant) -> Bool {
        due = .distantFuture
        guard isKept, running == nil, settings != handedOut || isStale || !waiting.isEmpty else { return false }
        guard now >= earliest || isEnding else {
            due = earliest
            return false
        }
        (handedOut, isStored, isStale, running, waiting) = (settings, false, false, waiting, [])
        return true
    }

    /// It has been stored, or has not, and `failure` is why; those who have waited for that. `settings`: those that are in force now.
    mutating func end(_ failure: String?, _ settings: Settings, at now: MonotonicInstant) -> [Ticket] {
        earliest = now + Self.pause
        (self.failure, isStored) = (failure, failure == nil)
        var tickets = running ?? []
        running = nil
        if isStored, settings == handedOut {
            tickets += waiting
            waiting = []
        }
        return tickets
    }
}
