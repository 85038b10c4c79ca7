// SPDX-License-Identifier: MIT
import CLinux

/// `clinux_spawn_beside`. In a file of its own, for whoever imports CLinux has the kernel's types from there and not from Glibc.
func spawnBeside(_ arguments: [UnsafeMutablePointer<CChar>?], mask: UnsafeRawPointer, ignoresPipe: Bool) -> Int32 {
    clinux_spawn_beside(arguments, mask, ignoresPipe ? 1 : 0)
}
