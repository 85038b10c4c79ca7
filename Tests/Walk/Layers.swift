// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns

/// Shapes at the same time: what they come to together, with an arithmetic of its own.
struct Layers {
    struct Layer {
        let shape: Shape
        let at: Int64
        let gain: Double
    }

    var layers: [Layer] = []
    /// They are put together as light is; else they add up. At 1 they are cut.
    var isGlow = false
    /// Multiplies all of it, straight from point to point; 1 before the first one, and held from the last one on. Only where no
    /// layer glides.
    var curve: [(at: Int64, value: Double)] = []

    func shape(_ name: String) -> Shape {
        let end = layers.reduce(0) { max($0, $1.at + $1.shape.length) }
        var turns = Set(curve.map(\.at))
        for layer in layers { for point in layer.shape.points { turns.insert(layer.at + point.at) } }
        let inOrder = turns.filter { $0 < end }.sorted()
        var points = inOrder.enumerated().map { index, at in
            let next = index + 1 < inOrder.count ? inOrder[index + 1] : end
            let sum = sum(at: at)
            let (from, to) = (felt(sum * factor(at: at)), felt(sum * factor(before: next)))
            return Shape.Point(at: at, value: from, reaches: from == to ? nil : to)
        }
        points.append(Shape.Point(at: end, value: 0))
        return Shape(name: name, points: points)
    }

    private func felt(_ value: Double) -> Double { value < Expectation.least ? 0 : min(1, value) }

    private func sum(at offset: Int64) -> Double {
        let shortest = layers.reduce(Int64.max) { min($0, $1.shape.length) }
        var sum = 0.0
        for layer in layers where layer.at <= offset {
            let value = layer.shape.value(at: offset - layer.at) * layer.gain
            guard isGlow else {
                sum += value
                continue
            }
            let weighed = value * (Double(shortest) / Double(layer.shape.length)).squareRoot()
            sum += weighed - sum * weighed
        }
        return sum
    }

    private func factor(at offset: Int64) -> Double {
        guard let last = curve.lastIndex(where: { $0.at <= offset }) else { return 1 }
        guard last + 1 < curve.count else { return curve[last].value }
        let (a, b) = (curve[last], curve[last + 1])
        return a.value + (b.value - a.value) * Double(offset - a.at) / Double(b.at - a.at)
    }

    private func factor(before offset: Int64) -> Double {
        curve.first.map { offset > $0.at } ?? false ? factor(at: offset) : 1
    }
}

/// A pattern of several layers, with what it is to feel like.
struct Piece {
    let shape: Shape
    let pattern: Pattern

    /// Patterns that are there, put together: at some time or after the one before, each as strong and as often as is drawn.
    static func composed(_ name: String, of shapes: [Shape], using random: inout some RandomNumberGenerator) -> Piece {
        var (parts, layers, end) = ([Pattern.Part](), Layers(), Int64(0))
        layers.isGlow = Int.random(in: 0..<3, using: &random) == 0
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            let shape = shapes.randomElement(using: &random)!
            let offset = Int64.random(in: 0...[0, 30_000_000, 800_000_000].randomElement(using: &random)!, using: &random)
            let isBehind = Bool.random(using: &random)
            let gain = Double.random(in: 0.3...1, using: &random)
            let repetitions = Int.random(in: 1...4, using: &random)
            let interval = Int64.random(in: 1...300_000_000, using: &random)
            let start = isBehind ? end + offset : offset
            end = start + interval * Int64(repetitions - 1) + shape.length
            for repetition in 0..<repetitions {
                layers.layers.append(.init(shape: shape, at: start + interval * Int64(repetition), gain: gain))
            }
            parts.append(
                Pattern.Part(
                    shape.pattern, isBehind ? .gap(Nanoseconds(offset)) : .at(Nanoseconds(offset)), intensity: Intensity(gain)!,
                    repetitions: repetitions, interval: Nanoseconds(interval)))
        }
        let shape = layers.shape(name)
        return Piece(shape: shape, pattern: try! Pattern(name: name, parts: parts, sum: layers.isGlow ? .glow : .plain))
    }

    /// As an AHAP file for a game has it: taps close to one another, vibrations, and a control that shapes both.
    static func dense(_ name: String, using random: inout some RandomNumberGenerator) -> Piece {
        var (layers, tracks) = (Layers(), [Pattern.Track]())
        let tap: Int64 = 8_000_000
        for isTap in [true, false] {
            // At most half each, so that both together are not cut.
            let gain = Double.random(in: 0.2...0.5, using: &random)
            var (events, at) = ([HapticEvent](), Int64.random(in: 0...3, using: &random) * 10_000_000)
            for _ in 0..<(isTap ? Int.random(in: 4...50, using: &random) : Int.random(in: 0...5, using: &random)) {
                let length = isTap ? tap : Int64.random(in: 20...400, using: &random) * 1_000_000
                let intensity = Double.random(in: 0.2...1, using: &random)
                let pulse = Shape(name: name, points: [.init(at: 0, value: 1), .init(at: length, value: 0)])
                layers.layers.append(.init(shape: pulse, at: at, gain: gain * intensity))
                let kind = isTap ? HapticEvent.Kind.transient : .continuous(duration: Nanoseconds(length), sustained: true)
                events.append(
                    HapticEvent(at: Nanoseconds(at), kind: kind, intensity: Intensity(intensity)!, sharpness: Sharpness(0.5)!))
                at += length + Int64.random(in: 0...(isTap ? 30 : 200), using: &random) * 1_000_000
            }
            if !events.isEmpty { tracks.append(.events(events, gain: Intensity(gain)!)) }
        }
        var curves: [ParameterCurve] = []
        if Bool.random(using: &random) {
            var at = Int64.random(in: 0...200, using: &random) * 1_000_000
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                layers.curve.append((at, Double.random(in: 0.3...1, using: &random)))
                at += Int64.random(in: 1...600, using: &random) * 1_000_000
            }
            let points = layers.curve.map { ParameterCurve.Point(at: Nanoseconds($0.at), value: $0.value) }
            curves.append(ParameterCurve(parameter: .intensity, points: points))
        }
        return Piece(
            shape: layers.shape(name), pattern: try! Pattern(name: name, tracks: tracks, parameterCurves: curves))
    }
}
