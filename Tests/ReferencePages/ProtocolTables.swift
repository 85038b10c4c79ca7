import HapticService
// SPDX-License-Identifier: MIT
import HapticText
import HapticWire

/// docs/protocol.md: lists of methods, notifications and errors, and one table for each object of the wire.
extension Tables {
    static var ofProtocol: Tables {
        let notices = Notice.Kind.allCases.map { Subject("notice.\($0.rawValue)", title: $0.rawValue, $0.content.description) }
        let others =
            [Subject("inputs", common)] + Methods.calls.flatMap { subjects(of: $0) } + [Subject("error", WireError.description)]
        // A notification may have the content of a result, which then needs no table of its own.
        let own = others.filter { subject in
            !subject.members.isEmpty && !notices.contains { $0.members == subject.members }
        }
        return Tables(notation: .wire, subjects: own + notices) {
            ["methods": methodRows(linkedTo: $0), "notices": noticeRows(linkedTo: $0), "errors": errorRows]
        }
    }

    /// The members that every input has.
    private static let common = ReleaseParams.description

    private static func subjects(of call: any WireCall.Type) -> [Subject] {
        let params = call.description.filter { !(call is any InputParams.Type) || !common.contains($0) }
        let results = call.answer.alternatives.enumerated().map { index, kind in
            Subject(index == 0 ? "\(call.method).result" : "\(call.method).result.\(index + 1)", title: call.method, kind.members)
        }
        return [Subject("\(call.method).params", title: call.method, params)] + results
    }

    // MARK: Lists

    private static func methodRows(linkedTo parts: [Page.Part]) -> String {
        let rows = Methods.calls.map { call in
            // An input without members of its own has those of every input.
            let isPlain = call.description == common
            return [
                link(call.method, to: parts) { isPlain ? $0 == "inputs" : $0.hasPrefix("\(call.method).") }, call.summary,
            ]
        }
        return table(["method", "meaning"], rows)
    }

    private static func noticeRows(linkedTo parts: [Page.Part]) -> String {
        let rows = Notice.Kind.allCases.map { kind in
            [
                link(kind.rawValue, to: parts) { $0 == "notice.\(kind.rawValue)" },
                kind.topic.map { "`\($0.rawValue)`" } ?? "any", kind.summary,
            ]
        }
        return table(["notification", "topic", "meaning"], rows)
    }

    private static var errorRows: String {
        table(["code", "meaning"], ErrorCode.allCases.map { ["\($0.rawValue)", $0.summary] })
    }

    /// The name as code, linked to the heading of the first part whose name fits.
    private static func link(_ name: String, to parts: [Page.Part], where fits: (String) -> Bool) -> String {
        parts.first { fits($0.name) }.map { "[`\(name)`](#\($0.anchor))" } ?? "`\(name)`"
    }
}
