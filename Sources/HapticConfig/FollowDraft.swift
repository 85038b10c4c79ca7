// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticEngine
internal import HapticText

/// How a rule's value is followed, while that is read.
struct FollowDraft {
    var response = FollowShape.standardSpring.response
    var dampingFraction = FollowShape.standardSpring.dampingFraction
    var detents: [Progress] = []
    var hysteresis: Double?
    var endStop: String? = "rigid"
    /// The keys that are there and make sense with steps only, or with a value that is followed only.
    var ofSteps: [(name: String, field: NodeReader)] = []
    var ofFollowing: [(name: String, field: NodeReader)] = []

    /// False where a key is there that makes no sense in this mode, which is then reported.
    func fits(_ mode: ProgressMode) -> Bool {
        if mode == .follow {
            for (name, field) in ofSteps {
                field.fail("`\(name)` is about steps, and with `mode: follow` there are none; leave it out")
            }
            return ofSteps.isEmpty
        }
        for (name, field) in ofFollowing {
            field.fail("`\(name)` is about `mode: follow`; give that mode, or leave it out")
        }
        return ofFollowing.isEmpty
    }

    /// Nil: no spring is like this.
    var shape: FollowShape? {
        Spring(response: response, dampingFraction: dampingFraction).map {
            FollowShape(spring: $0, detents: detents, hysteresis: hysteresis, endStop: endStop)
        }
    }

    private static let counts = 1...FollowShape.mostDetents

    /// A count, or a list of shares.
    static let detentsForm = Form<[Progress]>(
        .either([
            .integer(Int64(counts.lowerBound)...Int64(counts.upperBound)), .list(of: .share(isOpen: true), count: counts),
        ])
    ) { field in
        switch field.node.content {
        case .number: return field.integer(in: counts).map(FollowShape.even)
        case .list: break
        case .null, .bool, .integer, .string, .object, .invalid:
            field.failExpected("how many detents there are, or a list of where they are, such as `[0.25, 0.5, 0.75]`")
            return nil
        }
        guard let items = field.list(count: counts) else { return nil }
        var detents: [Progress] = []
        for item in items {
            guard let detent = item.unitValue(Progress.self) else { return nil }
            guard detent > detents.last ?? .zero, detent < .one else {
                item.fail("detents are ascending, and between 0 and 1; what is felt at the ends is `endStop`")
                return nil
            }
            detents.append(detent)
        }
        return detents
    }
}

extension Form {
    /// The same, and where it is.
    var placed: Form<(value: Value, field: NodeReader)> { then { ($0, $1) } }
}
