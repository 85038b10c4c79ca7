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
    /// What is being felt fades out within `Scheduler.gracefulFade`; nothing new begins.
    case graceful
    /// Off at once.
    case immediate
}
