// SPDX-License-Identifier: MIT
internal import HapticFormats
public import HapticWire

extension OpenRPC {
    /// The whole document, with what a pattern object may be. `version`: of the daemon.
    public static func document(version: String) -> DiscoverResult {
        document(
            version: version, methods: Methods.calls, pattern: PatternReader.inlineSchema,
            patternPart: PatternReader.partSchema)
    }
}
