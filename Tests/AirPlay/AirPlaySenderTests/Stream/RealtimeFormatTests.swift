import AirPlayMessages
import Foundation
import Testing
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM
import TuttiSystemIO

@testable import AirPlaySender

@Suite("The sound of a group in the format of a realtime stream")
struct RealtimeFormatTests {
    /// Returns a tone that is different at every frame of a second.
    private static func tone(_ frames: Range<Int>, rate: SampleRate) -> [Float] {
        frames.flatMap { frame in
            let phase = Double(frame) / Double(rate.hertz)
            return [
                Float(0.4 * sin(2 * .pi * 441 * phase)),
                Float(0.3 * sin(2 * .pi * (300 + 50 * phase) * phase)),
            ]
        }
    }

    private static func samples(of store: PacketStore) throws -> (start: Int64, samples: [Int16]) {
        let decoder = try ALACPacketDecoder(.cd)
        var samples: [Int16] = []
        var index = store.packet(atOrAfter: 0)?.index ?? 0
        let start = store.startFrame ?? 0
        while let packet = store.packet(atOrAfter: index) {
            #expect(packet.frame == start + Int64(samples.count / 2))
            samples += try packet.withPayload { try decoder.decode(Array($0)) }.int16Samples
            index = packet.index + 1
        }
        return (start, samples)
    }

    private static func lossless(_ store: PacketStore, frames: Range<Int>, as format: AudioWireFormat) throws
    {
        let configuration = ALACConfiguration(sampleRate: format.sampleRate, bitDepth: format.bitDepth ?? 16)
        let encoder = try ALACEncoder(configuration)
        var converter = SampleConverter(to: configuration.pcmFormat.sampleFormat)
        for start in stride(from: frames.lowerBound, to: frames.upperBound, by: 352) {
            let range = start..<min(start + 352, frames.upperBound)
            let buffer = PCMBuffer(
                sampleRate: format.sampleRate, channelCount: 2, samples: tone(range, rate: format.sampleRate))
            var payload: [UInt8] = []
            try encoder.encode(converter.convert(buffer), into: &payload)
            payload.withUnsafeBytes {
                store.append(frame: Int64(start), frameCount: range.count, format: format, payload: $0)
            }
        }
    }

    @Test("sound that has the format already is the same, sample by sample, to its last frame")
    func same() throws {
        let source = PacketStore()
        try Self.lossless(source, frames: 0..<10_000, as: .alac44100x16)
        var converted = try ConvertedSound(of: source, at: 704, rate: .hz44100, machine: SystemMachine())
        converted.fill(beyond: 704, isUrgent: true)
        let (start, samples) = try Self.samples(of: converted.store)
        var rounding = SampleConverter(to: .int16)
        let expected = rounding.convert(
            PCMBuffer(
                sampleRate: .hz44100, channelCount: 2, samples: Self.tone(704..<10_000, rate: .hz44100)))
        #expect(start == 704 && samples == expected.int16Samples)
    }

