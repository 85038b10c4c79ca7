// SPDX-License-Identifier: MIT
private import Glibc
internal import HapticBackends
internal import HapticConfig
internal import HapticCore
private import HapticEngine
internal import HapticPlanning
private import HapticText
private import HapticYAML
private import Synchronization

/// A file that lists the outputs of a daemon that would keep their levels without it, and those of earlier daemons that are not
/// known to be off. It decides what is switched off after a daemon was killed, because the configuration may be another by then.
/// It has the form of a configuration with these actuators and nothing else.
///
/// An output leaves it only by `switchOff`, which has seen it off.
struct DrivenOutputs: Sendable {
    let path: String
    /// Those whose devices may be in it.
    var backends = Backends.all

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// 64 actuators with names of 128 bytes, each written as 10, have room.
    static let mostBytes = 256 * 1024
    /// As many as a configuration may have.
    private static let most = 64
    /// One change at a time: devices are opened on threads of their own, and the first of them has this written.
    private static let turn = Mutex(())
    /// What an output has at least to be switched off.
    static let shortestSwitchOff = Nanoseconds.milliseconds(500)

    /// Adds the outputs of `actuators`. Where they cannot be written the file is removed, unless it alone knows of another
    /// output: a file that lacks an output is worse than none, because without a file the configuration counts.
    func write(_ actuators: [ActuatorConfiguration]) throws(Failure) {
        try Self.turn.withLock { (_) throws(Failure) -> Void in
            // What cannot be read is worth nothing, and whoever read it before has said so.
            let former = Self.others((try? read()) ?? [], than: actuators)
            do throws(Failure) {
                try replace(Self.named(actuators + former))
            } catch {
                if former.isEmpty { remove() }
                throw error
            }
        }
    }

    /// Of what is in it, what none of these drives.
    func others(than actuators: [ActuatorConfiguration]) throws(Failure) -> [ActuatorConfiguration] {
        Self.others(try read() ?? [], than: actuators)
    }

    /// Switches off the outputs in the file that none of `actuators` drives, until `end` at most, and takes out those that are
    /// off. Returns a sentence for each that is not.
    func switchOff(besides actuators: [ActuatorConfiguration], by end: MonotonicInstant) -> [String] {
        do throws(Failure) {
            return try Self.turn.withLock { (_) throws(Failure) -> [String] in
                guard let all = try read() else { return [] }
                let others = Self.others(all, than: actuators)
                let failures = SwitchOff.failures(of: BoardConfiguration.leftovers(others), by: end)
                let off = Self.others(others, than: failures.map(\.output.actuator))
                if !off.isEmpty { try replace(Self.others(all, than: off)) }
                return failures.map(\.description)
            }
        } catch {
            return ["\(error)"]
        }
    }

    private static func others(
        _ all: [ActuatorConfiguration], than actuators: [ActuatorConfiguration]
    ) -> [ActuatorConfiguration] {
        let devices = Set(actuators.compactMap(\.backend.device))
        return all.filter { $0.backend.device.map { !devices.contains($0) } ?? true }
    }

    /// As one configuration may have them: at most so many, and each with a name of its own, which an earlier one loses.
    private static func named(_ actuators: [ActuatorConfiguration]) -> [ActuatorConfiguration] {
        var names = Set(actuators.map(\.name))
        var taken: Set<String> = []
        return actuators.filter { line($0) != nil }.prefix(most).map { actuator in
            var actuator = actuator
            if !taken.insert(actuator.name).inserted {
                var number = 1
                while !names.insert("former-\(number)").inserted { number += 1 }
                actuator.engine.name = "former-\(number)"
            }
            return actuator
        }
    }

    /// As a whole or not at all. No file where there is nothing.
    private func replace(_ actuators: [ActuatorConfiguration]) throws(Failure) {
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
        throw Failure(
            description:
                "what is driven could not be written down in \(path) (\(String(cString: strerror(error)))), so should hapticd be killed `hapticd --switch-off` goes by the configuration; see that there is room and that hapticd may write there"
        )
    }

    private static let remedy = "see that the outputs are off, then remove it"

    /// Nil where there is no such file. The file is not trusted: nobody else may have written it, or it is not read.
    func read() throws(Failure) -> [ActuatorConfiguration]? {
        do {
            guard let bytes = try FileAccess.ownFile(path, limit: Self.mostBytes) else { return nil }
            return try Configuration.read(yaml: bytes, file: path, files: .none, backends: backends).actuators
        } catch let failure as FileAccess.Failure {
            throw Failure(
                description: "\(path), where hapticd wrote down what it drives, cannot be used: \(failure.reason); \(Self.remedy)"
            )
        } catch let document as InvalidDocument {
            let first = document.diagnostics.first?.description ?? "it is not as hapticd writes it"
            throw Failure(
                description: "\(path), where hapticd wrote down what it drives, cannot be used: \(first); \(Self.remedy)")
        } catch {
            throw Failure(description: "\(path) cannot be read: \(error); \(Self.remedy)")
        }
    }

    var exists: Bool { access(path, F_OK) == 0 }

    func remove() { unlink(path) }

    // MARK: The text

    /// Nil for what goes off by itself.
    private static func line(_ actuator: ActuatorConfiguration) -> String? {
        actuator.backend.leftover.map { output in
            let kind = type(of: actuator.backend)
            let keys = [.init("name", .text(actuator.name)), .init("backend", .word(kind.name))] + output.keys
            return "  - \(ConfigurationKey.Value.keys(keys).yaml)\n"
        }
    }
}

extension FileAccess {
    /// For a document that names no files.
    fileprivate static let none = FileAccess(
        read: { _, _ throws(Failure) in throw Failure("no file is read here") },
        directory: { _ throws(Failure) in throw Failure("no directory is read here") })
}
