// SPDX-License-Identifier: MIT
import HapticJSON
import HapticWire
import TestSupport
import Testing

@Suite("The description of params")
struct DescriptionTests {
    /// What is wrong with a request of `method`.
    private func fault(_ method: HapticWire.Method, _ params: [String]) -> WireError? {
        let request = #"{"jsonrpc":"2.0","id":1,"method":"\#(method.rawValue)","params":{\#(params.joined(separator: ","))}}"#
        let message: Message? =
            switch ClientLine(Array((method == .transaction ? "[\(request)]" : request).utf8)) {
            case .single(let message): message
            case .batch(let messages): messages[0]
            case .unusable: nil
            }
        if case .failure(let error)? = message?.call { return error }
        return nil
    }

    private func given(_ members: [Member]) -> [String] { members.map { "\"\($0.name)\":\($0.kind.example())" } }

    @Test(
        "Every described member is read: it is accepted alone, and a wrong value is refused",
        arguments: Method.allCases)
    func everyMemberIsRead(method: HapticWire.Method) {
        for member in method.members {
            let others = method.members.filter { $0.isRequired && $0.name != member.name }
            let wrong = fault(method, given(others) + ["\"\(member.name)\":[[]]"])
            #expect(wrong?.data?.path == member.name)
            #expect(wrong?.message.contains("` must be ") == true, "\(member.name)")
            // Some go only with others, or in place of one another; they are known all the same.
            let right = fault(method, given(others + [member]))
            #expect(right?.message.contains("is not a member") != true)
            #expect(right?.message.contains("` must be ") != true)
        }
    }

    @Test("A request with every described member is valid", arguments: Method.allCases.filter { $0 != .cancel })
    func everything(method: HapticWire.Method) {
        // There are two ways to use several actuators, and a part of a pattern has no other member.
        for left in ["handOver", "staggerMs"] {
            let excluded: Set = left == "staggerMs" && method == .play ? [left, "from", "more"] : [left, "more"]
            let members = method.members.filter { method != .play || !excluded.contains($0.name) }
            #expect(fault(method, given(members)) == nil)
        }
    }

    @Test("A required member is described as required", arguments: Method.allCases)
    func required(method: HapticWire.Method) {
        for member in method.members where member.isRequired {
            let error = fault(method, given(method.members.filter { $0.name != member.name }))
            #expect(error?.message.hasPrefix("`\(member.name)` is missing; it must be ") == true)
        }
        if method != .cancel && method != .prepare && !method.members.contains(where: \.isRequired) {
            #expect(fault(method, []) == nil)
        }
    }

    @Test("Every member has a name of its own, and says what it means", arguments: Method.allCases)
    func summaries(method: HapticWire.Method) {
        #expect(Set(method.members.map(\.name)).count == method.members.count)
        for member in method.members {
            #expect(!member.summary.isEmpty, "\(member.name)")
            #expect(!member.summary.contains("\n"), "\(member.name)")
        }
    }
}
