// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import TestSupport

/// Random inputs, cancels and changes of settings.
struct Inputs {
    let board: Board
    let options: Options
    var random: SplitMix64
    /// The values of the followed sources.
    private var values: [String: Double] = [:]
    /// The holds that a user has pressed and not released, and the tasks begun and not ended, whatever was decided.
    private var down: Set<String> = []
    private var begun: Set<String> = []

    init(_ board: Board, _ options: Options, seed: UInt64) {
        (self.board, self.options) = (board, options)
        random = SplitMix64(seed: seed)
    }

    /// - Parameter playing: The current playbacks, the usual targets of cancels.
    mutating func batch(at now: MonotonicInstant, _ playing: [UInt64]) -> [BatchItem] {
        let isBatch = options.has(.batches) && random.chance(6)
        var items: [BatchItem] = []
        for _ in 0..<(isBatch ? Int.random(in: 2...8, using: &random) : 1) {
            let connection = UInt64.random(in: 1..<5, using: &random)
            let user = UInt32.random(in: 0..<3, using: &random)
            // Two of the connections speak for clients of a door.
            let scope = connection > 2 ? UInt32(connection) : nil
            items.append(item(of: ClientIdentity(connection: connection, user: user, scope: scope), at: now, playing))
        }
        guard options.has(.many), random.chance(6) else { return items }
        let client = ClientIdentity(connection: 1, user: UInt32.random(in: 0..<3, using: &random))
        let kinds = kinds.filter { [.holds, .sets, .tasks].contains($0) }
        guard let kind = kinds.randomElement(using: &random) else { return items }
        return items + (0..<Int.random(in: 1...20, using: &random)).map { _ in hand(kind, of: client, at: now) }
    }

    private var kinds: [Options.Feature] { [.holds, .sets, .tasks, .follow, .settings, .conditions].filter(options.has) }

    mutating func item(of client: ClientIdentity, at now: MonotonicInstant, _ playing: [UInt64]) -> BatchItem {
        if random.chance(3), let kind = kinds.randomElement(using: &random) {
            switch kind {
            case .settings: return random.chance(4) ? .change(change(at: now)) : .change(SettingsChange(off: .restore))
            case .conditions:
                let name = random.one(of: Board.conditions).name
                return .condition(ConditionRequest(client: client, name: name, isOn: random.chance(2)))
            case .follow: return input(of: client, at: now, id: random.one(of: Board.followed)) { $0.follow($1) }
            default: return hand(kind, of: client, at: now)
            }
        }
        let id = options.has(.namedSources) ? random.one(of: [nil, "a", "b", "c"]) : nil
        switch Int.random(in: 0..<14, using: &random) {
        case 0 where options.has(.cancels):
            let modes: [CancelMode] = options.has(.endings) ? [.graceful, .immediate, .advance] : [.graceful, .immediate]
            let playback = playing.randomElement(using: &random).map { PlaybackID($0) } ?? PlaybackID(1)
            let targets: [CancelTarget] = [.all, .source(id: id ?? "a"), .playback(playback)]
            return .cancel(CancelRequest(client: client, target: random.one(of: targets), mode: random.one(of: modes)))
        case 1 where options.has(.endings) && !playing.isEmpty:
            let playback = CancelTarget.playback(PlaybackID(random.one(of: playing)))
            return .cancel(CancelRequest(client: client, target: playback, mode: .advance))
        case 2: return input(of: client, at: now, id: id) { _, _ in .release }
        case 3...5 where options.has(.events):
            return input(of: client, at: now, id: id) { generator, _ in .event(generator.event()) }
        case 6...9: return input(of: client, at: now, id: id) { generator, _ in .play(generator.play()) }
        default:
            let value = Progress(Double(Int.random(in: 0...50, using: &random)) / 50)!
            return input(of: client, at: now, id: id) { _, _ in .progress(ProgressInput(value: value)) }
        }
    }

