import Foundation

/// A short computed piece of music, plucked strings over a bass, so that the demonstration needs no files.
///
/// Stereo, 44.1 kHz, 16 bit. No two seconds are alike, so that a recording identifies its position.
struct DemoMusic {
    static let sampleRate = 44_100

    /// Three melodies that listeners can tell apart.
    enum Tune: CaseIterable {
        case first, second, third

        fileprivate var chords: [[Int]] {
            switch self {
            case .first: [[57, 60, 64, 69], [53, 57, 60, 65], [48, 52, 55, 64], [55, 59, 62, 67]]
            case .second: [[50, 57, 62, 66], [47, 54, 59, 66], [43, 50, 59, 62], [45, 52, 57, 61]]
            case .third: [[52, 59, 64, 68], [49, 56, 61, 64], [45, 52, 57, 64], [47, 54, 59, 63]]
            }
        }
    }

    /// Interleaved samples.
    private(set) var samples: [Float]
    private var noise = RepeatableNoise(seed: 0x5EED)

    init(_ tune: Tune, seconds: Int) {
        let frameCount = seconds * Self.sampleRate
        samples = [Float](repeating: 0, count: frameCount * 2)
        let step = Self.sampleRate / 5
        for note in 0..<frameCount / step {
            let chord = tune.chords[note / 8 % tune.chords.count]
            let pitch = chord[[0, 2, 1, 3, 2, 1, 3, 2][note % 8]]
            let pan = Float(note % 5) / 4
            pluck(pitch, at: note * step, gain: 0.22, pan: 0.25 + pan / 2)
            if note % 8 == 0 { pluck(chord[0] - 12, at: note * step, gain: 0.3, pan: 0.5) }
        }
    }

    /// Adds a plucked string: a burst of noise in a delay line that loses its high frequencies (Karplus and
    /// Strong, 1983).
    private mutating func pluck(_ pitch: Int, at start: Int, gain: Float, pan: Float) {
        let hertz = 440 * pow(2, Double(pitch - 69) / 12)
        var line = (0..<max(2, Int(Double(Self.sampleRate) / hertz))).map { _ in noise.next() }
        var place = 0
        let end = min(samples.count / 2, start + Self.sampleRate * 3 / 2)
        for frame in start..<max(start, end) {
            let value = line[place]
            let next = (place + 1) % line.count
            line[place] = (value + line[next]) * 0.4985
            place = next
            samples[2 * frame] += value * gain * (1 - pan)
            samples[2 * frame + 1] += value * gain * pan
        }
    }

    /// Writes a WAV file.
    func write(to path: String) throws {
        var data = Data()
        func word(_ value: Int, _ byteCount: Int) {
            for byte in 0..<byteCount { data.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
        }
        data.append(contentsOf: Array("RIFF".utf8))
        word(36 + samples.count * 2, 4)
        data.append(contentsOf: Array("WAVEfmt ".utf8))
        for (value, size) in [
            (16, 4), (1, 2), (2, 2), (Self.sampleRate, 4), (Self.sampleRate * 4, 4), (4, 2), (16, 2),
        ] {
            word(value, size)
        }
        data.append(contentsOf: Array("data".utf8))
        word(samples.count * 2, 4)
        for sample in samples { word(Int((max(-1, min(1, sample)) * 32_767).rounded()), 2) }
        try data.write(to: URL(fileURLWithPath: path))
    }

    /// A pseudo-random generator with the same sequence in every run.
    private struct RepeatableNoise {
        private var state: UInt64

        init(seed: UInt64) { state = seed }

        /// Returns the next number in −1 ..< 1.
        mutating func next() -> Float {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
        }
    }
}
