// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticPatterns
internal import HapticText

struct ParameterCurveDraft {
    var parameter: ParameterName?
    var points: [NodeReader]?

    private static let keys: [Key<Self>] = [
        .required("parameter", .choice(of: ParameterName.self, "parameter"), "what it shapes") { $0.parameter = $1 },
        .required("points", pointsForm, "a straight line from each to the next") { $0.points = $1 },
    ]
    private static let pointsForm = Form<[NodeReader]>.list(
        of: .object(of: PointDraft.keys), count: 1...Pattern.Limit.pointsPerCurve)

    static let form = Form<ParameterCurve>.object(keys, into: Self()) { draft, _ in
        guard let parameter = draft.parameter, let readers = draft.points else { return nil }
        var times = AscendingTimes("point")
        let points = readers.map { reader in
            var point = PointDraft()
            return reader.object { fields -> ParameterCurve.Point? in
                fields.read(PointDraft.keys, into: &point)
                let at = times.next(point.at, of: reader)
                let value = point.value.flatMap(parameter.form.read)
                guard let at, let value else { return nil }
                return ParameterCurve.Point(at: at, value: value)
            }
        }
        return points.whole().map { ParameterCurve(parameter: parameter.meaning, points: $0) }
    }.described(as: .either(ParameterName.allCases.map(kind)))

    /// What a value may be depends on the parameter.
    private static func kind(of parameter: ParameterName) -> Member.Kind {
        let point = PointDraft.keys.map(\.member).narrowing("value", to: parameter.form.kind)
        let points = Member.Kind.list(of: .object(point), count: 1...Pattern.Limit.pointsPerCurve)
        return .object(
            keys.map(\.member).narrowing("parameter", to: .choice([parameter.rawValue])).narrowing("points", to: points))
    }
}

private struct PointDraft {
    var at: Nanoseconds?
    var value: NodeReader?

    static let keys: [Key<Self>] = [
        .required("at", patternTime, "when; later than the one before") { $0.at = $1 },
        .required("value", ParameterName.anyForm, "what is multiplied (intensity) or added") { $0.value = $1 },
    ]
}
