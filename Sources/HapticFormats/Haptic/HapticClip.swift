// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticPatterns
internal import HapticText

/// What a `.haptic` file has: an envelope with taps on some of its points, and one of the sharpness.
struct HapticClip {
    struct AmplitudePoint {
        var at: Nanoseconds
        var intensity: Double
        var tap: HapticEvent?
    }

    /// Not empty.
    private(set) var amplitude: [AmplitudePoint]
    /// Empty where there is no vibration.
    private let sharpness: [Envelope.Point]
    /// A sentence each.
    private(set) var losses: [String] = []

    /// `taps` are in the order of their times. Of a vibration that is sampled, what lies on a line is left out.
    /// Silence after them lasts until `end`.
    init(_ vibration: [LevelPoint], taps: [HapticEvent], until end: Nanoseconds, isSampled: Bool) {
        var intensity = vibration.map { Envelope.Point(at: $0.at, value: $0.intensity) }
        let silence = Envelope.Point(at: .zero, value: 0)
        if let first = intensity.first, first.at > .zero {
            intensity.insert(contentsOf: [silence, Envelope.Point(at: first.at, value: 0)], at: 0)
        }
        // A vibration ends with its last point.
        if let last = intensity.last, let tap = taps.last, last.at < tap.at {
            intensity.append(Envelope.Point(at: last.at, value: 0))
        }
        if intensity.isEmpty { intensity = [silence] }
        let last = intensity[intensity.count - 1].at
        if max(last, taps.last.map(\.end) ?? .zero) < end { intensity += [last, end].map { Envelope.Point(at: $0, value: 0) } }
        intensity = Self.thinned(intensity, tolerance: isSampled ? 1e-9 : nil)
        amplitude = intensity.map { AmplitudePoint(at: $0.at, intensity: $0.value) }
        var sharpness = Self.thinned(
            vibration.map { Envelope.Point(at: $0.at, value: $0.sharpness) }, tolerance: isSampled ? 1e-9 : 0)
        // The last one holds.
        while sharpness.count > 1, sharpness[sharpness.count - 2].value == sharpness[sharpness.count - 1].value {
            sharpness.removeLast()
        }
        self.sharpness = sharpness
        addTaps(taps)
    }

    /// Without points that are there twice and, where there is a tolerance, without those in the middle of a line; where it is 0, of one
    /// that stays.
    private static func thinned(_ points: [Envelope.Point], tolerance: Double?) -> [Envelope.Point] {
        var kept: [Envelope.Point] = []
        for point in points where point != kept.last {
            if let tolerance, kept.count > 1 {
                let (a, b) = (kept[kept.count - 2], kept[kept.count - 1])
                var line = Envelope.Cursor(Envelope(points: [a, point]))
                let isLevel = a.value == b.value && b.value == point.value
                let isOnLine = isLevel || tolerance > 0 && abs(line.sides(at: b.at).before - b.value) <= tolerance
                if a.at < b.at, b.at < point.at, isOnLine { kept.removeLast() }
            }
            kept.append(point)
        }
        return kept
    }

    /// Gives each tap a point of the envelope: an emphasis is never below it, and there is one at a time.
    private mutating func addTaps(_ taps: [HapticEvent]) {
        let strongest = taps.reduce(into: [HapticEvent]()) { kept, tap in
            guard let last = kept.last, last.at == tap.at else { return kept.append(tap) }
            if tap.intensity > last.intensity { kept[kept.count - 1] = tap }
        }
        var cursor = Envelope.Cursor(Envelope(points: amplitude.map { Envelope.Point(at: $0.at, value: $0.intensity) }))
        var merged: [AmplitudePoint] = []
        var rest = amplitude[...]
        var raised = 0
        for var tap in strongest {
            let earlier = rest.prefix { $0.at < tap.at }
            merged += earlier
            rest = rest[earlier.endIndex...]
            let sides = cursor.sides(at: tap.at)
            let under = min(sides.before, sides.after)
            if tap.intensity.value < under {
                tap.intensity = Intensity(clamping: under)
                raised += 1
            }
            var here = Array(rest.prefix { $0.at == tap.at })
            rest = rest[(rest.startIndex + here.count)...]
            if here.isEmpty { here = [AmplitudePoint(at: tap.at, intensity: under)] }
            // trap: the lower end of a step is one of them, and `under` is that.
            here[here.firstIndex { $0.intensity <= tap.intensity.value }!].tap = tap
            merged += here
        }
        amplitude = merged + rest
        if strongest.count < taps.count {
            losses.append("Taps at the instant of a stronger one are left out: \(taps.count - strongest.count).")
        }
        if raised > 0 { losses.append("Taps weaker than the vibration under them become as strong as it is: \(raised).") }
    }
}

// MARK: Text

extension HapticClip {
    func text(description: String) -> String {
        var lines = ["{", #"  "version": { "major": 1, "minor": 0, "patch": 0 },"#]
        if !description.isEmpty { lines.append(#"  "metadata": { "description": \#(Self.quoted(description)) },"#) }
        lines += [#"  "signals": { "continuous": { "envelopes": {"#, #"    "amplitude": ["#]
        lines += Self.list(amplitude.map(Self.text))
        lines.append(sharpness.isEmpty ? "    ]" : "    ],")
        if !sharpness.isEmpty {
            lines.append(#"    "frequency": ["#)
            lines += Self.list(
                sharpness.map {
                    #"{ "time": \#(Self.text($0.at)), "frequency": \#(Self.text(Self.shortestSquare(of: $0.value))) }"#
                })
            lines.append("    ]")
        }
        lines += ["  } } }", "}"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func text(_ point: AmplitudePoint) -> String {
        var text = #"{ "time": \#(Self.text(point.at)), "amplitude": \#(Self.text(shortestSquare(of: point.intensity)))"#
        if let tap = point.tap {
            let amplitude = Self.text(shortestSquare(of: tap.intensity.value))
            text += #", "emphasis": { "amplitude": \#(amplitude), "frequency": \#(Self.text(tap.sharpness.value)) }"#
        }
        return text + " }"
    }

    private static func list(_ items: [String]) -> [String] {
        items.enumerated().map { "      \($0.element)\($0.offset + 1 < items.count ? "," : "")" }
    }

    private static func text(_ time: Nanoseconds) -> String { text(time.inSeconds) }
    private static func text(_ number: Double) -> String { plainText(number) }

    private static func quoted(_ text: String) -> String {
        // trap: a text can always be written; numbers that are not finite cannot.
        String(decoding: try! JSONLine.bytes(text), as: UTF8.self)
    }

    /// The number with the fewest digits whose square root is `root`, in 0…1: so an amplitude that was read is written as it was.
    /// √(x²) is x in binary floating point, so there is one but for the least roots, whose square is 0.
    static func shortestSquare(of root: Double) -> Double {
        let square = root * root
        var candidates = [square]
        var (below, above) = (square.nextDown, square.nextUp)
        for _ in 0..<3 {
            candidates += [below, above]
            (below, above) = (below.nextDown, above.nextUp)
        }
        let same = candidates.filter { $0 >= 0 && $0 <= 1 && $0.squareRoot() == root }
        return same.min { $0.description.utf8.count < $1.description.utf8.count } ?? square
    }
}
