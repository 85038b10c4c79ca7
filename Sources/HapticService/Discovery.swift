// SPDX-License-Identifier: MIT
internal import HapticFormats
public import HapticJSON
public import HapticWire

extension OpenRPC {
    /// The whole document, with what a pattern object may be. `version`: of the daemon.
    public static func document(version: String) -> JSONValue {
        document(version: version, pattern: PatternReader.inlineSchema, patternPart: PatternReader.partSchema)
    }
}
