import AirPlayMessages
import Glibc

/// The buffering and playback settings of one stream.
package struct PlayoutConfiguration: Hashable, Sendable {
    /// Default for ``bufferBytes``. 300 s of AAC at 256 kbit/s are 10.2 MB, 180 s of unpacked ALAC at 44.1
    /// kHz and 16 bit are 33 MB, framing included. The process then stays below 90 MB besides.
    package static let defaultBufferBytes = 32_900_000

    /// Most bytes of unplayed packets, framing included.
    package var bufferBytes: Int
    /// Bits of a sequence number: 23 on a buffered stream, 16 on a realtime one.
    package var sequenceBits: Int
    /// Seconds of audio to decode ahead of the playhead.
    package var decodedSeconds: Double
    /// Seconds to play later than the line; negative is earlier.
    package var latencyOffset: Double
    /// The mapping from the sender's volume to gain.
    package var volumeCurve: VolumeCurve
    /// Longest wait for the device at a start without an instant; then time runs without it.
    package var beginningLimit = Duration.seconds(1)
    /// Largest error of a locked stream before it is resampled, seconds. More is allowed while the clock is known less exactly.
    var lockError = DriftServo.lockError
    /// Seconds without sound after which the sender has not come to its end, but is cut off.
    var outageSeconds = 3.0
    /// Whether the sender may continue at any RTP time without a flush.
    var mayLeap = false

    /// Creates a configuration; the defaults suit a buffered stream.
    package init(
        bufferBytes: Int = Self.defaultBufferBytes, sequenceBits: Int = 23, decodedSeconds: Double = 5.25,
        latencyOffset: Double = 0, volumeCurve: VolumeCurve = .decibels
    ) {
        self.bufferBytes = bufferBytes
        self.sequenceBits = sequenceBits
        self.decodedSeconds = decodedSeconds
        self.latencyOffset = latencyOffset
        self.volumeCurve = volumeCurve
    }

    /// Settings for a realtime stream: 16-bit numbers, and little decoded ahead, because a re-sent packet may
    /// still arrive.
    ///
    /// - Parameter isNTP: Whether the sender's clock is measured over NTP.
    package static func realtime(isNTP: Bool) -> PlayoutConfiguration {
        var configuration = PlayoutConfiguration(bufferBytes: 8 << 20, sequenceBits: 16, decodedSeconds: 0.3)
        // A clock measured over UDP every few seconds is not known more exactly.
        if isNTP { configuration.lockError = 300e-6 }
        configuration.mayLeap = true
        // A sound server pauses a speaker only some seconds after its last program has ended.
        configuration.outageSeconds = 7
        return configuration
    }
}

/// The mapping from the sender's decibels to gain.
package enum VolumeCurve: Hashable, Sendable {
    /// The sender's decibels, down to −29.7 dB, a thirtieth of the sound pressure, at 1 %; −30 dB, 0 %, is
    /// silence.
    case decibels
    /// A range of this many decibels, in proportion; −30 dB, 0 %, is silence.
    case stretched(decibels: Double)
    /// Always full gain except for mute, for an amplifier with its own volume control.
    case fixed

    /// Returns the factor for each sample, 0 ... 1; exactly 1 at full volume.
    package func gain(for volume: Volume) -> Float {
        if volume.isMuted { return 0 }
        if volume == .full { return 1 }
        // The lowest slider position is silence, whether the sender says −30 or −144.
        if volume.decibels <= Volume.quietest.decibels, self != .fixed { return 0 }
        switch self {
        case .fixed: return 1
        case .decibels: return Self.factor(volume.decibels)
        case .stretched(let range): return Self.factor(volume.decibels / 30 * max(0, range))
        }
    }

    private static func factor(_ decibels: Double) -> Float { Float(min(1, pow(10, decibels / 20))) }
}
