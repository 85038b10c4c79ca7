// SPDX-License-Identifier: MIT
internal import Glibc
public import HapticCore

/// How bright a light has to be to look as bright as it is meant. Pure.
enum LEDBrightness {
    /// The value for `brightness` that looks like `intensity`, from 0 to `maximum`, which is 1 or more. Any on shows at least 1.
    ///
    /// By CIE 1976 lightness (CIE 15:2004, 8.2.1.1, which goes back to CIE 1931's luminance), as the kernel's pwm_bl.c does for
    /// backlights. Not a plain power of 2.2, which is so flat near 0 that a tenth of its steps would not be seen.
    static func value(_ intensity: Intensity, maximum: Int) -> Int {
        guard intensity.value > 0 else { return 0 }
        // trap: a luminance of at most 1 of the kernel's `max_brightness`, which has 32 bits.
        return min(max(Int((luminance(intensity.value) * Double(maximum)).rounded()), 1), maximum)
    }

    /// The share of the full luminance that looks like this share of the full lightness.
    static func luminance(_ share: Double) -> Double {
        let lightness = 100 * share
        // κ = 24389 / 27 is the slope of the linear part, which ends at a lightness of 8.
        guard lightness > 8 else { return lightness * 27 / 24_389 }
        return pow((lightness + 16) / 116, 3)
    }
}

/// The colour of a light with several channels: one for all that it shows, for sharpness is not seen. Pure.
public struct LEDColour: Hashable, Sendable {
    /// Shares of what each channel can do.
    public var red: Share
    public var green: Share
    public var blue: Share

    public init(red: Share, green: Share, blue: Share) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// 0xRRGGBB.
    public init(rgb: UInt32) {
        func share(_ shift: UInt32) -> Share { Share(clamping: Double(rgb >> shift & 0xff) / 255) }
        self.init(red: share(16), green: share(8), blue: share(0))
    }

    /// What the channel of this name (of `multi_index`, leds-class-multicolor.rst) shows of the colour; one that is no part of it
    /// shows nothing.
    private func share(of channel: String) -> Share {
        switch channel {
        case "red": red
        case "green": green
        case "blue": blue
        case "white": min(red, green, blue)
        default: .zero
        }
    }

    /// What `multi_intensity` is given; with no colour every channel in full, which is as white as the light can be.
    ///
    /// `limits`: the text of `multi_max_intensity`, of kernels that have it. Nil where the channels cannot be made out.
    static func intensities(_ colour: LEDColour?, index: String, limits: String?, maximum: Int) -> String? {
        let channels = words(index)
        guard !channels.isEmpty else { return nil }
        let maxima = limits.map { words($0).compactMap { Int($0) } } ?? []
        return channels.enumerated().map { index, channel in
            let most = index < maxima.count ? maxima[index] : maximum
            return "\(colour.map { Int(($0.share(of: channel).value * Double(most)).rounded()) } ?? most)"
        }.joined(separator: " ")
    }

    static func words(_ text: String) -> [String] { text.split(whereSeparator: \.isWhitespace).map(String.init) }
}

/// What makes a light shine when no program does. Pure.
enum LEDTrigger {
    static let none = "none"

    /// The one in force out of the text of `trigger`, such as `none timer [heartbeat]`; nil where none is marked.
    static func current(_ text: String) -> String? {
        LEDColour.words(text).first { $0.hasPrefix("[") && $0.hasSuffix("]") }.map { String($0.dropFirst().dropLast()) }
    }
}
