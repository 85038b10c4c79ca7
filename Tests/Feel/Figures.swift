// SPDX-License-Identifier: MIT
import HapticCore
import HapticMotors

/// One figure that is wanted of the fitting, what it came to, and why it was missed.
struct Figure {
    let row: String
    let wanted: String
    let measured: String
    /// What is not as it is wanted, with what it comes to; the more, the worse.
    let misses: [String: Double]
    /// Why, and what would have to change; needed where it is missed.
    let reason: String

    var isMet: Bool { misses.isEmpty }

    private init(
        _ row: String, _ wanted: String, _ measured: String, misses: [String: Double], otherwise reason: String
    ) {
        (self.row, self.wanted, self.measured, self.misses, self.reason) = (row, wanted, measured, misses, reason)
    }

    /// One that is not known to be missed.
    private init(_ row: String, _ wanted: String, _ measured: String, _ isMet: Bool) {
        self.init(row, wanted, measured, misses: isMet ? [:] : [row: .infinity], otherwise: "")
    }

    private static let erms = ["slow ERM", "fast ERM"]

    static func all(of results: Results) -> [Figure] { errors(results) + impacts(results) + trains(results) + lra(results) }

    private static func errors(_ results: Results) -> [Figure] {
        let gliding = results.all(erms, [.levels, .ramps, .swells])
        let each = worst(
            gliding.filter { $0.shape.family == .ramps || ($0.shape.family == .levels && $0.shape.peak.value <= 0.75) })
        let missed = each.filter { $0.ratio > 0.8 }
        let decays = results.all(erms, [.decays]).map(\.ratio)
        return [
            Figure(
                "ERM, levels, ramps and swells: error against the best opponent", "median at most 0.5",
                two(gliding.map(\.ratio).median), gliding.map(\.ratio).median <= 0.5),
            Figure(
                "ERM, levels of 0.75 and less, and ramps", "each at most 0.8",
                missed.isEmpty
                    ? "at most \(two(each.map(\.ratio).most))"
                    : missed.map { "\($0.shape): \(two($0.ratio))" }.joined(separator: "; ") + "; all others at most 0.80",
                misses: byShape(missed),
                otherwise: """
                    the worst of four motors counts, and that is one 30 % slower than its model. Until it has reached its level it is \
                    driven fully, as by on/off, and no drive within the rated one is faster. An overdrive of 1.2 brings the levels to \
                    \(two(most(results, "slow ERM, overdriven", "level 0.75, 300 ms"))). A ramp of 100 ms is over before such a motor has got \
                    going: it comes to \(two(most(results, "slow ERM, overdriven", "ramp, 100 ms"))) with the overdrive and \
                    \(two(most(results, "slow ERM, braked", "ramp, 100 ms"))) with a brake; it takes a faster motor or a longer ramp.
                    """),
            Figure(
                "ERM, levels, ramps and swells: the worst", "at most 1.05", two(gliding.map(\.ratio).most),
                gliding.map(\.ratio).most <= 1.05),
            Figure("ERM, decays: the worst", "at most 1.0", two(decays.most), decays.most <= 1),
        ]
    }

    private static func impacts(_ results: Results) -> [Figure] {
        let impacts = results.all(["slow ERM"], [.impacts])
        let measures = impacts.map { ImpactMeasure(intended: $0.shape.peak, felt: $0.felt) }
        let least = measures.map(\.peak).min() ?? 0
        let longest = impacts.map(\.driven).max() ?? .zero
        let above = measures.map(\.above).max() ?? .zero
        func times(_ names: [String], against opponent: Opponent, most: Double) -> [Double] {
            results.all(names, [.impacts, .levels]).filter { $0.shape.peak.value <= most }.compactMap { result in
                let peak = result.shape.peak
                guard let felt = result.felt(by: opponent) else { return nil }
                let own = ImpactMeasure(intended: peak, felt: result.felt).timeToTenth
                // Who never gets there takes for ever.
                guard let other = ImpactMeasure(intended: peak, felt: felt).timeToTenth else { return own == nil ? .infinity : 0 }
                return own.map { Double($0.count) / Double(other.count) } ?? .infinity
            }
        }
        let rated = times(["slow ERM"], against: .onOff, most: 1).most
        let overdriven = times(["slow ERM, overdriven"], against: .onOff, most: 1).most
        let subtle = times(["slow ERM"], against: .level, most: 0.5).most
        return [
            Figure("slow ERM, impacts: the least peak", "0.1 or more", two(least), least >= ImpactMeasure.felt),
            Figure("slow ERM, impacts: the longest drive", "at most 70 ms", "\(whole(longest))", longest <= .milliseconds(70)),
            Figure("slow ERM, impacts: above 0.1", "for at most 80 ms", "\(whole(above))", above <= .milliseconds(80)),
            Figure("slow ERM, time to 0.1 of the intended peak, of that of on/off", "at most 1.0", two(rated), rated <= 1),
            Figure("the same with an overdrive of 1.2", "at most 0.85", two(overdriven), overdriven <= 0.85),
            Figure(
                "slow ERM, the same of level = intensity, for intended peaks of 0.5 and less", "at most 0.7", two(subtle),
                subtle <= 0.7),
        ]
    }

