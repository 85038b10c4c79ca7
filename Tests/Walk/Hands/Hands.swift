// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import TestSupport

/// What hands and programs say of holds, sets and tasks, at random.
///
/// With random numbers of its own, so that a seed without it does what it did before there was such a thing.
struct Hands {
    enum Feature: String, CaseIterable {
        case holds, sets, tasks
        /// So many of each that bounds are reached.
        case many
    }

    enum Saying {
        case hold(String, HandInput)
        case task(String, TaskState)
        case present(String, [String], more: Bool)
        case event(String)
    }

    /// Half of the seeds have none.
    let features: Set<Feature>
    private var random: SplitMix64

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed ^ 0x0068_616e_6473_2200)
        let areThere = random.next() % 2 == 0
        features = areThere ? Set(Feature.allCases.filter { $0 == .many ? random.next() % 4 == 0 : random.next() % 3 > 0 }) : []
        self.random = random
    }

    var text: String { features.isEmpty ? "" : "; hands: " + features.map(\.rawValue).sorted().joined(separator: " ") }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

    /// What is said at once by `user`, in order; mostly nothing. `judge` knows what is down and pending.
    mutating func say(as user: UInt32, _ judge: HandJudge) -> [Saying] {
        let kinds = [Feature.holds, .sets, .tasks].filter(features.contains)
        guard let kind = kinds.randomElement(using: &random), chance(3) else { return [] }
        let count = features.contains(.many) ? Int.random(in: 1...20, using: &random) : 1
        return (0..<count).map { _ in
            switch kind {
            case .holds: hold(as: user, judge.holds)
            case .tasks: task(as: user, judge.tasks)
            default: present()
            }
        }
    }

    private mutating func hold(as user: UInt32, _ holds: HoldModel) -> Saying {
        if chance(40) { return .event("\(HoldModel.device).\(chance(2) ? "confirmed" : "released")") }
        let id =
            features.contains(.many)
            ? "h\(Int.random(in: 0..<40, using: &random))"
            : ["h", "h", "h2", HoldModel.device, "x"].randomElement(using: &random)!
        let isDown = holds.down(of: id == HoldModel.device ? nil : user).contains { $0.id == id }
        // Most are held until something comes of it.
        let state: HoldState = isDown ? chance(features.contains(.many) ? 60 : 8) ? .up : .down : chance(6) ? .up : .down
        let lease = state == .down && chance(3) ? [50, 400, 3000].randomElement(using: &random)! as Int64 : nil
        return .hold(id, HandInput(state, lease: lease.map { .milliseconds($0) }, isDated: !chance(3)))
    }

    private mutating func task(as user: UInt32, _ tasks: TaskModel) -> Saying {
        let id = chance(20) ? "other" : "t\(Int.random(in: 0..<(features.contains(.many) ? 300 : 3), using: &random))"
        guard tasks.isPending(id, of: user), chance(features.contains(.many) ? 50 : 3) else { return .task(id, .began) }
        return .task(id, [.succeeded, .failed, .cancelled].randomElement(using: &random)!)
    }

    private mutating func present() -> Saying {
        let name = ["cart.a", "cart.a", "cart.b", "other"].randomElement(using: &random)!
        var ids: [String] = []
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let first = Int.random(in: 1...3, using: &random)
            ids = (first..<first + 4).map { "\($0)" }
        case 1 where features.contains(.many):
            let length = Int.random(in: 1...250, using: &random)
            ids = (0..<Int.random(in: 0...8, using: &random)).map { String(repeating: "x", count: length) + "\($0)" }
        default:
            let most = features.contains(.many) ? 30 : 12
            ids = (0..<most).filter { _ in chance(2) }.map { "i\($0)" }.shuffled(using: &random)
            if let first = ids.first, chance(4) { ids.append(first) }
        }
        return .present(name, ids, more: chance(4))
    }

    /// What was refused before it came, most often of the set `name`.
    private mutating func gap(_ name: String) -> PresentGap {
        PresentGap(
            reason: chance(2) ? .quota : .invalidParams, name: chance(4) ? nil : chance(4) ? "cart.b" : name,
            continues: [true, true, false, nil].randomElement(using: &random)!)
    }

    /// Which hand does it: of a client, or of the device; and how long ago that was.
    mutating func item(_ saying: Saying, as user: UInt32, at now: MonotonicInstant) -> BatchItem {
        let client = ClientIdentity(connection: UInt64.random(in: 1..<4, using: &random), user: user)
        let age: Int64 = chance(6) ? [1, 20, 700].randomElement(using: &random)! : 0
        let feedback: Input.FeedbackOverride = chance(12) ? .off : .normal
        func input(_ id: String?, _ client: ClientIdentity, _ kind: Input.Kind) -> BatchItem {
            .input(Input(client: client, id: id, at: now - .milliseconds(age), feedback: feedback, kind: kind))
        }
        switch saying {
        case .hold(let id, let hand):
            let isHand = id == HoldModel.device && !chance(8)
            return input(id, isHand ? .device(user: 0) : client, .hold(hand))
        case .task(let id, let state): return input(id, client, .task(state))
        case .present(let name, let ids, let more):
            let gap = chance(12) ? gap(name) : nil
            return input(nil, client, .present(PresentInput(name: name, ids: ids.map { Text($0) }, continues: more, gap: gap)))
        case .event(let name): return input(nil, client, .event(EventInput(name: name)))
        }
    }

    /// Where in a batch of `count` items they come.
    mutating func place(in count: Int) -> Int { Int.random(in: 0...count, using: &random) }

    mutating func user() -> UInt32 { UInt32.random(in: 0..<3, using: &random) }
}
