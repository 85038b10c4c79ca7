// SPDX-License-Identifier: MIT
import HapticCore
import HapticPatterns
import Testing

@Suite("The outline of a pattern")
struct OutlineTests {
    private func outline(_ tracks: Pattern.Track...) throws -> Outline {
        Outline(Timeline(try Pattern(name: "x", tracks: tracks)))
    }

    private func keyframe(_ milliseconds: Int64, _ intensity: Double, _ curve: Easing = .linear) -> Keyframe {
        Keyframe(
            at: .milliseconds(milliseconds), intensity: Intensity(clamping: intensity), sharpness: Sharpness(clamping: 0.5),
            curve: curve)
    }

    private func words(_ outline: Outline) -> String {
        outline.points.map { "\($0.offset) \($0.level.intensity.value)" }.joined(separator: ", ")
    }

    @Test("A tap is a jump up and a jump down, with the silence around it")
    func tap() throws {
        let tap = HapticEvent(at: .milliseconds(10), kind: .transient, intensity: Intensity(clamping: 0.5), sharpness: .one)
        let end = Pattern.Track.keyframes([keyframe(0, 0), keyframe(40, 0)])
        #expect(words(try outline(.events([tap]), end)) == "0ns 0.0, 10ms 0.0, 10ms 0.5, 18ms 0.5, 18ms 0.0, 40ms 0.0")
    }

    @Test("A glide is a line through its frames, and a held level stays until it jumps")
    func glide() throws {
        let frames = [keyframe(0, 0.2), keyframe(20, 1), keyframe(60, 0.5, .step), keyframe(80, 0, .step)]
        let expected = "0ns 0.0, 0ns 0.2, 5ms 0.4, 10ms 0.6, 15ms 0.8, 20ms 1.0, 60ms 1.0, 60ms 0.5, 80ms 0.5, 80ms 0.0"
        #expect(words(try outline(.keyframes(frames))) == expected)
    }

    @Test("A jump within a sum that glides is a jump, and a fast glide is none")
    func jumpInSum() throws {
        let glide = Pattern.Track.keyframes([keyframe(0, 0.1), keyframe(40, 0.5)])
        let step = Pattern.Track.keyframes([keyframe(0, 0), keyframe(20, 0.3, .step), keyframe(30, 0.3, .linear)])
        let sum = words(try outline(glide, step))
        #expect(sum.contains("15ms 0.25, 20ms 0.25, 20ms 0.6, 25ms 0.65, 30ms 0.65, 30ms 0.4, 35ms 0.45"), "\(sum)")
        let fast = try outline(.keyframes([keyframe(0, 0.1), keyframe(20, 0.9, .easeOut), keyframe(60, 0.2, .easeInOut)]))
        let jumps = zip(fast.points, fast.points.dropFirst()).filter { $0.offset == $1.offset }
        #expect(jumps.map(\.0.offset) == [.zero, .milliseconds(60)], "\(words(fast))")
    }

    @Test(
        "The longest pattern with the most entries has no more points than allowed, from start to end, with its peak")
    func most() throws {
        let taps = (0..<1024).map { number in
            HapticEvent(
                at: .milliseconds(Int64(number) * 58), kind: .transient, intensity: Intensity(clamping: number == 700 ? 1 : 0.5),
                sharpness: .zero)
        }
        let frames = (0..<1024).map { keyframe(Int64($0) * 58 + 20, Double($0 % 2) / 4) }
        let timeline = Timeline(try Pattern(name: "x", tracks: [.events(taps), .keyframes(frames)]))
        #expect(timeline.frames.count > Outline.mostPoints)
        let outline = Outline(timeline)
        #expect(outline.points.count <= Outline.mostPoints)
        #expect(outline.points.count > Outline.mostPoints / 2)
        #expect(outline.points.first?.offset == .zero)
        #expect(outline.points.last?.offset == timeline.duration)
        #expect(outline.points.contains { $0.level.intensity == .one })
        #expect(Outline(points: outline.points) == outline, "they ascend")
    }

    @Test("Points that no pattern has are refused")
    func refused() {
        func point(_ offset: Nanoseconds) -> Outline.Point { .init(offset: offset, level: .off) }
        let most = [Outline.Point](repeating: point(.zero), count: Outline.mostPoints)
        #expect(Outline(points: most) != nil)
        #expect(Outline(points: most + [point(.zero)]) == nil)
        #expect(Outline(points: [point(.seconds(60))]) != nil)
        #expect(Outline(points: [point(.seconds(61))]) == nil)
        #expect(Outline(points: [point(.milliseconds(2)), point(.milliseconds(1))]) == nil)
        #expect(Outline(points: [point(Nanoseconds(-1))]) == nil)
    }
}
