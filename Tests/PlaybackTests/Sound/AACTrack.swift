import Codecs
import CoreMedia
import MediaTime
import PCM

/// A track as AAC access units, and what a decoder makes of it.
struct AACTrack {
    let units: [[UInt8]]
    let rate: SampleRate
    /// Frames decoded and not heard at the start.
    let delay: Int
    /// Frames that are heard.
    let frameCount: Int
    /// What is heard, as one decoder gives it.
    let decoded: PCMBuffer

    var padding: Int { units.count * 1024 - delay - frameCount }

    init(_ sound: PCMBuffer) throws {
        rate = sound.format.sampleRate
        frameCount = sound.frameCount
        let encoder = try AACEncoder(sampleRate: rate)
        delay = encoder.delay
        var units: [[UInt8]] = []
        for start in stride(from: 0, to: sound.frameCount, by: 1024) {
            var unit: [UInt8] = []
            let part = sound[start..<min(start + 1024, sound.frameCount)]
            if try encoder.encode(part, into: &unit) { units.append(unit) }
        }
        try encoder.finish()
        var unit: [UInt8] = []
        while try encoder.drain(into: &unit) {
            units.append(unit)
            unit = []
        }
        // A file ends with the unit that holds its last frame.
        self.units = Array(units.prefix((delay + sound.frameCount + 1023) / 1024))
        decoded = try Self.decode(self.units, rate: rate)[delay..<delay + sound.frameCount]
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

    /// Buffers of `size` units; the first heard frame is due at `frame`.
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
