// SPDX-License-Identifier: MIT
import CLinux

// In a file of their own, because whoever imports CLinux has the kernel's types from there and not from Glibc.

/// `clinux_spawn_beside`.
func spawnBeside(_ arguments: [UnsafeMutablePointer<CChar>?], mask: UnsafeRawPointer, ignoresPipe: Bool) -> Int32 {
    clinux_spawn_beside(arguments, mask, ignoresPipe ? 1 : 0)
}

/// `clinux_signal_descriptor`.
func signalDescriptor(mask: UnsafeRawPointer) -> Int32 { clinux_signal_descriptor(mask) }
