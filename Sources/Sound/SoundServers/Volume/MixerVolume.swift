import Glibc

/// A volume on the scale of a mixer's slider.
struct MixerVolume: Hashable, Sendable {
    /// Loudest volume that is reported, as desktops limit amplification; servers accept more.
    static let limit = 400.0

    /// 100 is full volume, 0 silence.
    var percent: Double
    var isMuted: Bool

    init(percent: Double, isMuted: Bool) {
        self.percent = percent.isFinite ? min(max(percent, 0), Self.limit) : 0
        self.isMuted = isMuted
    }

    /// Returns whether a listener would call the volumes equal: same mute, less than a tenth of a percent
    /// apart.
    func isClose(to other: MixerVolume) -> Bool {
        isMuted == other.isMuted && abs(percent - other.percent) < 0.1
    }
}

/// The volume of each channel in the units of a server.
///
/// The slider shows the loudest channel; a slider that moves keeps the balance.
protocol ChannelVolumes {
    associatedtype Level
    /// Converts between the level of a channel and a position of the slider.
    static func level(percent: Double) -> Level
    static func percent(of level: Level) -> Double
}

/// PulseAudio's integers: linear on the slider, 65,536 at 100 percent.
enum PulseLevels: ChannelVolumes {
    static func level(percent: Double) -> UInt32 { UInt32(max(0, min(percent, MixerVolume.limit)) * 655.36) }
    static func percent(of level: UInt32) -> Double { Double(level) / 655.36 }
}

/// PipeWire's factors of amplitude: the cube of the slider.
enum AmplitudeLevels: ChannelVolumes {
    static func level(percent: Double) -> Float {
        let part = max(0, min(percent, MixerVolume.limit)) / 100
        return Float(part * part * part)
    }

    static func percent(of level: Float) -> Double {
        level.isFinite && level > 0 ? cbrt(Double(level)) * 100 : 0
    }
}

extension ChannelVolumes {
    /// The position of the slider for the levels of all channels; `nil` for none.
    static func slider(_ levels: [Level]) -> Double? { levels.map(percent(of:)).max() }

    /// Returns the levels of two channels or more for a position of the slider, with the balance of `levels`.
    static func levels(_ percent: Double, balancedLike levels: [Level]) -> [Level] {
        guard let loudest = slider(levels), loudest > 0, levels.count >= 2 else {
            return Array(repeating: level(percent: percent), count: max(2, levels.count))
        }
        return levels.map { level(percent: percent * Self.percent(of: $0) / loudest) }
    }
}
