import HapticService
// SPDX-License-Identifier: MIT
import HapticText
import Testing

@testable import HapticWire

@Suite("Members of the objects of the wire")
struct StoredMemberTests {
    @Test("Every member of params, results, notices, errors and their parts has an offset, except those that all inputs share")
    func stored() {
        var found: [any WireObject.Type] = []
        for call in Methods.calls {
            Self.find(call, into: &found)
            Self.find(call.resultType, into: &found)
        }
        for notice in Notice.Kind.allCases { Self.find(notice.content, into: &found) }
        Self.find(WireError.self, into: &found)
        #expect(found.count >= 50)
        #expect(found.flatMap { $0.computedMembers } == [])
    }

    @Test("A computed member has no offset, nor has a member beside it")
    func computed() {
        #expect(Halved.computedMembers == ["Halved.half"])
        #expect(Beside.computedMembers == ["Beside.half"])
    }

    /// Finds the objects of the wire in `type`.
    private static func find(_ type: Any.Type, into found: inout [any WireObject.Type]) {
        if let container = type as? any Container.Type { return find(container.content, into: &found) }
        guard let object = type as? any WireObject.Type, !found.contains(where: { $0 == object }) else { return }
        found.append(object)
        for child in Mirror(reflecting: object.blank).children { find(Swift.type(of: child.value), into: &found) }
    }

    private struct Halved: WireObject {
        var whole = 0.0
        var half: Double {
            get { whole / 2 }
            set { whole = newValue * 2 }
        }

        static let blank = Self()

        static let members: [WireMember<Self>] = [
            .required("whole", \.whole, .number, "stored"), .required("half", \.half, .number, "computed"),
        ]
    }

    private struct Beside: WireObject {
        var part = Halved()

        static let blank = Self()

        static let members: [WireMember<Self>] = Halved.members.map { $0.flattened(from: \.part) }
    }
}

extension WireCall {
    fileprivate static var resultType: any WireObject.Type { Result.self }
}

extension WireObject {
    fileprivate static var computedMembers: [String] {
        // Described once, in a protocol: their key paths pass its witnesses.
        let shared: Set = self is any InputParams.Type ? ["id", "app", "atNs", "deadlineMs", "feedback"] : []
        return members.filter { !$0.isStored && !shared.contains($0.member.name) }.map { "\(Self.self).\($0.member.name)" }
    }
}

/// A type whose values contain others.
private protocol Container {
    static var content: Any.Type { get }
}

extension Optional: Container { fileprivate static var content: Any.Type { Wrapped.self } }
extension Array: Container { fileprivate static var content: Any.Type { Element.self } }
extension Set: Container { fileprivate static var content: Any.Type { Element.self } }
extension Dictionary: Container { fileprivate static var content: Any.Type { Value.self } }
