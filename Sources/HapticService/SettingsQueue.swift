// SPDX-License-Identifier: MIT
public import HapticCore
internal import HapticEngine
internal import HapticWire

/// What people have set, on its way to where it is kept: one state at a time, and the newest next, whatever was set in between.
struct SettingsQueue {
    /// How many lines may wait at one time.
    static let limit = 1024

    /// Whether anyone keeps it.
    var isKept = false
    /// What is wrong with what is kept.
    var trouble: String?
    /// The state that was handed out last, or that was there at the start.
    private var handedOut = Settings()
    /// That one is stored.
    private var isStored = true
    /// Those who wait for what is being stored; nil where nothing is.
    private var running: [Ticket]?
    private var waiting: [Ticket] = []

    var isFull: Bool { waiting.count >= Self.limit }

    /// This is what was stored when the daemon last ran.
    mutating func restore(_ stored: Settings) { (handedOut, isStored) = (stored, true) }

    /// Whether whoever sets `settings` has to wait until they are stored.
    func isToBeStored(_ settings: Settings) -> Bool { isKept && (running != nil || !isStored || settings != handedOut) }

    /// Who has set what is in force now waits until it is stored.
    mutating func add(_ ticket: Ticket) { waiting.append(ticket) }

    /// Whether `settings`, which are in force, are to be handed out. What could not be stored is not tried again before somebody
    /// sets something.
    mutating func begin(_ settings: Settings) -> Bool {
        guard isKept, running == nil, settings != handedOut || !waiting.isEmpty else { return false }
        (handedOut, isStored, running, waiting) = (settings, false, waiting, [])
        return true
    }

    /// It has been stored, or has not; those who have waited for that. `settings`: those that are in force now.
    mutating func end(isStored: Bool, _ settings: Settings) -> [Ticket] {
        self.isStored = isStored
        var tickets = running ?? []
        running = nil
        if isStored, settings == handedOut {
            tickets += waiting
            waiting = []
        }
        return tickets
    }
}

extension FeedbackService {
    /// Whether what people set is kept: each change comes out as `Output.store`. To be set before anyone connects.
    public var keepsSettings: Bool {
        get { pending.storing.isKept }
        set { pending.storing.isKept = newValue }
    }

    /// Why what people had set may not be in force, or what they set may not last; nil: all is well.
    public var settingsTrouble: String? {
        get { pending.storing.trouble }
        set { pending.storing.trouble = newValue }
    }

    /// This is what people had set when the daemon last ran. It takes the place of whatever is set.
    public func restore(_ stored: Settings, at now: MonotonicInstant) {
        pending.storing.restore(stored)
        pass(.settings(stored), at: now)
    }

    /// What people have set, and what is configured below that.
    public var settingsInForce: SettingsInForce { loop.engine.settings }

    /// This is what the clocks on the wall show now.
    public func setClock(_ time: LocalTime, at now: MonotonicInstant) { pass(.localTime(time), at: now) }

    /// What came of `Output.store`.
    public func stored(_ result: Result<Void, SettingsFailure>, at now: MonotonicInstant) {
        let (isStored, error) =
            switch result {
            case .success: (true, WireError?.none)
            case .failure(let failure): (false, WireError(notStored: failure))
            }
        for ticket in pending.storing.end(isStored: isStored, loop.engine.settings.chosen) {
            outputs.append(.settled(ticket, error))
        }
        storeSettings()
    }

    /// Has them stored, where they are not and nothing is being stored.
    func storeSettings() {
        let settings = loop.engine.settings.chosen
        if pending.storing.begin(settings) { outputs.append(.store(settings)) }
    }
}

extension WireError {
    fileprivate init(notStored failure: SettingsFailure) {
        self.init(.notStored, "this counts, but only until hapticd is started again, for it could not be stored: \(failure.sentence)")
    }
}
