// SPDX-License-Identifier: MIT

/// What is to be stopped.
public enum CancelTarget: Hashable, Sendable, Codable {
    /// What the source with this id of the client's user is playing.
    case source(id: String)
    case playback(PlaybackID)
    case all
}

/// How it is stopped.
public enum CancelMode: String, CaseIterable, Hashable, Sendable, Codable {
    /// What is being felt fades out within 50 ms; nothing new begins.
    case graceful
    /// Off at once.
    case immediate
    /// An open phase that lasts until then ends, and the next one begins; nothing else is stopped.
    case advance
}

/// Whether a playback ends with its client.
public enum PlaybackEnds: String, CaseIterable, Hashable, Sendable, Codable {
    /// The playback outlives the connection.
    case itself
    /// The playback is cancelled gracefully when the connection closes.
    case client
}

/// Where a playback that begins on one actuator after the other does so first, in the order in which they are named.
public enum StaggerOrigin: String, CaseIterable, Hashable, Sendable, Codable {
    case first, last
    /// In the middle, and on both sides of it at once.
    case center
}
