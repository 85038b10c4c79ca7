// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticPatterns
internal import HapticText

/// A parameter curve of an AHAP file, or a parameter, which is a curve at 0 of one point.
struct AhapParameterCurve {
    struct Point {
        /// After the curve's own time, or after the start of the pattern: the file says it, see `areAbsolute`.
        var at: Nanoseconds
        var value: Double
        var reader: NodeReader
    }

    private let control: AhapControl
    private let at: Nanoseconds
    private let reader: NodeReader
    /// Not empty.
    private let points: [Point]

    init(_ control: AhapControl, at: Nanoseconds, _ reader: NodeReader, _ points: [Point]) {
        (self.control, self.at, self.reader, self.points) = (control, at, reader, points)
    }

    /// The curves of a pattern; nil where the times of one are out of order or too late, which is then reported.
    static func parameterCurves(_ curves: [AhapParameterCurve], notes: DocumentReport) -> [ParameterCurve]? {
        let (absolute, relative) = (curves.first(where: \.isAbsolute), curves.first(where: \.isRelative))
        absolute?.reader.note(
            relative.map {
                "the times of the points of this curve are taken from its own time, as those of \($0.reader.path) can only be; so it begins \(absolute?.points[0].at ?? .zero) after that"
            }
                ?? "the times of the points of curves are taken from the start of the pattern, as some exporters write them: this curve does not begin before its own time",
            to: notes)
        let parts = curves.map { $0.parts(isAbsolute: absolute != nil && relative == nil) }.whole()
        return parts.map { joined(Array($0.joined())) }
    }

    /// Apple counts the times of points from the time of their curve, an exporter of Lofelt's from the start of the pattern. A curve that
    /// then begins twice as late as it says, or later, gives away a file of the latter kind.
    private var isAbsolute: Bool { at > .zero && points[0].at >= at }

    /// No exporter writes a point from the start of the pattern that lies before the curve's own time, but for rounding.
    private var isRelative: Bool { points[0].at + .milliseconds(1) < at }

    /// The curve in parts that end where it jumps, at two points of one time: the part that began last is the one that counts.
    private func parts(isAbsolute: Bool) -> [ParameterCurve]? {
        let start = isAbsolute ? Nanoseconds.zero : at
        var parts: [[ParameterCurve.Point]] = []
        var isUsable = true
        for point in points {
            let time = start + point.at
            let before = parts.last?.last?.at ?? .zero
            if time > Pattern.Limit.duration {
                point.reader.fail("it is \(time) after the start; at most \(Pattern.Limit.duration) are allowed")
                isUsable = false
            } else if time < before {
                point.reader.fail("it is \(time) after the start, before the point before it, which is at \(before)")
                isUsable = false
            } else if parts.isEmpty || time == before {
                parts.append([.init(at: time, value: point.value)])
            } else {
                parts[parts.count - 1].append(.init(at: time, value: point.value))
            }
        }
        return isUsable ? parts.map { ParameterCurve(parameter: control.meaning, points: $0) } : nil
    }

    /// One curve where one ends just where the next one begins, as far as one may have so many points: files have long curves in parts.
    private static func joined(_ curves: [ParameterCurve]) -> [ParameterCurve] {
        AhapControl.allCases.flatMap { control in
            let inOrder = curves.filter { $0.parameter == control.meaning }.sorted { $0.points[0].at < $1.points[0].at }
            return inOrder.reduce(into: [ParameterCurve]()) { joined, next in
                if let last = joined.last?.points, last.last == next.points[0],
                    last.count + next.points.count - 1 <= Pattern.Limit.pointsPerCurve
                {
                    joined[joined.count - 1].points += next.points.dropFirst()
                } else {
                    joined.append(next)
                }
            }
        }
    }
}
