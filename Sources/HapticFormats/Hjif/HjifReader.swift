// SPDX-License-Identifier: MIT
internal import HapticCore
internal import HapticJSON
internal import HapticPatterns

/// Reads HJIF, the interchange format of MPEG's haptics coding (ISO/IEC 23090-31), as MPEG's reference software has it
/// (`IOJson.cpp`; `Effect.cpp` for what an effect is over time): transients, vectorial waves, linear and cubic curves, references.
///
/// All channels of all perceptions that are vibrations are added up. Intensity is the amplitude, without its sign, times the channel's
/// `gain` and `mixing_coefficient`.
enum HjifReader {
    /// Nil where the document has been reported. `notes` gets what the pattern does not hold.
    static func pattern(
        _ reader: NodeReader, name: String, notes: DocumentReport, places: inout [EntryPlace]
    ) -> Pattern? {
        guard let file = HjifFile.form.read(reader) else { return nil }
        let most = reader.notation == .wire ? HjifMix.mostKeyframesOfLine : HjifMix.mostKeyframes
        var mix = HjifMix(timescale: file.timescale, mostKeyframes: most, notes: notes)
        var others = HjifFile.otherKeys
        others.note(in: reader, than: HjifFile.ownKind, to: notes)
        var isVibration = false
        for perception in file.perceptions {
            guard let modality = perception.modality, let channels = perception.channels else { return nil }
            guard let own = perception.reader, modality.string.begins(with: "Vibr") else {
                perception.reader?.note("left out: a perception that is no vibration but \(quoted(modality.string))", to: notes)
                continue
            }
            isVibration = true
            others.note(in: own, than: HjifPerception.form.kind, to: notes)
            // Nil: it has been reported.
            guard let library = library(perception.library, notes: notes), let channels = HjifFile.channels.read(channels) else {
                return nil
            }
            for channel in channels {
                guard mix.add(channel, library: library) else { return nil }
            }
        }
        guard isVibration else {
            reader.fail("none of its perceptions is of the modality `Vibrotactile`, so there is nothing to feel")
            return nil
        }
        places = mix.places
        return pattern(mix, reader, name: name, summary: file.summary)
    }

    private static func library(_ reader: NodeReader?, notes: DocumentReport) -> [Int: HjifEffect]? {
        guard let reader else { return [:] }
        guard let effects = HjifFile.effects.read(reader) else { return nil }
        var library: [Int: HjifEffect] = [:]
        for effect in effects {
            guard let id = effect.id else {
                effect.reader?.fail("an effect in `effect_library` needs an `id`, by which it is referred to")
                return nil
            }
            guard effect.kind == .basis else {
                effect.reader?.fail("an effect in `effect_library` is of the type `Basis`; write its keyframes here")
                return nil
            }
            guard library.updateValue(effect, forKey: id) == nil else {
                effect.reader?.fail("the id \(id) is there twice in this `effect_library`; give each effect its own")
                return nil
            }
        }
        return library
    }

    private static func pattern(_ mix: HjifMix, _ reader: NodeReader, name: String, summary: String) -> Pattern? {
        guard let vibrations = mix.lanes(atMost: Pattern.Limit.tracks) else {
            reader.fail(
                "more than \(Pattern.Limit.tracks) effects overlap somewhere; a pattern has at most \(Pattern.Limit.tracks) tracks"
            )
            return nil
        }
        let tracks =
            vibrations.flatMap { [Pattern.Track](keyframes: $0.keyframes, events: []) }
            + [Pattern.Track](keyframes: [], events: mix.taps)
        guard !tracks.isEmpty else {
            reader.fail("nothing in it is felt; add an effect with keyframes that last, or a transient")
            return nil
        }
        guard tracks.count <= Pattern.Limit.tracks else {
            reader.fail(
                "\(tracks.count) tracks come of it; a pattern has at most \(Pattern.Limit.tracks); leave out effects or keyframes"
            )
            return nil
        }
        do throws(PatternError) {
            return try Pattern(name: name, summary: summary, tracks: tracks)
        } catch {
            reader.fail("\(error)")
            return nil
        }
    }
}
