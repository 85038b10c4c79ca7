// SPDX-License-Identifier: MIT
package import HapticCore
package import HapticText

extension Form where Value == Text {
    /// The path, the name or the label of a chip. A bare number is none of them: the number is part of the name.
    ///
    /// - Parameter kernelName: The kernel's name of such a chip, without its number: `gpiochip`.
    package static func chip(named kernelName: String) -> Self {
        let name = Form<Text>.name()
        let pattern = #"^(?! *[0-9]+ *$)[^\u0000-\u001f\u007f]{1,128}$"#
        return Form(.textLike("\(kernelName)0", pattern: pattern)) { reader in
            let number: String? =
                switch reader.node.content {
                case .number(let number): reader.shown(number)
                case .string(let text) where isOfDigits(trimmed(text.string)): text.string
                case .null, .bool, .integer, .string, .list, .object, .invalid: nil
                }
            guard let number else { return name.read(reader) }
            let digits = trimmed(number)
            let index = isOfDigits(digits) && digits.utf8.count <= mostDigits ? Int(digits) : nil
            let meant = index.map { "; did you mean `\(kernelName)\($0)`?" } ?? ""
            reader.fail("a chip is a path, a name or a label, not the number \(quoted(number))\(meant)")
            return nil
        }
    }

    /// A number with more digits is not suggested as part of a name.
    private static var mostDigits: Int { 9 }

    /// The text without the spaces around it.
    private static func trimmed(_ text: String) -> String {
        let space = UInt8(ascii: " ")
        let start = text.utf8.drop { $0 == space }
        let end = start.lastIndex { $0 != space }.map { start.index(after: $0) } ?? start.startIndex
        return String(Substring(start[..<end]))
    }

    private static func isOfDigits(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
