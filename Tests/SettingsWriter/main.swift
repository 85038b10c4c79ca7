// SPDX-License-Identifier: MIT
// Usage: settings-writer load FOLDER [CALL ERRNO]
//        settings-writer keep FOLDER PERCENT [CALL ERRNO]
//
// Stops itself (SIGSTOP) before that if it is `load`, and before it writes if it is `keep`; or each call of the system of the kind
// CALL fails with ERRNO from there on (`cprograms_refuse`), and `load` says on standard error what was damaged. Status 0: done. 3: it
// could not be written, and why is on standard error.
import CPrograms
import Glibc
import HapticConfig
import HapticCore

let arguments = CommandLine.arguments
let isKeeping = arguments[1] == "keep"
let refused = arguments.dropFirst(isKeeping ? 4 : 3)

func stopOrRefuse() {
    guard let call = refused.first?.utf8.first, let error = refused.last.flatMap({ Int32($0) }) else {
        raise(SIGSTOP)
        return
    }
    precondition(cprograms_refuse(CChar(bitPattern: call), error) == 0)
}

func say(_ text: String) {
    let bytes = Array(text.utf8)
    write(STDERR_FILENO, bytes, bytes.count)
}

if !isKeeping { stopOrRefuse() }
// A program that another test starts has our lock for a moment, too.
let store = try SettingsStore(arguments[2], makesParents: false, patience: .seconds(30))
let damage = store.load().damage
if !isKeeping, !refused.isEmpty { say(damage.joined(separator: "; ")) }
if isKeeping {
    let strength = Strength(Double(arguments[3])! / 100)
    let settings = StoredSettings(Settings(strength: strength, off: .forGood), at: .zero, wall: .first)
    stopOrRefuse()
    do throws(StateFailure) {
        try store.keep(settings)
    } catch {
        say("\(error)")
        exit(3)
    }
}
