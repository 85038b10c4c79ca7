// SPDX-License-Identifier: MIT
import HapticCore
import HapticEngine
import HapticRuntime

/// What happens, in words, for whoever has to find out why a seed failed.
extension World {
    mutating func tellStory() { story = [] }

    mutating func tell(_ text: @autoclosure () -> String) {
        guard story != nil else { return }
        story!.append("\(now) \(text())")
    }

    static func text(_ action: EngineAction) -> String {
        switch action {
        case .ended(let end): "ended \(end.playback.value): \(end.ending) \(end.reason.map { "\($0)" } ?? "") at \(end.at)"
        case .interruption(let what): "\(what.state) \(what.playback.value)"
        case .actuate(let actuation):
            "planned motor \(actuation.actuator.value) at \(actuation.level.intensity.value), drive \(actuation.drive.value), for \(actuation.planned), playback \(actuation.playback.value)"
        case .held(let change): "\(change.state.rawValue) \(change.id) at \(change.value.value)"
        case .revoke(let playback, let actuator, let from, _): "revoked \(playback.value) on motor \(actuator.value) from \(from)"
        }
    }

    static func text(_ item: BatchItem) -> String {
        switch item {
        case .input(let input):
            let what: String
            switch input.kind {
            case .play(let play):
                let motors = play.actuators.map { "\($0.map(\.value))" } ?? "all"
                let spread = play.spread.map { ", \($0)" } ?? ""
                what = "plays \(play.pattern.name), \(play.intensity.value), on \(motors)\(spread)"
            case .release: what = "releases"
            case .progress: what = "goes on"
            case .event(let event): what = "says \(event.name)"
            case .present(let present): what = "has \(present.ids.count) things of \(present.name)"
            case .hold(let hand): what = "holds, \(hand)"
            case .task(let state): what = "works, \(state.rawValue)"
            }
            return "user \(input.client.user) on \(input.client.connection) \(what) as \(input.id ?? "nobody")"
        case .cancel(let request): return "user \(request.client.user) cancels \(request.target), \(request.mode)"
        case .change(let change): return "\(change)"
        }
    }

    static func text(_ report: ExecutorReport) -> String {
        switch report {
        case .actuated(let actuation, _): "changed motor \(actuation.actuator.value) as planned for \(actuation.planned)"
        case .cutOff(let actuation, _): "the driver cut off motor \(actuation.actuator.value)"
        case .missed(let actuation, _): "left out for motor \(actuation.actuator.value) what was for \(actuation.planned)"
        case .abandoned(let actuation, _): "the leash of motor \(actuation.actuator.value) was over"
        case .faulted(let actuator, _, _): "motor \(actuator.value) failed"
        case .restored(let actuator, _): "motor \(actuator.value) is back"
        case .refused(let actuation): "no room for what motor \(actuation.actuator.value) is to do at \(actuation.planned)"
        }
    }
}
