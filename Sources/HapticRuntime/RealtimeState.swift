// SPDX-License-Identifier: MIT
private import Glibc

/// What the executor asked the kernel for, and what it was given. Without it everything works, only later under load.
public struct RealtimeState: Hashable, Sendable {
    public enum Answer: Hashable, Sendable {
        case notAskedFor
        case granted
        case refused(errno: Int32)
    }

    /// SCHED_FIFO.
    public var scheduling: Answer
    /// Memory that is never paged out.
    public var memory: Answer
    /// A processor of its own choice.
    public var pinning: Answer

    public init(scheduling: Answer, memory: Answer, pinning: Answer) {
        self.scheduling = scheduling
        self.memory = memory
        self.pinning = pinning
    }

    /// A sentence for each thing that was refused: what, why, what to do. Empty where all is well.
    public var remedies: [String] {
        var sentences: [String] = []
        if case .refused(let errno) = scheduling {
            sentences.append(
                "no real-time priority for the executor (\(text(errno))), so feedback may come late under load; "
                    + "give the service CAP_SYS_NICE or LimitRTPRIO= of at least realtime.priority, as the packaged hapticd.service has"
            )
        }
        if case .refused(let errno) = memory {
            sentences.append(
                "memory could not be locked (\(text(errno))), so feedback may come late after a quiet time; "
                    + "set LimitMEMLOCK=infinity in the service, as the packaged one has, or realtime.lockMemory: false")
        }
        if case .refused(let errno) = pinning {
            sentences.append(
                "the executor could not be kept on its processor (\(text(errno))), so it runs on any; "
                    + "set realtime.cpu to one of those that `nproc --all` counts, from 0, or leave it out")
        }
        return sentences
    }

    private func text(_ errno: Int32) -> String { String(cString: strerror(errno)) }
}
