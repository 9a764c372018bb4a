public import AirPlayMessages
internal import Glibc

/// How a stream is kept and played.
public struct PlayoutConfiguration: Hashable, Sendable {
    /// 300 s of AAC at 256 kbit/s are 10.2 MB, 180 s of unpacked ALAC at 44.1 kHz and 16 bit are 33 MB, framing
    /// included. What a process holds besides stays below 90 MB with it.
    public static let defaultBufferBytes = 32_900_000

    /// Most bytes of packets that are held and not yet played, their framing included.
    public var bufferBytes: Int
    /// Bits of a sequence number: 23 on a buffered stream, 16 on a realtime one.
    public var sequenceBits: Int
    /// How far ahead of the playhead sound is decoded, seconds.
    public var decodedSeconds: Double
    /// Seconds by which everything is heard later than the line says; negative is earlier.
    public var latencyOffset: Double
    public var volumeCurve: VolumeCurve
    /// What sound that goes frame for frame may be off its line before it is stretched, seconds.
    var lockError = DriftServo.lockError

    public init(
        bufferBytes: Int = Self.defaultBufferBytes, sequenceBits: Int = 23, decodedSeconds: Double = 5.25,
        latencyOffset: Double = 0, volumeCurve: VolumeCurve = .decibels
    ) {
        self.bufferBytes = bufferBytes
        self.sequenceBits = sequenceBits
        self.decodedSeconds = decodedSeconds
        self.latencyOffset = latencyOffset
        self.volumeCurve = volumeCurve
    }

    /// For a realtime stream: 16 bit numbers, and little decoded ahead, because a packet that is asked for again may
    /// still come.
    public static var realtime: PlayoutConfiguration {
        var configuration = PlayoutConfiguration(bufferBytes: 8 << 20, sequenceBits: 16, decodedSeconds: 0.3)
        // A clock that is asked over UDP every few seconds is not known any better.
        configuration.lockError = 300e-6
        return configuration
    }
}

/// What the receiver makes of the sender's decibels.
public enum VolumeCurve: Hashable, Sendable {
    /// As they are, down to −29.7 dB, a thirtieth of the sound pressure, at 1 %; −30 dB, 0 %, is silence.
    case decibels
    /// Minus this many decibels shortly above 0 %, and all between in proportion; −30 dB, 0 %, is silence.
    case stretched(decibels: Double)
    /// Always full, but mute is mute: for an amplifier with a knob of its own.
    case fixed

    /// The factor for each sample, 0 ... 1; exactly 1 at full volume.
    public func gain(for volume: Volume) -> Float {
        if volume.isMuted { return 0 }
        if volume == .full { return 1 }
        // The lowest place of a sender's slider is off, whichever of the two numbers the sender has for it.
        if volume.decibels <= Volume.quietest.decibels, self != .fixed { return 0 }
        switch self {
        case .fixed: return 1
        case .decibels: return Self.factor(volume.decibels)
        case .stretched(let range): return Self.factor(volume.decibels / 30 * max(0, range))
        }
    }

    private static func factor(_ decibels: Double) -> Float { Float(min(1, pow(10, decibels / 20))) }
}
