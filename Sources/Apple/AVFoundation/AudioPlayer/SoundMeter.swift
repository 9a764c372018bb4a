import Foundation

/// The levels of a sound's channels around the playhead, in decibels; 0 is full scale. A value.
struct SoundLevels: Equatable, Sendable {
    /// The level of silence.
    static let silence: Float = -160

    /// The power of each channel.
    var average: [Float]
    /// The largest sample of each channel.
    var peak: [Float]

    /// The levels of silence.
    init(channelCount: Int) {
        average = Array(repeating: Self.silence, count: channelCount)
        peak = average
    }

    /// Returns the level of an amplitude.
    static func decibels(_ amplitude: Float) -> Float {
        amplitude > 0 ? max(silence, 20 * log10(amplitude)) : silence
    }
}

/// A reader of the sound that was heard last, for its levels. One thread at a time.
///
/// The speakers may have minutes of sound that nobody hears yet: the meter reads the file at the playhead, not what goes
/// to the speakers.
struct SoundMeter {
    /// The longest span that one reading covers, in seconds.
    private static let longest = 0.25
    /// The span of a reading without one shortly before, in seconds.
    private static let usual = 0.02

    /// The frame after the last reading.
    private var end: Int64?
    /// The result of the last reading.
    private(set) var levels: SoundLevels

    init(channelCount: Int) { levels = SoundLevels(channelCount: channelCount) }

    /// Forgets the levels, because nothing is heard.
    mutating func clear() { (end, levels) = (nil, SoundLevels(channelCount: levels.average.count)) }

    /// Takes the levels of the frames from the last reading up to `frame`, at most a quarter of a second.
    ///
    /// - Parameter sound: The file, with interleaved samples of 32-bit floats.
    mutating func read(_ sound: FileSound, until frame: Int64) {
        let rate = Double(sound.info.sampleRate.hertz)
        if let end, frame == end { return }
        let start = end.flatMap { end in
            frame > end && frame - end <= Int64(Self.longest * rate) ? end : nil
        }
        let first = max(0, start ?? frame - Int64(Self.usual * rate))
        end = frame
        guard frame > first else { return }
        let channels = levels.average.count
        var (sums, peaks) = (
            Array(repeating: 0.0, count: channels), Array(repeating: Float(0), count: channels)
        )
        sound.move(to: first)
        // A read error is silence here: the player tells it.
        let count = try? sound.read(Int(frame - first)) { bytes, count, _ in
            guard let bytes else { return }
            let samples = bytes.bindMemory(to: Float.self)
            for index in 0..<min(count * channels, samples.count) where samples[index].isFinite {
                sums[index % channels] += Double(samples[index] * samples[index])
                peaks[index % channels] = max(peaks[index % channels], abs(samples[index]))
            }
        }
        let total = Double(max(1, count ?? 0))
        levels.average = sums.map { SoundLevels.decibels(Float(($0 / total).squareRoot())) }
        levels.peak = peaks.map { SoundLevels.decibels($0) }
    }
}
