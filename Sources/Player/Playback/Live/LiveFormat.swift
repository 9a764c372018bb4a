import TuttiMediaTime
import TuttiPCM

/// The format of raw samples on a pipe: little-endian, interleaved, without a header.
///
/// Spelled `SAMPLES/RATE/CHANNELS`, such as `s16le/44100/2`, or as Snapcast does, `44100:16:2`.
public struct LiveFormat: Hashable, Sendable, CustomStringConvertible {
    /// The form of one sample.
    public enum Samples: String, CaseIterable, Sendable {
        /// Signed integers of 16 bits.
        case s16le
        /// Signed integers of 24 bits, in three bytes.
        case s24le
        /// Signed integers of 32 bits.
        case s32le
        /// Floating-point numbers of 32 bits, full scale at 1.
        case f32le

        /// Bytes of one sample.
        public var byteCount: Int {
            switch self {
            case .s16le: 2
            case .s24le: 3
            case .s32le, .f32le: 4
            }
        }
    }

    /// The rates that are taken, in frames per second.
    public static let rates = 8000...192_000

    /// The form of one sample.
    public let samples: Samples
    /// Frames per second.
    public let sampleRate: Int
    /// One or two.
    public let channelCount: Int

    /// CD quality: `s16le/44100/2`.
    public static let standard = LiveFormat(known: .s16le, 44_100, 2)

    private init(known samples: Samples, _ sampleRate: Int, _ channelCount: Int) {
        (self.samples, self.sampleRate, self.channelCount) = (samples, sampleRate, channelCount)
    }

    /// Reads a format as a user spells it.
    ///
    /// - Throws: A sentence that says how formats are spelled.
    public init(_ text: String) throws(LiveFormatError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let snapcast = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        if snapcast.count == 3, let bits = Self.bits[snapcast[1]] {
            try self.init(text, bits, snapcast[0], snapcast[2])
        } else if parts.count == 3, let samples = Samples(rawValue: parts[0].lowercased()) {
            try self.init(text, samples, parts[1], parts[2])
        } else {
            throw LiveFormatError(text)
        }
    }

    private init(
        _ text: String, _ samples: Samples, _ rate: String, _ channels: String
    ) throws(LiveFormatError) {
        guard let rate = Int(rate), Self.rates.contains(rate), let channels = Int(channels),
            (1...2).contains(channels)
        else { throw LiveFormatError(text) }
        self.init(known: samples, rate, channels)
    }

    private static let bits: [String: Samples] = ["16": .s16le, "24": .s24le, "32": .s32le]

    /// Whether a text is meant as such a format: it begins with the name of samples.
    public static func isMeant(by text: String) -> Bool {
        Samples.allCases.contains { text.lowercased().hasPrefix($0.rawValue) }
    }

    /// The spelling, such as `s16le/44100/2`.
    public var description: String { "\(samples.rawValue)/\(sampleRate)/\(channelCount)" }

    /// Bytes of one frame.
    public var bytesPerFrame: Int { samples.byteCount * channelCount }

    /// The rate as a type.
    package var rate: SampleRate { SampleRate(hertz: sampleRate) ?? .hz44100 }

    /// Returns whole frames as stereo; one channel is heard on both sides. Integers of 16 and 24 bits stay
    /// exact.
    package func sound(of bytes: [UInt8]) -> LiveSound {
        let count = bytes.count / bytesPerFrame * channelCount
        var frames: [Float] = []
        frames.reserveCapacity(count / channelCount * 2)
        bytes.withUnsafeBytes { raw in
            for index in 0..<count {
                let value = sample(raw, at: index * samples.byteCount)
                frames.append(value)
                if channelCount == 1 { frames.append(value) }
            }
        }
        return LiveSound(rate: rate, frames: frames)
    }

    private func sample(_ raw: UnsafeRawBufferPointer, at place: Int) -> Float {
        switch samples {
        case .s16le:
            Float(Int16(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: Int16.self))) / 0x1p15
        case .s24le:
            Float(
                Int32(raw[place]) << 8 | Int32(raw[place + 1]) << 16
                    | Int32(truncatingIfNeeded: UInt32(raw[place + 2]) << 24)) / 0x1p31
        case .s32le:
            Float(Int32(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: Int32.self))) / 0x1p31
        case .f32le: Self.finite(raw.loadUnaligned(fromByteOffset: place, as: UInt32.self))
        }
    }

    /// Junk instead of samples must not reach a loudspeaker as infinity.
    private static func finite(_ bits: UInt32) -> Float {
        let value = Float(bitPattern: UInt32(littleEndian: bits))
        return value.isFinite ? max(-1, min(1, value)) : 0
    }

    /// The header of a WAV file without an end, which makes raw samples a container.
    package var waveHeader: [UInt8] {
        func little(_ value: UInt32, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
        }
        let endless = UInt32.max
        var header = Array("RIFF".utf8) + little(endless, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
        header += little(samples == .f32le ? 3 : 1, 2) + little(UInt32(channelCount), 2)
        header += little(UInt32(sampleRate), 4) + little(UInt32(sampleRate * bytesPerFrame), 4)
        header += little(UInt32(bytesPerFrame), 2) + little(UInt32(samples.byteCount * 8), 2)
        return header + Array("data".utf8) + little(endless, 4)
    }
}

/// A misspelled ``LiveFormat``.
public struct LiveFormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence for the user.
    public let description: String

    init(_ text: String) {
        let (least, most) = (LiveFormat.rates.lowerBound, LiveFormat.rates.upperBound)
        description =
            "'\(text.prefix(64))' is not a format of raw samples; write SAMPLES/RATE/CHANNELS with s16le, s24le, s32le or "
            + "f32le, a rate from \(least) to \(most) and 1 or 2 channels, such as s16le/44100/2"
    }
}

/// A piece of stereo sound, interleaved.
package struct LiveSound: Hashable, Sendable {
    /// Frames per second.
    package var rate: SampleRate
    /// Left and right in turn; full scale is 1.
    package var frames: [Float]

    /// Creates a piece.
    package init(rate: SampleRate, frames: [Float]) { (self.rate, self.frames) = (rate, frames) }

    /// Creates a piece from a stereo buffer of floats; `nil` for another format.
    package init?(_ buffer: PCMBuffer) {
        guard buffer.format.channelCount == 2, buffer.format.sampleFormat == .float32 else { return nil }
        self.init(rate: buffer.format.sampleRate, frames: buffer.floatSamples)
    }

    /// Frames, a left and a right sample each.
    package var frameCount: Int { frames.count / 2 }
    /// Seconds.
    package var seconds: Double { Double(frameCount) / Double(rate.hertz) }
    /// Whether nothing but zeros is in it.
    package var isSilent: Bool { frames.allSatisfy { $0 == 0 } }
}
