// SPDX-License-Identifier: MIT
import HapticConfig
import HapticCore
import HapticEngine
import HapticText

/// docs/configuration.md: one table for each object of the file, by its path. An object without a part of the page comes behind the
/// object that holds it.
extension Tables {
    static var ofConfiguration: Tables {
        let members = Configuration.members.united
        let variants = Configuration.members.flatMap { member in
            Variants(member.kind).map { variants in
                variants.names.map { Subject("\(member.name).\($0)", variants.own(of: $0).united) }
            } ?? []
        }
        let all = [Subject("keys", title: "", members)] + nested(in: members, path: "") + variants
        return Tables(notation: .units, subjects: all) { _ in ["classes.defaults": classRows] }
    }

    private static func nested(in members: [Member], path: String) -> [Subject] {
        members.flatMap { member -> [Subject] in
            let path = path + member.name
            return member.kind.objects.flatMap {
                [Subject(path, $0, hasPart: false)] + nested(in: $0, path: path + ".")
            }
        }
    }

    /// The policies that classes have by default.
    private static var classRows: String {
        let rows = FeedbackClass.allCases.map { name in
            let policy = ClassTable.standard[name]
            return [
                "`\(name.rawValue)`", "\(policy.priority)", policy.deadline.map { "\($0)" } ?? "none",
                policy.limitPerSecond.map { "\($0)/s" } ?? "none", words(for: policy.reduced), words(for: policy.quiet),
                words(for: policy.silent),
            ]
        }
        return table(["class", "`priority`", "`deadline`", "`limit`", "`reduced`", "`quiet`", "`silent`"], rows)
    }

    private static func words(for effect: ProfileEffect) -> String {
        switch effect {
        case .full: "full"
        case .half: "half"
        case .nothing: "nothing"
        case .pattern(let name): "`\(name)`"
        }
    }
}
