// SPDX-License-Identifier: MIT
import HapticWire

/// The params of a call, as a line has them.
func params(_ call: some WireCall) -> String { String(decoding: WireWriter.params(call), as: UTF8.self) }
