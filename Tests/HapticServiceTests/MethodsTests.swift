// SPDX-License-Identifier: MIT
import HapticCore
import HapticText
import Testing

@testable import HapticService
@testable import HapticWire

@Suite("All methods of the wire")
struct MethodsTests {
    private func checkMembers(_ object: (some WireObject).Type) {
        let members = object.description
        #expect(Set(members.map(\.name)).count == members.count, "\(object)")
        for member in members {
            #expect(!member.summary.isEmpty, "\(object).\(member.name)")
            #expect(member.summary.last != ".", "\(object).\(member.name)")
        }
    }

    private func checkResult<Result: WireResult>(_ type: Result.Type) throws {
        checkMembers(type)
        let line = WireWriter.answer(type.blank, to: .integer(1))
        guard case .answer(_, let answer) = try ServerLine(line.dropLast()) else {
            Issue.record("\(type) is no answer")
            return
        }
        #expect(try answer.result(as: type) == type.blank)
    }

    private func checkCall<Call: WireCall>(_ call: Call.Type) throws {
        checkMembers(call)
        #expect(!call.summary.isEmpty, "\(call.method)")
        #expect(call.summary.last != ".", "\(call.method)")
        try checkResult(Call.Result.self)
    }

    @Test("Each method describes its members, and its blank result is read as it was written")
    func calls() throws {
        for call in Methods.calls { try checkCall(call) }
    }

    @Test("Each notice describes its members, and its blank content is read as it was written")
    func notices() throws {
        func check<Content: WireResult>(_ type: Content.Type, _ kind: Notice.Kind) throws {
            checkMembers(type)
            let notice = try Notice(kind, JSONReader.node(WireWriter.result(type.blank)), of: "params")
            #expect(WireWriter.result(notice.content) == WireWriter.result(type.blank))
            #expect(notice.name == kind.rawValue)
        }
        for kind in Notice.Kind.allCases { try check(kind.content, kind) }
    }

    @Test("A result without one of its members is refused by its name, and other members are ignored")
    func strict() throws {
        let whole = try JSONReader.node(WireWriter.result(DecisionResult.blank))
        guard case .object(let members) = whole.content else { return #expect(Bool(false)) }
        for index in members.indices {
            var fewer = members
            let left = fewer.remove(at: index)
            let error = #expect(throws: WireError.self) { try DecisionResult(Node(.object(fewer)), of: "result") }
            #expect(error?.data?.path == "result.\(left.key)")
        }
        let more = members + [Node.Member(key: "new", value: Node(.bool(true)))]
        #expect(throws: Never.self) { try DecisionResult(Node(.object(more)), of: "result") }
    }

    @Test("Each result has a schema of its own in the document")
    func schemas() {
        guard case .array(let methods) = OpenRPC.document(version: "1").methods else { return #expect(Bool(false)) }
        #expect(methods.count == Methods.calls.count)
        for method in methods {
            let schema = method["result"]?["schema"]
            #expect(schema?["properties"] != nil || schema?["anyOf"] != nil, "\(method["name"] ?? .null)")
        }
    }

    @Test("An empty result is refused by the name of its first required member")
    func missing() throws {
        func check<Call: WireCall>(_ call: Call.Type) throws {
            guard let first = Call.Result.description.first(where: \.isRequired) else { return }
            let line = Array(#"{"jsonrpc":"2.0","id":1,"result":{}}"#.utf8)
            guard case .answer(_, let answer) = try ServerLine(line) else { return }
            let error = #expect(throws: WireError.self) { try answer.result(as: Call.Result.self) }
            #expect(error?.data?.path == "result.\(first.name)")
        }
        for call in Methods.calls { try check(call) }
    }
}
