// SPDX-License-Identifier: MIT

/// The most work of one client's line, in units of mostly 10 to 17 ns (one look at one entry of a pattern, on the machine of
/// `docs/performance.md`).
///
/// Each piece of work is taken from it before it is done: reading, rendering, deciding. Work that exceeds the rest is not begun. So
/// no line holds the event loop for longer than the whole, whatever is in it.
public struct WorkBudget: Hashable, Sendable {
    /// The budget of a line: mostly 6 to 10 ms, so that a whole line and the largest inline pattern fit together.
    public static let line = 600_000
    /// The most items of a batch.
    public static let mostItems = 256
    /// What one inline pattern may take of it: about 2 ms. A pattern file is rendered before anyone waits for it, and may take more.
    public static let inlinePattern = 200_000

    /// What pieces of work cost; each is what the worst of its kind takes, rounded up.
    public enum Cost {
        /// A byte of a line: read, checked, put in order.
        public static let byte = 6
        /// A message of it: looked up, answered.
        public static let message = 400
        /// A frame of a pattern, beside what sounds in it.
        package static let frame = 8
        /// An event or a keyframe's curve at one frame; a spring has exponentials and angles.
        package static let entry = 2
        package static let spring = 20
        /// An entry of a pattern that another one uses, put where it is played: the patterns of a line are put together before it is
        /// known what rendering them costs.
        public static let composedEntry = 40
        /// An entry of a pattern that comes in several parts: those of the last track with each part that may continue it, and all of them
        /// with the last part.
        package static let partEntry = 10
        /// A candidate that a name may have been meant for, and each pair of bytes that is compared then.
        public static let candidate = 40
        public static let comparison = 2
        /// A rule that is looked at.
        static let rule = 6
        /// A rule of a condition, each time that a client asserts one: it is looked up, and what is strictest is found, twice if a release
        /// follows.
        package static let conditionRule = 50
        /// An input, and each playback that it is held against.
        public static let input = 50
        public static let playback = 20
        /// The end of an open phase of a playback on all its actuators; and at most that of all playbacks, so that a short line can do it once.
        package static let advancedPlayback = 500
        package static let mostAdvances = 500_000
        /// An actuator that may play it: what it plays is taken from it, the new is looked at and begun.
        public static let actuator = 300
        /// A frame that is looked at for one actuator, and what it takes beside that to fit it to a motor, and to follow a motor's heat.
        public static let previewedFrame = 8
        package static let fittedFrame = 6
        package static let heatedFrame = 5
        package static func frame(isFitted: Bool, hasHeat: Bool) -> Int {
            previewedFrame + (isFitted ? fittedFrame : 0) + (hasHeat ? heatedFrame : 0)
        }
        /// To see whether a round of a repetition begins as another one did.
        package static let comparedRound = 60
        /// A frame that goes into an outline, and a point of the outline, which is written.
        package static let outlinedFrame = 4
        package static let outlinePoint = 100
        /// An event that was there lately, and that one in quiet hours is held against.
        package static let notedEvent = 2
        /// A thing of a set, looked up in the settled set: when it comes, or at the end if another connection has replaced that set.
        public static let thing = 10
        /// A decision of the history, which is written with its chain.
        package static let historyEntry = 2000
        /// Making and writing the status, and each actuator in it.
        package static let status = 16_000
        package static let statusActuator = 2000
        /// An app that has a strength, or is excepted from quiet hours, and each byte of its name; a quiet time, as so many apps.
        package static let namedSetting = 140
        package static let settingByte = 3
        package static let quietTime = 4
        /// All settings: as much as one line may have once, however many they are, for nobody could take them back else.
        package static let mostSettings = 500_000
    }

    public private(set) var left: Int

    public init(_ units: Int = Self.line) { left = units }

    /// What a line of so many bytes and messages has left once it has been read and answered.
    public init(lineOf bytes: Int, messages: Int = 1) { left = Self.line - bytes * Cost.byte - messages * Cost.message }

    /// False, and nothing is taken, where there is less left.
    public mutating func take(_ units: Int) -> Bool {
        guard units <= left else { return false }
        left -= units
        return true
    }
}
