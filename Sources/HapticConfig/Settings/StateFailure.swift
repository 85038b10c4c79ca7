// SPDX-License-Identifier: MIT

/// Why what people set is not kept.
public enum StateFailure: Error, Hashable, Sendable {
    /// No folder is given, and none follows from the environment.
    case noPlace
    /// The folder is not one that this daemon can trust with what people set.
    case unusable(folder: String, why: String)
    /// Another daemon has it.
    case inUse(folder: String)
    /// A later version has written a file, which is left as it is.
    case newer(file: String, version: Int)
    /// A file may be whole, but cannot be read, and is left as it is.
    case unreadable(file: String, errno: Int32, message: String)
    /// What is set is longer than the file may be.
    case tooLong(most: Int)
    /// Nothing is stored by this daemon: it has read nothing, and what there is must not be lost.
    indirect case atStart(StateFailure)
    /// A call of the system failed.
    case system(String, path: String, errno: Int32, message: String)
}

extension StateFailure: CustomStringConvertible {
    /// What has happened, to what, and what to do.
    public var description: String {
        switch self {
        case .noPlace:
            "there is no folder to keep settings in, for neither $XDG_STATE_HOME nor $HOME is set; name one with --state DIR"
        case .unusable(let folder, let why): "the folder \(folder) is not used for settings: \(why)"
        case .inUse(let folder):
            "another hapticd keeps its settings in \(folder); stop that one, or give this one a folder of its own with --state DIR"
        case .newer(let file, let version):
            "\(file) is of a later hapticd (version \(version) of the format), so it is left as it is, and nothing of it is used; install that hapticd again, or move the file away"
        case .unreadable(let file, let code, let message):
            "\(file) cannot be read (\(message)), so it is left as it is, and nothing of it is used\(Self.advice(for: code))"
        case .tooLong(let most):
            "the settings are longer than \(most) bytes; take back some of the apps (`hapticctl strength --app NAME default`)"
        case .atStart(let failure): "\(failure), then restart hapticd"
        case .system(let call, let path, let code, let message): "\(call) of \(path) failed: \(message)\(Self.advice(for: code))"
        }
    }
}
