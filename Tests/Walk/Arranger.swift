// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import TestSupport

/// Makes more of what a seed asks for: patterns of layers and of open phases, what is spread over several motors, and phases that end.
///
/// With random numbers of its own, so that a seed without it does what it did before there was such a thing.
struct Arranger {
    enum Feature: String, CaseIterable {
        case composed, dense, openPhases, endings, stagger, handOver, transactions
    }

    /// What ends an open phase.
    enum Ending {
        case release(Oracle.Source)
        case advance(CancelTarget, user: UInt32)
    }

    /// Half of the seeds have none.
    let features: Set<Feature>
    private var random: SplitMix64

    init(seed: UInt64) {
        // Those seeds that failed before there was this have none of it.
        var random = SplitMix64(seed: seed ^ Self.salt)
        let isThere = random.next() % 2 == 0
        features = isThere ? Set(Feature.allCases.filter { _ in Bool.random(using: &random) }) : []
        self.random = random
    }

    static let salt: UInt64 = 0x6172_7261_6e67_6522

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

    var text: String { features.isEmpty ? "" : "; " + features.map(\.rawValue).sorted().joined(separator: " ") }

    // MARK: Patterns

    /// Made of `shapes`, where these are short and steady.
    mutating func pieces(of shapes: [Shape]) -> [Piece] {
        let steady = shapes.filter { !$0.glides && $0.length <= 2_000_000_000 }
        var pieces: [Piece] = []
        if features.contains(.composed) {
            for index in 0..<3 { pieces.append(.composed("composed\(index)", of: steady, using: &random)) }
        }
        if features.contains(.dense) {
            for index in 0..<2 { pieces.append(.dense("dense\(index)", using: &random)) }
        }
        return pieces
    }

    mutating func movements(of shapes: [Shape]) -> [Movement] {
        guard features.contains(.openPhases) else { return [] }
        let usable = shapes.filter(Movement.Phase.isUsable)
        return (0..<4).map { .random("open\($0)", of: usable, using: &random) }
    }

    // MARK: Plays

    /// The name of one that a `play` asks for in place of its own; nil: not this time.
    mutating func movement(of board: Board) -> String? {
        guard !board.movements.isEmpty, chance(2) else { return nil }
        return board.open.randomElement(using: &random)!.name
    }

    /// How a `play` of `pattern` on `motors` (nil: all) is spread. Of what a profile may put in its place nobody knows how it is.
    mutating func spread(_ pattern: String, over motors: [Int]?, on board: Board) -> Request.Spread? {
        let all = Array(board.motors.indices)
        let wanted = motors ?? all
        guard !Board.named.contains(where: { $0.name == pattern }), all.count > 1, chance(2) else { return nil }
        let isStaggered = chance(2)
        if isStaggered, features.contains(.stagger), wanted.count > 1 {
            let longest = [30, 1000].randomElement(using: &random)! * 1_000_000 / Int64(wanted.count - 1)
            return .stagger(Int64.random(in: 1...longest, using: &random), StaggerOrigin.allCases.randomElement(using: &random)!)
        }
        guard !isStaggered, features.contains(.handOver),
            let to = all.filter({ motors == nil || !wanted.contains($0) }).randomElement(using: &random)
        else { return nil }
        let longest = [20, 400, 10_000].randomElement(using: &random)! * 1_000_000 as Int64
        return .handOver(to: to, Int64.random(in: 1...longest, using: &random))
    }

    /// Who plays what has an open phase mostly gives it an id, by which it may be released.
    mutating func id() -> String? { chance(4) ? nil : ["a", "b", "c"].randomElement(using: &random)! }

    // MARK: Transactions

    /// What the first item of a batch may say of the others.
    enum Transaction {
        case off, late, wrong
        case pattern(String)
    }

    /// Nil: this batch has none.
    mutating func transaction(on board: Board) -> Transaction? {
        guard features.contains(.transactions), chance(2) else { return nil }
        let patterns = board.playable.filter { pattern in !Board.named.contains { $0.name == pattern.name } }
        return [.off, .late, .wrong, .pattern(patterns.randomElement(using: &random)!.name)].randomElement(using: &random)!
    }

    // MARK: The ends of phases

    /// `open`: what plays and has an open phase. Mostly one of these is meant.
    mutating func ending(of open: [(id: UInt64, source: Oracle.Source?)]) -> Ending? {
        guard features.contains(.endings), chance(open.isEmpty ? 20 : 3) else { return nil }
        let one = chance(6) ? nil : open.randomElement(using: &random)
        let user = one?.source?.user ?? UInt32.random(in: 0..<3, using: &random)
        let id = one?.source?.id ?? "a"
        if chance(2) { return .release(Oracle.Source(user: user, id: id)) }
        let targets: [CancelTarget] = [.all, .source(id: id), .playback(PlaybackID(one?.id ?? 1))]
        return .advance(targets.randomElement(using: &random)!, user: user)
    }

    /// Where in a batch of `count` items it comes.
    mutating func place(in count: Int) -> Int { Int.random(in: 0...count, using: &random) }
}

extension Arranger {
    /// The same `play`, maybe of another pattern, and spread.
    mutating func arrange(_ item: BatchItem, _ request: Request?, on board: Board) -> (item: BatchItem, request: Request?) {
        guard !features.isEmpty, case .input(var input) = item, case .play(var play) = input.kind, var request else {
            return (item, request)
        }
        if let name = movement(of: board) {
            play.pattern = board.open.first { $0.name == name }!
            (play.train, play.repetitions) = (nil, 1)
            (request.pattern, request.train, request.repetitions) = (name, nil, 1)
            input.id = id()
        }
        request.spread = spread(request.pattern, over: request.motors, on: board)
        switch request.spread {
        case nil: break
        case .stagger(let interval, let origin):
            play.spread = .stagger(Stagger(interval: Nanoseconds(interval), origin: origin))
        case .handOver(let to, let length):
            play.spread = .handOver(HandOver(to: ActuatorIndex(to), duration: Nanoseconds(length)))
        }
        input.kind = .play(play)
        return (.input(input), request)
    }

    /// The item that ends a phase; nil: not this time.
    mutating func endingItem(of open: [(id: UInt64, source: Oracle.Source?)], at now: MonotonicInstant) -> BatchItem? {
        switch ending(of: open) {
        case nil: nil
        case .release(let source):
            .input(Input(client: ClientIdentity(connection: 7, user: source.user), id: source.id, at: now, kind: .release))
        case .advance(let target, let user):
            .cancel(CancelRequest(client: ClientIdentity(connection: 7, user: user), target: target, mode: .advance))
        }
    }
}
