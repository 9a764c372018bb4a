import AirPlayMessages
import Foundation
import Testing
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM
import TuttiTestSupport

@testable import AirPlayReceiver

@Suite("Playout: formats")
struct PlayoutFormatTests {
    static func tone(_ frames: Range<Int>, rate: SampleRate, frequency: Double) -> [Float] {
        frames.flatMap { frame -> [Float] in
            let value = Float(0.4 * sin(2 * .pi * frequency * Double(frame) / Double(rate.hertz)))
            return [value, -value]
        }
    }

    /// AAC access units of a tone.
    static func aac(_ count: Int, rate: SampleRate = .hz44100, frequency: Double) throws -> [[UInt8]] {
        let encoder = try AACEncoder(sampleRate: rate)
        var units: [[UInt8]] = []
        for index in 0..<count + 1 {
            let samples = tone(index * 1024..<(index + 1) * 1024, rate: rate, frequency: frequency)
            var unit: [UInt8] = []
            let buffer = PCMBuffer(sampleRate: rate, channelCount: 2, samples: samples)
            if try encoder.encode(buffer, into: &unit) { units.append(unit) }
        }
        return units
    }

    static func packet(_ index: Int, at position: Int, _ format: AudioWireFormat, _ payload: [UInt8])
        -> ReceivedPacket
    {
        ReceivedPacket(
            sequenceNumber: UInt32(index), rtpTime: RTPTime(rawValue: UInt32(position)), format: format,
            payload: payload)
    }

    /// Decodes these units one after the other with one decoder.
    static func decoded(_ units: [[UInt8]]) throws -> [Float] {
        let decoder = try AACPacketDecoder(sampleRate: .hz44100)
        return try units.flatMap { try decoder.decode($0).floatSamples }
    }

    @Test("AAC across a flush decodes as one decoder would, also where it had decoded further")
    func splice() throws {
        let (old, new) = (try Self.aac(60, frequency: 440), try Self.aac(60, frequency: 1000))
        var room = VirtualRoom()
        for (index, unit) in old.enumerated() {
            room.playout.append(Self.packet(index, at: index * 1024, .aac44100, unit))
        }
        room.play(RTPTime(rawValue: 0), at: 0)
        var output = room.run(8 * 1024)
        let point = { (index: Int) in
            FlushBuffered.Point(
                sequenceNumber: UInt32(index), rtpTime: RTPTime(rawValue: UInt32(index * 1024)))
        }
        _ = room.playout.flush(FlushBuffered(from: point(30), until: point(old.count)))
        for (index, unit) in new.enumerated() {
            room.playout.append(Self.packet(old.count + index, at: (30 + index) * 1024, .aac44100, unit))
        }
        output += room.run(42 * 1024)
        let wanted = try Self.decoded(Array(old[..<30] + new[..<20]))
        #expect(output == wanted)
    }

    @Test("AAC resumes after a pause as if there had been none")
    func resume() throws {
        let units = try Self.aac(100, frequency: 700)
        var room = VirtualRoom()
        for (index, unit) in units.enumerated() {
            room.playout.append(Self.packet(index, at: index * 1024, .aac44100, unit))
        }
        room.play(RTPTime(rawValue: 0), at: 0)
        _ = room.run(40 * 1024)
        room.pause(heard: 36 * 1024 + 100)
        _ = room.run(3000)
        room.play(RTPTime(rawValue: 36 * 1024 - 5000), at: room.frame)
        let output = room.run(40 * 1024)
        let wanted = try Self.decoded(Array(units[..<100]))
        let start = (36 * 1024 - 5000) * 2
        #expect(output == Array(wanted[start..<start + 40 * 2048]))
    }

