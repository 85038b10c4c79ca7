// SPDX-License-Identifier: MIT
public import HapticCore

extension NodeReader {
    /// A number in 0…1, or in a file also `40%`.
    public func unitValue<Meaning>(_: UnitValue<Meaning>.Type = UnitValue<Meaning>.self) -> UnitValue<Meaning>? {
        let example = notation == .units ? ", such as `0.4` or `40%`" : ""
        switch node.content {
        case .number(let number):
            if let value = UnitValue<Meaning>(number) { return value }
            let meant = percentAsShare(number).map { notation == .units ? "\(plainText(number))%" : $0 }
            let hint = meant.map { "; did you mean `\($0)`?" } ?? ""
            fail("\(shown(number)) is out of range; write a share from 0 to 1\(example)\(hint)")
        case .string(let text) where notation == .units:
            if let value = UnitValue<Meaning>(shareText: text.string) { return value }
            failExpected("a share from 0 to 1\(example)")
        case .string(let text): failExpected("a share from 0 to 1", didYouMean: textAsShare(text.string))
        case .null, .bool, .integer, .list, .object, .invalid: failExpected("a share from 0 to 1\(example)")
        }
        return nil
    }

    /// A number from 0 to 1.5, or in a file also `80%`.
    public func strength() -> Strength? {
        let allowed = "a strength from 0 to 1.5" + (notation == .units ? ", such as `0.8` or `80%`" : "")
        switch node.content {
        case .number(let number):
            if let strength = Strength(number) { return strength }
            let isPercent = notation == .units && (2...150).contains(number) && number == number.rounded()
            let hint = isPercent ? "; did you mean `\(plainText(number))%`?" : ""
            fail("\(shown(number)) is out of range; write \(allowed)\(hint)")
        case .string(let text) where notation == .units:
            if let strength = Strength(percentText: text.string) { return strength }
            failExpected(allowed)
        case .null, .bool, .integer, .string, .list, .object, .invalid: failExpected(allowed)
        }
        return nil
    }
}
