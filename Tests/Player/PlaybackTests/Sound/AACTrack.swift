import CoreMedia
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM

/// A track as AAC access units, and its decoded audio.
struct AACTrack {
    let units: [[UInt8]]
    let rate: SampleRate
    /// Inaudible frames at the start.
    let delay: Int
    /// Audible frames.
    let frameCount: Int
    /// The audible audio, as one decoder gives it.
    let decoded: PCMBuffer

    var padding: Int { units.count * 1024 - delay - frameCount }

    /// Units before the track in which the encoder settles: at a sudden start it writes noise that every
    /// decoder synthesizes anew.
    private static let leadIn = 12

    init(_ sound: PCMBuffer) throws {
        rate = sound.format.sampleRate
        frameCount = sound.frameCount
        let encoder = try AACEncoder(sampleRate: rate)
        delay = encoder.delay
        let count = (delay + sound.frameCount + 1023) / 1024
        let long = Self.mirrored(sound, before: Self.leadIn * 1024, after: 3072)
        var all: [[UInt8]] = []
        for start in stride(from: 0, to: long.frameCount - 1023, by: 1024)
        where all.count < Self.leadIn + count {
            var unit: [UInt8] = []
            if try encoder.encode(long[start..<start + 1024], into: &unit) { all.append(unit) }
        }
        units = Array(all[Self.leadIn...])
        decoded = try Self.decode(units, rate: rate)[delay..<delay + sound.frameCount]
    }

    /// The audio with its mirror image at both ends, so that nothing jumps.
    private static func mirrored(_ sound: PCMBuffer, before: Int, after: Int) -> PCMBuffer {
        let (samples, period) = (sound.floatSamples, 2 * sound.frameCount)
        let long = (-before..<sound.frameCount + after).flatMap { frame -> [Float] in
            let place = ((frame % period) + period) % period
            let source = place < sound.frameCount ? place : period - 1 - place
            return [samples[2 * source], samples[2 * source + 1]]
        }
        return PCMBuffer(sampleRate: sound.format.sampleRate, channelCount: 2, samples: long)
    }

    static func decode(_ units: [[UInt8]], rate: SampleRate) throws -> PCMBuffer {
        let decoder = try AACPacketDecoder(sampleRate: rate)
        var frames = PCMBuffer(format: decoder.outputFormat)
        for unit in units { frames.append(try decoder.decode(unit)) }
        return frames
    }

    static func format(rate: SampleRate) throws -> CMFormatDescription {
        try Buffers.description(
            kAudioFormatMPEG4AAC, rate: Double(rate.hertz), framesPerPacket: 1024,
            cookie: AACEncoder(sampleRate: rate).cookie)
    }

    /// Returns buffers of `size` units; the first audible frame is due at `frame`.
    func buffers(from frame: Int64, size: Int = 20) throws -> [CMSampleBuffer] {
        let format = try Self.format(rate: rate)
        let last = (units.count - 1) / size * size
        return try stride(from: 0, to: units.count, by: size).map { first in
            let buffer = try Buffers.packets(
                Array(units[first..<min(first + size, units.count)]), framesPerPacket: 1024, format: format,
                at: Buffers.time(frame - Int64(delay) + Int64(first) * 1024, rate: rate), rate: rate)
            Buffers.trim(
                buffer, start: first == 0 ? Int64(delay) : 0, end: first == last ? Int64(padding) : 0,
                rate: rate)
            return buffer
        }
    }
}
