// SPDX-License-Identifier: MIT
import HapticCore
import HapticText
import TestSupport
import Testing

@testable import HapticService
@testable import HapticWire

@Suite("The description of params")
struct DescriptionTests {
    /// What is wrong with a request of `method`.
    private func fault(_ method: String, _ params: [String]) -> WireError? {
        let request = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{\#(params.joined(separator: ","))}}"#
        let message: Message? =
            switch ClientLine(Array((method == TransactionParams.method ? "[\(request)]" : request).utf8)) {
            case .single(let message): message
            case .batch(let messages): messages[0]
            case .unusable: nil
            }
        guard case .failure(let error)? = message.map({ Request($0) })?.call else { return nil }
        return error
    }

    private static let names = Methods.all.map { $0.method }

    private func members(of method: String) -> [Member] { Methods.named(Text(method))?.description ?? [] }

    private func given(_ members: [Member]) -> [String] { members.map { "\"\($0.name)\":\($0.kind.example())" } }

    @Test(
        "Every described member is read: it is accepted alone, and a wrong value is refused",
        arguments: Self.names)
    func everyMemberIsRead(method: String) {
        for member in members(of: method) {
            let others = members(of: method).filter { $0.isRequired && $0.name != member.name }
            let wrong = fault(method, given(others) + ["\"\(member.name)\":[[]]"])
            #expect(wrong?.data?.path == member.name)
            #expect(wrong?.message.contains("` must be ") == true, "\(member.name)")
            // Some go only with others, or in place of one another; they are known all the same.
            let right = fault(method, given(others + [member]))
            #expect(right?.message.contains("is not a member") != true)
            #expect(right?.message.contains("` must be ") != true)
        }
    }

    @Test("A request with every described member is valid", arguments: Self.names.filter { $0 != CancelParams.method })
    func everything(method: String) {
        // There are two ways to use several actuators, and a part of a pattern has no other member.
        for left in ["handOver", "staggerMs"] {
            let excluded: Set = left == "staggerMs" && method == PlayParams.method ? [left, "from", "more"] : [left, "more"]
            let members = members(of: method).filter { method != PlayParams.method || !excluded.contains($0.name) }
            #expect(fault(method, given(members)) == nil)
        }
    }

    @Test("A required member is described as required", arguments: Self.names)
    func required(method: String) {
        for member in members(of: method) where member.isRequired {
            let error = fault(method, given(members(of: method).filter { $0.name != member.name }))
            #expect(error?.message.hasPrefix("`\(member.name)` is missing; it must be ") == true)
        }
        if ![CancelParams.method, PrepareParams.method].contains(method) && !members(of: method).contains(where: \.isRequired) {
            #expect(fault(method, []) == nil)
        }
    }

    @Test("Every member has a name of its own, and says what it means", arguments: Self.names)
    func summaries(method: String) {
        #expect(Set(members(of: method).map(\.name)).count == members(of: method).count)
        for member in members(of: method) {
            #expect(!member.summary.isEmpty, "\(member.name)")
            #expect(!member.summary.contains("\n"), "\(member.name)")
        }
    }
}