    @Test("PCM is the sound's samples, the high byte first, in whole packets and a short last one")
    func pcm() throws {
        let source = PacketStore()
        try Self.lossless(source, frames: 0..<1000, as: .alac44100x16)
        var converted = try ConvertedSound(
            of: source, at: 0, rate: .hz44100, to: .pcm44100x16, machine: SystemMachine())
        converted.fill(beyond: 0, isUrgent: false)
        #expect(converted.isWaitingForMore && converted.store.endFrame == 704)
        converted.fill(beyond: 0, isUrgent: true)
        #expect(!converted.isWaitingForMore)
        var bytes: [UInt8] = []
        var counts: [Int32] = []
        var index: Int64 = 0
        while let packet = converted.store.packet(atOrAfter: index) {
            packet.withPayload { bytes += $0 }
            #expect(packet.format == .pcm44100x16)
            counts.append(packet.frameCount)
            index = packet.index + 1
        }
        var rounding = SampleConverter(to: .int16)
        let expected = rounding.convert(
            PCMBuffer(sampleRate: .hz44100, channelCount: 2, samples: Self.tone(0..<1000, rate: .hz44100)))
        #expect(counts == [352, 352, 296])
        #expect(
            bytes
                == expected.int16Samples.flatMap {
                    [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)]
                })
    }

    @Test("48 kHz and 24 bit become 44.1 kHz and 16 bit at the same time, for a start in the middle, too")
    func resampled() throws {
        let source = PacketStore()
        try Self.lossless(source, frames: 0..<96_000, as: .alac48000x24)
        var converted = try ConvertedSound(of: source, at: 44_100, rate: .hz48000, machine: SystemMachine())
        converted.fill(beyond: 44_100, isUrgent: true)
        let (start, samples) = try Self.samples(of: converted.store)
        #expect(abs(start - 44_100) <= 352 && abs(Int(start) + samples.count / 2 - 88_200) <= 2)
        // The filter settles over its length.
        let expected = Self.tone(Int(start)..<88_000, rate: .hz44100)
        var worst = 0
        for frame in 2000..<(expected.count / 2 - 2000) {
            worst = max(worst, abs(Int(samples[frame * 2]) - Int((expected[frame * 2] * 32_768).rounded())))
        }
        #expect(worst <= 3, "off by \(worst) of 16 bit")
    }

    @Test("48 kHz and 24 bit go to a stream with them bit for bit, and 44.1 kHz is heard at the same time")
    func highResolution() throws {
        let source = PacketStore()
        try Self.lossless(source, frames: 0..<7040, as: .alac48000x24)
        var converted = try ConvertedSound(
            of: source, at: 704, rate: .hz48000, to: .alac48000x24, machine: SystemMachine())
        converted.fill(beyond: 704, isUrgent: true)
        let decoder = try ALACPacketDecoder(.studio)
        var samples: [UInt8] = []
        var index = converted.store.packet(atOrAfter: 0)?.index ?? 0
        while let packet = converted.store.packet(atOrAfter: index) {
            samples += try packet.withPayload { try decoder.decode(Array($0)) }.bytes
            index = packet.index + 1
        }
        var widening = SampleConverter(to: .int24in32)
        let expected = widening.convert(
            PCMBuffer(sampleRate: .hz48000, channelCount: 2, samples: Self.tone(704..<7040, rate: .hz48000)))
        #expect(converted.store.startFrame == 704 && samples == Array(expected.bytes))

        let slower = PacketStore()
        try Self.lossless(slower, frames: 0..<88_200, as: .alac44100x16)
        var faster = try ConvertedSound(
            of: slower, at: 48_000, rate: .hz44100, to: .alac48000x24, machine: SystemMachine())
        faster.fill(beyond: 48_000, isUrgent: true)
        let (start, end) = (faster.store.startFrame ?? 0, faster.store.endFrame ?? 0)
        #expect(abs(start - 48_000) <= 352 && abs(end - 96_000) <= 2)
    }

    @Test("AAC is decoded on its line: what a start in the middle hears is exact from its first frame")
    func aac() throws {
        let source = PacketStore()
        let encoder = try AACEncoder(sampleRate: .hz44100)
        var frame = Int64(-encoder.delay)
        var payload: [UInt8] = []
        func drain() throws {
            payload.removeAll()
            while try encoder.drain(into: &payload) {
                let unit = frame
                payload.withUnsafeBytes {
                    source.append(frame: unit, frameCount: 1024, format: .aac44100, payload: $0)
                }
                frame += 1024
                payload.removeAll()
            }
        }
        for start in stride(from: 0, to: 88_200, by: 1024) {
            _ = try encoder.encode(
                PCMBuffer(
                    sampleRate: .hz44100, channelCount: 2,
                    samples: Self.tone(start..<start + 1024, rate: .hz44100)), into: &payload)
            if !payload.isEmpty {
                let unit = frame
                payload.withUnsafeBytes {
                    source.append(frame: unit, frameCount: 1024, format: .aac44100, payload: $0)
                }
                frame += 1024
            }
            try drain()
        }
        var whole = try ConvertedSound(of: source, at: 0, rate: .hz44100, machine: SystemMachine())
        whole.fill(beyond: 0, isUrgent: true)
        var part = try ConvertedSound(of: source, at: 35_200, rate: .hz44100, machine: SystemMachine())
        part.fill(beyond: 35_200, isUrgent: true)
        let (start, all) = try Self.samples(of: whole.store)
        let (later, rest) = try Self.samples(of: part.store)
        #expect(start == 0 && later == 35_200 && !rest.isEmpty)
        let expected = Self.tone(0..<80_000, rate: .hz44100)
        var (worst, apart) = (0, 0)
        for index in (20 * 1024 * 2)..<(all.count - 4096) where index < expected.count {
            worst = max(worst, abs(Int(all[index]) - Int((expected[index] * 32_768).rounded())))
        }
        for index in 0..<(rest.count - 2048) {
            apart = max(apart, abs(Int(all[35_200 * 2 + index]) - Int(rest[index])))
        }
        #expect(worst < 700, "off by \(worst) of 16 bit")
        #expect(apart <= 3, "a start in the middle differs by \(apart) of 16 bit")
    }

    @Test("a packet that cannot be decoded is silence of the same length, and the rest is in its place")
    func broken() throws {
        let source = PacketStore()
        try Self.lossless(source, frames: 0..<3520, as: .alac44100x16)
        [UInt8](repeating: 0xA5, count: 40).withUnsafeBytes {
            source.append(frame: 3520, frameCount: 352, format: .aac44100, payload: $0)
        }
        try Self.lossless(source, frames: 3872..<7040, as: .alac44100x16)
        var converted = try ConvertedSound(of: source, at: 0, rate: .hz44100, machine: SystemMachine())
        converted.fill(beyond: 0, isUrgent: true)
        let (_, samples) = try Self.samples(of: converted.store)
        #expect(samples.count == 7040 * 2)
        #expect(samples[(3520 * 2 + 100)..<(3872 * 2 - 100)].allSatisfy { $0 == 0 })
        var rounding = SampleConverter(to: .int16)
        let expected = rounding.convert(
            PCMBuffer(sampleRate: .hz44100, channelCount: 2, samples: Self.tone(3872..<7040, rate: .hz44100)))
        #expect(Array(samples[(3872 * 2)...]) == expected.int16Samples)
    }

    @Test(
        "sound that was replaced is converted anew from the place of the edit, without a hole before it",
        arguments: [0, 100, 351])
    func replaced(start: Int64) throws {
        let source = PacketStore()
        try Self.lossless(source, frames: 0..<35_200, as: .alac44100x16)
        var converted = try ConvertedSound(of: source, at: start, rate: .hz44100, machine: SystemMachine())
        converted.fill(beyond: 0, isUrgent: true)
        source.truncate(at: 17_600)
        let encoder = try ALACEncoder(.cd)
        var payload: [UInt8] = []
        try encoder.encode(
            PCMBuffer(sampleRate: .hz44100, channelCount: 2, samples: [Int16](repeating: 77, count: 704)),
            into: &payload)
        payload.withUnsafeBytes {
            source.append(frame: 17_600, frameCount: 352, format: .alac44100x16, payload: $0)
        }
        converted.restart(at: 17_600)
        converted.fill(beyond: 17_600, isUrgent: true)
        let (_, samples) = try Self.samples(of: converted.store)
        #expect(samples.count == (17_952 - Int(start)) * 2 && samples.suffix(704).allSatisfy { $0 == 77 })
        var rounding = SampleConverter(to: .int16)
        let kept = rounding.convert(
            PCMBuffer(
                sampleRate: .hz44100, channelCount: 2, samples: Self.tone(17_000..<17_600, rate: .hz44100)))
        #expect(Array(samples[(17_000 - Int(start)) * 2..<(17_600 - Int(start)) * 2]) == kept.int16Samples)
        // Sound that was sent stays.
        let end = try #require(converted.store.packet(holding: 10_000)).endFrame
        converted.restart(at: 9_900, sentEnd: end)
        converted.fill(beyond: 17_600, isUrgent: true)
        #expect(try Self.samples(of: converted.store).1 == samples)
    }
}
