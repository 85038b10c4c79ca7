// SPDX-License-Identifier: MIT
private import Glibc
internal import HapticConfig
private import HapticFormats

/// What a daemon drives that would keep its level without it, in a file beside its socket for as long as it does: who switches off after a daemon that was
/// killed goes by it, for the configuration may be another by then. It has the form of a configuration with these actuators and nothing else.
struct DrivenOutputs: Sendable {
    let path: String

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// 64 actuators with names of 128 bytes, each written as 10, have room.
    static let mostBytes = 256 * 1024

    /// Takes the place of what was there before, as a whole or not at all. No file where nothing has to be switched off, or where it cannot be written:
    /// what an earlier daemon had would be worse than nothing.
    func write(_ actuators: [ActuatorConfiguration]) throws(Failure) {
        let lines = actuators.compactMap(Self.line)
        guard !lines.isEmpty else { return remove() }
        let text = Array("version: 1\nactuators:\n\(lines.joined())".utf8)
        let new = path + ".new"
        unlink(new)
        let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        var error = errno
        if file >= 0 {
            let written = Glibc.write(file, text, text.count)
            // A part is written where there is no room for all.
            error = written == text.count ? 0 : written < 0 ? errno : ENOSPC
            if close(file) != 0, error == 0 { error = errno }
            if error == 0, rename(new, path) != 0 { error = errno }
            if error == 0 { return }
            unlink(new)
        }
        remove()
        throw Failure(
            description:
                "what is driven could not be written down in \(path) (\(String(cString: strerror(error)))), so should hapticd be killed `hapticd --switch-off` goes by the configuration; see that there is room and that hapticd may write there"
        )
    }

    /// Nil where there is no such file. The file is not trusted: it is this user's or root's, or it is not read.
    func read() throws(Failure) -> [ActuatorConfiguration]? {
        do {
            guard let bytes = try FileAccess.ownFile(path, limit: Self.mostBytes) else { return nil }
            return try Configuration.read(yaml: bytes, file: path, files: .none).actuators
        } catch let failure as FileAccess.Failure {
            throw Failure(description: "\(path), where hapticd wrote down what it drives, cannot be used: \(failure.reason)")
        } catch let document as InvalidDocument {
            let first = document.diagnostics.first?.description ?? "it is not as hapticd writes it"
            throw Failure(description: "\(path), where hapticd wrote down what it drives, cannot be used: \(first)")
        } catch {
            throw Failure(description: "\(path) cannot be read: \(error)")
        }
    }

    func remove() { unlink(path) }

    // MARK: The text

    /// Nil for what goes off by itself. How it is driven is left out where switching off does not need it.
    private static func line(_ actuator: ActuatorConfiguration) -> String? {
        let device: String
        switch actuator.backend {
        case .gpio(let gpio):
            let line =
                switch gpio.line {
                case .offset(let offset): "\(offset)"
                case .name(let name): quoted(name)
                }
            device = "gpio, chip: \(quoted(gpio.chip)), line: \(line), activeLow: \(gpio.activeLow)"
        case .pwm(let pwm): device = "pwm, chip: \(quoted(pwm.chip)), channel: \(pwm.channel), frequency: 200Hz"
        case .led(let led): device = "led, led: \(quoted(led.name))"
        case .evdev, .simulated: return nil
        }
        return "  - { name: \(quoted(actuator.name)), backend: \(device) }\n"
    }

    /// In double quotes, with all but plain ASCII as numbers.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case " "..."~": quoted.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\U" + String(repeating: "0", count: 8 - digits.utf8.count) + digits
            }
        }
        return quoted + "\""
    }
}

extension FileAccess {
    /// For a document that names no files.
    fileprivate static let none = FileAccess(
        read: { _, _ throws(Failure) in throw Failure("no file is read here") },
        directory: { _ throws(Failure) in throw Failure("no directory is read here") })
}