    private mutating func input(
        of client: ClientIdentity, at now: MonotonicInstant, id: String?, _ kind: (inout Inputs, String?) -> Input.Kind
    ) -> BatchItem {
        let kind = kind(&self, id)
        let age = options.has(.oldInputs) ? random.one(of: [0, 0, 0, 20, 50, 700, 5000] as [Int64]) : 0
        let feedback: Input.FeedbackOverride = random.chance(20) ? .off : .normal
        var input = Input(client: client, id: id, at: now - .milliseconds(age), feedback: feedback, kind: kind)
        if options.has(.settings), random.chance(2) {
            input.app = "app \(Int.random(in: 0..<3, using: &random))"
            if client.connection != 0 { (input.client.maySpeakFor, input.client.mayAlarm) = (random.chance(2), random.chance(2)) }
        }
        return .input(input)
    }

    // MARK: Plays, events, values

    private mutating func play() -> PlayInput {
        var input = PlayInput(
            pattern: random.one(of: board.playable), intensity: Intensity(Double(Int.random(in: 2...100, using: &random)) / 100)!,
            feedbackClass: random.one(of: FeedbackClass.allCases),
            endsWithClient: options.has(.awaited) && random.chance(2))
        let all = Array(board.motors.indices)
        let chosen = random.chance(2) ? all.filter { _ in random.chance(2) } : []
        let motors = chosen.isEmpty ? all : chosen
        if !chosen.isEmpty { input.actuators = chosen.map { ActuatorIndex($0) } }
        input.spread = spread(over: motors, of: all)
        if !board.open.isEmpty, random.chance(2) {
            input.pattern = random.one(of: board.open)
            return input
        }
        if options.has(.trains), random.chance(2) {
            input.train = StepTrain(
                steps: Int.random(in: 2...77, using: &random), duration: random.milliseconds(1...3000),
                curve: random.chance(2) ? .charge : .linear)
        }
        if options.has(.repetitions) { input.repetitions = Int.random(in: 1...3, using: &random) }
        return input
    }

    private mutating func spread(over motors: [Int], of all: [Int]) -> Spread? {
        guard options.has(.spread), random.chance(2) else { return nil }
        if random.chance(2), motors.count > 1 {
            let interval = random.milliseconds(1...random.one(of: [10, 1000 / Int64(motors.count - 1)]))
            return .stagger(Stagger(interval: interval, origin: random.one(of: StaggerOrigin.allCases)))
        }
        guard let to = all.filter({ !motors.contains($0) }).randomElement(using: &random) else { return nil }
        return .handOver(HandOver(to: ActuatorIndex(to), duration: random.milliseconds(1...random.one(of: [20, 400, 10_000]))))
    }

    private mutating func event() -> EventInput {
        if random.chance(20) { return EventInput(name: "\(Board.device).confirmed") }
        return EventInput(
            name: random.one(of: ["payment.succeeded", "sync.state", "sync.other", "nothing"]),
            value: random.one(of: [nil, .null, .string("failed"), .number(1), .bool(true)]),
            feedbackClass: random.chance(2) ? .alarm : nil)
    }

    /// The value mostly moves a little, sometimes stays, and seldom jumps.
    private mutating func follow(_ id: String?) -> Input.Kind {
        if random.chance(10) { return .release }
        var value = values[id!] ?? 0
        if random.chance(8) { value = Double.random(in: 0...1, using: &random) }
        if !random.chance(4) { value += Double.random(in: -0.1...0.1, using: &random) }
        values[id!] = Progress(clamping: value).value
        return .progress(ProgressInput(value: Progress(clamping: value)))
    }

    // MARK: Holds, sets, tasks

    private mutating func hand(_ kind: Options.Feature, of client: ClientIdentity, at now: MonotonicInstant) -> BatchItem {
        let many = options.has(.many)
        switch kind {
        case .holds:
            let id = many ? "h\(Int.random(in: 0..<40, using: &random))" : random.one(of: ["h", "h", "h2", Board.device, "x"])
            let client = id == Board.device && !random.chance(8) ? ClientIdentity.device(user: 0) : client
            return input(of: client, at: now, id: id) { $0.hold($1!, of: client.user) }
        case .tasks:
            let id = random.chance(20) ? "other" : "t\(Int.random(in: 0..<(many ? 300 : 3), using: &random))"
            return input(of: client, at: now, id: id) { $0.task($1!, of: client.user) }
        default: return input(of: client, at: now, id: nil) { generator, _ in .present(generator.present()) }
        }
    }

