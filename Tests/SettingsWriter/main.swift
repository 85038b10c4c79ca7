// SPDX-License-Identifier: MIT
// Usage: settings-writer load FOLDER
//        settings-writer keep FOLDER PERCENT [CALL ERRNO]
//
// Stops itself (SIGSTOP) before that if it is `load`, and before it writes if it is `keep`. There each call of the system of the kind
// CALL fails with ERRNO (`cprograms_refuse`). Status 0: done. 3: it could not be written, and why is on standard error.
import CPrograms
import Glibc
import HapticCore
import HapticSettings

let arguments = CommandLine.arguments
let isKeeping = arguments[1] == "keep"
if !isKeeping { raise(SIGSTOP) }
let store = try SettingsStore(arguments[2], makesParents: false)
_ = store.load()
if isKeeping {
    let strength = Strength(Double(arguments[3])! / 100)
    let settings = StoredSettings(Settings(strength: strength, off: .forGood), at: .zero, wall: .first)
    if arguments.count > 4 {
        precondition(cprograms_refuse(CChar(bitPattern: arguments[4].utf8.first!), Int32(arguments[5])!) == 0)
    } else {
        raise(SIGSTOP)
    }
    do throws(StateFailure) {
        try store.keep(settings)
    } catch {
        let text = Array("\(error)".utf8)
        write(STDERR_FILENO, text, text.count)
        exit(3)
    }
}
