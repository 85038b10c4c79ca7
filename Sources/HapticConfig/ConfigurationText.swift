// SPDX-License-Identifier: MIT
public import HapticBackends
private import HapticYAML

extension ConfigurationKey {
    /// On one line, as a configuration has it: `chip: "pwmchip0"`.
    public var yaml: String { "\(name): \(value.yaml)" }
}

extension ConfigurationKey.Value {
    /// On one line, as a configuration has it. The keys of an object stand in braces.
    public var yaml: String {
        switch self {
        case .number(let number): "\(number)"
        case .flag(let flag): "\(flag)"
        case .word(let word): word
        case .text(let text): YAML.quoted(text)
        case .keys(let keys): "{ \(keys.map(\.yaml).joined(separator: ", ")) }"
        }
    }
}