    private static func trains(_ results: Results) -> [Figure] {
        let trains = results.all(results.motors.map(\.judged.name), [.trains])
        let fewer = trains.filter { !$0.keepingMoreApart.isEmpty }
        let shapes = Dictionary(grouping: fewer) { $0.shape.name }
        let names = shapes.keys.sorted().joined(separator: ", ")
        return [
            Figure(
                "trains: pulses that stay apart, on all motors", "no fewer than any opponent, nor than without fitting",
                fewer.isEmpty ? "never fewer" : "fewer in \(fewer.count) of \(trains.count): \(names)",
                misses: shapes.mapValues { Double($0.count) }, otherwise: whyFewer(fewer, results))
        ]
    }

    private static func whyFewer(_ fewer: [Result], _ results: Results) -> String {
        let others = Opponent.allCases.filter { opponent in fewer.contains { $0.keepingMoreApart.contains(opponent) } }
        let braked = ["slow ERM, braked", "LRA, braked"]
        let fewerBraked = results.all(braked, [.trains]).count { !$0.keepingMoreApart.isEmpty }
        let charges = braked.map { name -> String in
            let charge = results.all([name], [.trains]).filter { $0.shape.name == Shape.charge.name }
            return "\(Page.cell(Shape.charge) { $0.felt }(charge)) (\(name))"
        }
        let most = TrainMeasure.pulsesApart(SampledEnvelope(intended: Shape.charge.frames, length: Shape.charge.length))
        return """
            only \(others.map { "*\($0.rawValue)*" }.joined(separator: " and ")) keep more apart, \(fewer.count { $0.isSlower }) times on a motor \
            that is 30 % slower than its model and \(fewer.count { !$0.isSlower }) times on a faster one. Lofelt leaves out every pulse that comes \
            within 60 ms of another, and what is left stays apart. Here a pulse that was asked for is never left out. With a brake it is \
            \(fewerBraked == 0 ? "never fewer" : "fewer in \(fewerBraked) cases"): of the charge \(charges.joined(separator: " and ")) stay apart. \
            \(most) are the most that this measure can tell apart, for it smooths over 10 ms, and pulses at intervals of 10 ms are then one. \
            Without a brake it takes a pattern with longer gaps.
            """
    }

    private static func lra(_ results: Results) -> [Figure] {
        let families: [Shape.Family] = [.levels, .ramps, .swells]
        let shapes = worst(results.all(["LRA"], families))
        let free = results.all(["LRA"], families).map(\.ratio)
        let braked = results.all(["LRA, braked"], families).map(\.ratio)
        let rings = results.all(["LRA, braked"], [.impacts]).compactMap { result -> Double? in
            guard let other = result.felt(by: .level) else { return nil }
            let (own, theirs) = (ring(result.felt), ring(other))
            return Double(own.count) / Double(theirs.count)
        }
        return [
            Figure("LRA, sustained: error against the best opponent", "median at most 0.7", two(free.median), free.median <= 0.7),
            Figure(
                "LRA, sustained: the worst", "at most 0.7", two(free.most), misses: byShape(shapes.filter { $0.ratio > 0.7 }),
                otherwise: """
                    full strength from rest, which no drive within the rated one reaches sooner, and ramps that end at full strength, \
                    whose ring only a brake can shorten: with one the median is \(two(braked.median)) and the worst \(two(braked.most)). \
                    A driver chip in closed loop does both by itself.
                    """),
            Figure(
                "LRA with a brake: ring time after an impact, of that of level = intensity", "at most 0.7", two(rings.most),
                rings.most <= 0.7),
        ]
    }

    private static func ring(_ felt: SampledEnvelope) -> Nanoseconds {
        ImpactMeasure(intended: .one, felt: felt).ring
    }

    /// The worst ratio of one shape on one motor.
    private static func most(_ results: Results, _ motor: String, _ shape: String) -> Double {
        results.all([motor], Shape.Family.allCases).filter { $0.shape.name == shape }.map(\.ratio).most
    }

    /// By shape the worst of all motors.
    private static func worst(_ results: [Result]) -> [(shape: String, ratio: Double)] {
        Dictionary(grouping: results) { $0.shape.name }.map { ($0, $1.map(\.ratio).most) }.sorted { $0.shape < $1.shape }
    }

    private static func byShape(_ ratios: [(shape: String, ratio: Double)]) -> [String: Double] {
        Dictionary(uniqueKeysWithValues: ratios.map { ($0.shape, $0.ratio) })
    }

    /// `0.43`, the same everywhere.
    static func two(_ number: Double) -> String {
        guard number.isFinite else { return "never" }
        // trap: a figure of the page is below a million.
        let hundredths = Int((number * 100).rounded())
        return "\(hundredths / 100)." + (hundredths % 100 < 10 ? "0" : "") + "\(hundredths % 100)"
    }

    static func whole(_ time: Nanoseconds) -> String { milliseconds(time.inMilliseconds) }

    static func milliseconds(_ time: Double) -> String { time.isFinite ? "\(Int(time.rounded())) ms" : "never" }

    static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %".replacing("-", with: "−") }
}