    private mutating func hold(_ id: String, of user: UInt32) -> Input.Kind {
        let key = "\(user) \(id)"
        // Most holds last until they are confirmed.
        let isUp = random.chance(down.contains(key) ? options.has(.many) ? 60 : 8 : 6)
        if isUp { down.remove(key) } else { down.insert(key) }
        let lease = !isUp && random.chance(3) ? Nanoseconds.milliseconds(random.one(of: [50, 400, 3000])) : nil
        return .hold(HoldInput(isUp ? .up : .down, lease: lease, isDated: !random.chance(3)))
    }

    private mutating func task(_ id: String, of user: UInt32) -> Input.Kind {
        let key = "\(user) \(id)"
        guard begun.contains(key), random.chance(options.has(.many) ? 50 : 3) else {
            begun.insert(key)
            return .task(.began)
        }
        begun.remove(key)
        return .task(random.one(of: [.succeeded, .failed, .cancelled]))
    }

    private mutating func present() -> PresentInput {
        let name = random.one(of: ["cart.a", "cart.a", "cart.b", "other"])
        var ids: [String]
        switch Int.random(in: 0..<4, using: &random) {
        case 0: ids = (0..<4).map { [first = Int.random(in: 1...3, using: &random)] in "\(first + $0)" }
        case 1 where options.has(.many):
            let id = String(repeating: "x", count: Int.random(in: 1...250, using: &random))
            ids = (0..<Int.random(in: 0...8, using: &random)).map { "\(id)\($0)" }
        default:
            ids = (0..<(options.has(.many) ? 30 : 12)).filter { _ in random.chance(2) }.map { "i\($0)" }.shuffled(using: &random)
            if let first = ids.first, random.chance(4) { ids.append(first) }
        }
        var gap: PresentGap?
        if random.chance(12) {
            gap = PresentGap(
                reason: random.chance(2) ? .quota : .invalidParams, name: random.one(of: [nil, "cart.b", name, name]),
                continues: random.one(of: [true, true, false, nil]))
        }
        return PresentInput(name: name, ids: ids.map { Text($0) }, continues: random.chance(4), gap: gap)
    }

    // MARK: What people set

    private mutating func change(at now: MonotonicInstant) -> SettingsChange {
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            let end = now + .milliseconds(random.one(of: [0, 50, 800, 60_000]))
            return SettingsChange(off: .set(random.chance(4) ? .forGood : .until(end)))
        case 1: return SettingsChange(strength: random.chance(2) ? .restore : .set(strength()))
        case 2:
            let name = random.one(of: FeedbackClass.allCases)
            return SettingsChange(classes: random.chance(3) ? .restore : .set([name: .set(strength())]))
        case 3:
            let app = Text("app \(Int.random(in: 0..<3, using: &random))")
            return SettingsChange(apps: .set([app: random.chance(3) ? .restore : .set(strength())]))
        case 4, 5: return SettingsChange(quietHours: random.chance(2) ? .restore : .set((0..<2).map { _ in hours() }))
        default: return SettingsChange(profile: .set(random.chance(2) ? .full : random.one(of: Profile.allCases)))
        }
    }

    private mutating func strength() -> Strength { Strength(random.one(of: [0, 0.25, 0.5, 1, 1.5]))! }

    private mutating func hours() -> QuietHours {
        QuietHours(
            days: Set(Weekday.allCases.filter { _ in random.chance(2) }),
            from: TimeOfDay(minutes: Int.random(in: 0...1440, using: &random))!,
            to: TimeOfDay(minutes: Int.random(in: 0...1440, using: &random))!,
            except: .init(classes: random.chance(2) ? [.alarm] : [], repeated: false))
    }
}

extension SettingsChange {
    /// The change after which everything is felt again.
    static let restored = SettingsChange(
        profile: .set(.full), strength: .restore, classes: .restore, apps: .restore, quietHours: .restore, off: .restore)
}
