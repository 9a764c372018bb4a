import Foundation
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM
import TuttiTestSupport

/// Sounds to encode, and ways to compare what comes back.
package enum Signal {
    /// Two sines with varying level and pitch, so that no two positions are alike.
    package static func sweep(frameCount: Int, rate: SampleRate = .hz44100, from start: Int = 0) -> PCMBuffer
    {
        let samples = (start..<start + frameCount).flatMap { frame -> [Float] in
            let time = Double(frame) / Double(rate.hertz)
            let level = 0.4 + 0.2 * sin(2 * .pi * 3 * time)
            return [
                Float(level * sin(2 * .pi * (300 + 40 * time) * time)),
                Float(level * sin(2 * .pi * (500 + 25 * time) * time)),
            ]
        }
        return PCMBuffer(sampleRate: rate, channelCount: 2, samples: samples)
    }

    package static func noise(frameCount: Int, seed: UInt64, format: PCMFormat) -> PCMBuffer {
        var generator = SeededGenerator(seed: seed)
        let count = frameCount * format.channelCount
        if format.sampleFormat == .int16 {
            let samples = (0..<count).map { _ in Int16.random(in: .min ... .max, using: &generator) }
            return PCMBuffer(
                sampleRate: format.sampleRate, channelCount: format.channelCount, samples: samples)
        }
        let samples = (0..<count).map { _ in Int32.random(in: -0x80_0000...0x7F_FFFF, using: &generator) << 8
        }
        return PCMBuffer(
            sampleRate: format.sampleRate, channelCount: format.channelCount, samples: samples, is24Bit: true)
    }

    /// The largest difference, with full scale 1; infinite when the lengths differ.
    package static func distance(_ left: PCMBuffer, _ right: PCMBuffer) -> Float {
        var converter = SampleConverter(to: .float32)
        let (a, b) = (converter.convert(left).floatSamples, converter.convert(right).floatSamples)
        if a.count != b.count { return .infinity }
        return zip(a, b).reduce(0) { max($0, abs($1.0 - $1.1)) }
    }

    /// The largest difference inside a range of frames.
    package static func distance(_ left: PCMBuffer, _ right: PCMBuffer, frames: Range<Int>) -> Float {
        distance(left[frames], right[frames])
    }
}

/// Decodes everything a reader delivers from its position on.
package struct DecodedRun {
    package private(set) var start: Int64?
    package private(set) var buffer: PCMBuffer
    package private(set) var corruptPacketCount = 0

    package init(_ reader: MediaReader) throws {
        let decoder = try AudioDecoder(reader.info.stream)
        buffer = PCMBuffer(format: decoder.outputFormat)
        while let packet = try reader.nextPacket() {
            if let audio = decoder.decode(packet) { add(audio) }
        }
        if let audio = decoder.drain() { add(audio) }
        corruptPacketCount = decoder.corruptPacketCount
    }

    package init(path: String) throws { try self.init(MediaReader(path)) }

    private mutating func add(_ audio: DecodedAudio) {
        if start == nil { start = audio.timestamp }
        buffer.append(audio.buffer)
    }

}

extension Signal {
    /// Stereo noise as float, which no codec compresses well.
    package static func noiseFloat(frameCount: Int, seed: UInt64 = 11) -> PCMBuffer {
        var converter = SampleConverter(to: .float32)
        let format = PCMFormat(sampleRate: .hz44100, channelCount: 2, sampleFormat: .int16)
        return converter.convert(noise(frameCount: frameCount, seed: seed, format: format))
    }
}