    @Test(
        "ALAC plays bit for bit",
        arguments: [(SampleRate.hz44100, 16), (.hz48000, 24), (.hz44100, 24), (.hz48000, 16)])
    func alac(rate: SampleRate, bits: Int) throws {
        let configuration = ALACConfiguration(sampleRate: rate, bitDepth: bits)
        let encoder = try ALACEncoder(configuration)
        let format = AudioWireFormat.known.first {
            $0.codec == .alac && $0.sampleRate == rate && $0.bitDepth == bits
        }
        var room = VirtualRoom(rate: rate)
        var wanted: [Float] = []
        var random = SeededGenerator(seed: 2)
        for index in 0..<100 {
            let words = (0..<704).map { _ in
                Int32(truncatingIfNeeded: random.next()) & (bits == 16 ? ~0xFFFF : ~0xFF)
            }
            let buffer =
                bits == 16
                ? PCMBuffer(sampleRate: rate, channelCount: 2, samples: words.map { Int16($0 >> 16) })
                : PCMBuffer(sampleRate: rate, channelCount: 2, samples: words, is24Bit: true)
            var payload: [UInt8] = []
            try encoder.encode(buffer, into: &payload)
            wanted += words.map { Float($0) / 0x1p31 }
            room.playout.append(Self.packet(index, at: index * 352, try #require(format), payload))
        }
        room.play(RTPTime(rawValue: 0), at: 50)
        let output = room.run(50 + 100 * 352)
        #expect(Array(output[100...]) == wanted)
    }

    @Test("44.1 and 48 kHz follow each other without a gap")
    func rateChange() throws {
        let (low, high) = (try Self.aac(40, frequency: 441), try Self.aac(60, rate: .hz48000, frequency: 480))
        var room = VirtualRoom()
        for (index, unit) in low.enumerated() {
            room.playout.append(Self.packet(index, at: index * 1024, .aac44100, unit))
        }
        for (index, unit) in high.enumerated() {
            room.playout.append(
                Self.packet(low.count + index, at: (low.count + index) * 1024, .aac48000, unit))
        }
        room.play(RTPTime(rawValue: 0), at: 0)
        let change = low.count * 1024
        let output = room.run(change + 40_000)
        // 480 Hz at 48 kHz has 100 frames a period, 91.875 on the device; silence would show as a run of zeros.
        var (run, longest) = (0, 0)
        for frame in 4096..<change + 40_000 {
            run = abs(output[frame * 2]) < 1e-6 ? run + 1 : 0
            longest = max(longest, run)
        }
        #expect(longest < 10)
        #expect(room.playout.mixedSound.outages.missingFrames == 0)
        // Aligned: the tone's phase 0.5 s after the change.
        let decoder = try AACPacketDecoder(sampleRate: .hz48000)
        let plain = try high.flatMap { try decoder.decode($0).floatSamples }
        let frame = change + 22_050
        let place = 22_050.0 * 48_000 / 44_100
        #expect(abs(output[frame * 2] - plain[Int(place) * 2]) < 1e-3)
        #expect(room.playout.status().sampleRate == .hz48000)
    }

    @Test("invalid payloads are silence of their length, and counted", arguments: AudioWireFormat.known)
    func garbage(format: AudioWireFormat) {
        var room = VirtualRoom()
        var random = SeededGenerator(seed: 11)
        let lengths = [0, 1, 2, 3, 7, 40, 500, 3000]
        for index in 0..<64 {
            let payload = (0..<lengths[index % lengths.count]).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            room.playout.append(Self.packet(index, at: index * format.framesPerPacket, format, payload))
        }
        room.play(RTPTime(rawValue: 0), at: 0)
        let output = room.run(64 * format.framesPerPacket)
        #expect(output.allSatisfy { $0.isFinite })
        if format.codec == .aacELD {
            let frames = Double(64 * format.framesPerPacket)
            #expect(abs(Double(room.playout.mixedSound.outages.missingFrames) - frames) < frames * 0.1)
        }
    }

    @Test("hostile call orders neither trap nor grow memory", arguments: 0..<20)
    func hostile(seed: Int) {
        var room = VirtualRoom(configuration: PlayoutConfiguration(bufferBytes: 200_000))
        var random = SeededGenerator(seed: UInt64(seed))
        let formats: [AudioWireFormat] = [.pcm44100x16, .aac44100, .aac48000, .alac44100x16, .aac48000x51]
        func number() -> UInt32 {
            Bool.random(using: &random)
                ? UInt32.random(in: 0...300, using: &random)
                : UInt32.random(in: 0...0x7F_FFFF, using: &random)
        }
        func time() -> RTPTime {
            RTPTime(
                rawValue: Bool.random(using: &random)
                    ? UInt32.random(in: 0...60_000, using: &random)
                    : UInt32.random(in: 0...(.max), using: &random))
        }
        for _ in 0..<400 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0: room.play(time(), at: room.frame + Int64.random(in: -5000...2000, using: &random))
            case 1: room.pause(heard: max(0, room.frame - 1000))
            case 2:
                let until = FlushBuffered.Point(sequenceNumber: number(), rtpTime: time())
                if room.playout.flush(FlushBuffered(until: until)) {
                    room.playout.invalidateCursor(from: room.frame)
                }
            case 3, 4:
                let from = FlushBuffered.Point(sequenceNumber: number(), rtpTime: time())
                let until = FlushBuffered.Point(sequenceNumber: number(), rtpTime: time())
                _ = room.playout.flush(FlushBuffered(from: from, until: until))
            case 5: room.playout.flush(before: time())
            case 6 where Bool.random(using: &random):
                room.toldDrift = [0, .nan, .infinity, -1, 5][Int.random(in: 0..<5, using: &random)]
            case 6: room.slip += Int64.random(in: -1_000_000_000...1_000_000_000, using: &random)
            case 7: room.skip(2000)
            default:
                let format = formats[Int.random(in: 0..<formats.count, using: &random)]
                let (first, start) = (number(), time())
                for index in 0..<Int.random(in: 1...20, using: &random) {
                    let payload = (0..<Int.random(in: 0...800, using: &random)).map {
                        UInt8(truncatingIfNeeded: $0)
                    }
                    room.playout.append(
                        ReceivedPacket(
                            sequenceNumber: (first + UInt32(index)) & 0x7F_FFFF,
                            rtpTime: start.advanced(by: Int64(index * format.framesPerPacket)),
                            format: format,
                            payload: payload))
                }
            }
            #expect(room.playout.decoder.store.heldBytes >= 0)
            #expect(room.playout.decoder.store.heldBytes <= 200_000)
            _ = room.playout.status()
        }
        _ = room.playout.flush(
            FlushBuffered(until: FlushBuffered.Point(sequenceNumber: 0, rtpTime: RTPTime(rawValue: 0))))
    }
}
