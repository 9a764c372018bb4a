import AirPlayMessages
import Foundation
import Testing
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM

@testable import AirPlaySender

@Suite("The sound of one speaker of a group")
struct SpeakerSoundTests {
    /// Returns a tone that is different at every frame of a second.
    static func tone(_ frames: Range<Int>, level: Double = 0.4) -> [Float] {
        frames.flatMap { frame in
            let phase = Double(frame) / 44_100
            return [
                Float(level * sin(2 * .pi * 441 * phase)),
                Float(level * sin(2 * .pi * (300 + 50 * phase) * phase)),
            ]
        }
    }

    static func fill(_ store: PacketStore, _ frames: Range<Int>, as format: AudioWireFormat) throws {
        switch format.codec {
        case .alac:
            let encoder = try ALACEncoder(.cd)
            var narrowing = SampleConverter(to: .int16)
            for start in stride(from: frames.lowerBound, to: frames.upperBound, by: 352) {
                let range = start..<min(start + 352, frames.upperBound)
                let buffer = PCMBuffer(sampleRate: .hz44100, channelCount: 2, samples: tone(range))
                var payload: [UInt8] = []
                try encoder.encode(narrowing.convert(buffer), into: &payload)
                append(payload, to: store, at: start, count: range.count, format)
            }
        case .aacLC:
            let encoder = try AACEncoder(sampleRate: .hz44100)
            var frame = frames.lowerBound - encoder.delay
            for start in stride(from: frames.lowerBound, to: frames.upperBound, by: 1024) {
                let buffer = PCMBuffer(
                    sampleRate: .hz44100, channelCount: 2, samples: tone(start..<start + 1024))
                var payload: [UInt8] = []
                guard try encoder.encode(buffer, into: &payload) else { continue }
                append(payload, to: store, at: frame, count: 1024, format)
                frame += 1024
            }
        default:
            for start in stride(from: frames.lowerBound, to: frames.upperBound, by: 1024) {
                let range = start..<min(start + 1024, frames.upperBound)
                let buffer = PCMBuffer(sampleRate: .hz44100, channelCount: 2, samples: tone(range))
                append(buffer.bytes, to: store, at: start, count: range.count, format)
            }
        }
    }

    private static func append(
        _ payload: [UInt8], to store: PacketStore, at frame: Int, count: Int, _ format: AudioWireFormat
    ) {
        payload.withUnsafeBytes {
            store.append(frame: Int64(frame), frameCount: count, format: format, payload: $0)
        }
    }

    /// Reads all packets, and checks that their places are those of the store.
    static func packets(of sound: SpeakerSound, in store: PacketStore) -> [PacketStore.Packet] {
        var packets: [PacketStore.Packet] = []
        var index: Int64 = 0
        while let packet = sound.packet(atOrAfter: index) {
            let own = store.packet(atOrAfter: index)
            #expect(packet.index == own?.index && packet.frame == own?.frame)
            #expect(packet.frameCount == own?.frameCount && packet.format == own?.format)
            packets.append(packet)
            index = packet.index + 1
        }
        return packets
    }

    static func payload(_ packet: PacketStore.Packet) -> [UInt8] { packet.withPayload { Array($0) } }

    /// Decodes packets of one format; the first two of AAC only prepare the decoder.
    static func samples(_ packets: [PacketStore.Packet]) throws -> [Float] {
        var widening = SampleConverter(to: .float32)
        guard let format = packets.first?.format else { return [] }
        switch format.codec {
        case .alac:
            let decoder = try ALACPacketDecoder(.cd)
            return try packets.flatMap { widening.convert(try decoder.decode(payload($0))).floatSamples }
        case .aacLC:
            let decoder = try AACPacketDecoder(sampleRate: .hz44100)
            return try packets.flatMap { try decoder.decode(payload($0)).floatSamples }
        default:
            return packets.flatMap { packet in
                packet.withPayload { Array($0.bindMemory(to: Float.self)) }
            }
        }
    }

    static func announcement(seconds: Double, level: Float = 0.2) -> SoundOverlay {
        let samples = (0..<Int(seconds * 44_100)).flatMap { frame in
            let sample = level * Float(sin(2 * .pi * 1500 * Double(frame) / 44_100))
            return [sample, sample]
        }
        return SoundOverlay(
            PCMBuffer(sampleRate: .hz44100, channelCount: 2, samples: samples), musicGain: 0.1)
    }

    @Test(
        "without a treatment or an announcement packets are the store's own",
        arguments: [AudioWireFormat.alac44100x16, .aac44100, .local(.hz44100)])
    func plain(_ format: AudioWireFormat) throws {
        let store = PacketStore()
        try Self.fill(store, 0..<44_100, as: format)
        store.finish()
        let sound = SpeakerSound(of: store)
        var index: Int64 = 0
        for packet in Self.packets(of: sound, in: store) {
            #expect(Self.payload(packet) == store.packet(atOrAfter: index).map { Self.payload($0) })
            index = packet.index + 1
        }
        #expect(index == store.endIndex)
    }

    @Test(
        "an announcement is mixed in at its frame, and what follows it is the store's own again",
        arguments: [AudioWireFormat.alac44100x16, .aac44100, .local(.hz44100)])
    func announcement(_ format: AudioWireFormat) throws {
        let store = PacketStore()
        try Self.fill(store, 0..<200_000, as: format)
        store.finish()
        let sound = SpeakerSound(of: store)
        let overlay = Self.announcement(seconds: 0.5)
        let begin = try #require(store.packet(holding: 60_000)).frame
        sound.add(SpeakerSound.PlacedOverlay(id: 1, overlay: overlay, frame: begin))
        let packets = Self.packets(of: sound, in: store)
        #expect(packets.count == Int(store.endIndex))
        let end = begin + overlay.frameCount
        for (packet, own) in zip(packets, Self.packets(of: SpeakerSound(of: store), in: store)) {
            let isTouched = packet.frame < end && packet.endFrame > begin
            #expect((Self.payload(packet) == Self.payload(own)) == !isTouched)
        }
        // The wanted mix: music down, the announcement over it, music up.
        let first = packets[0].frame
        let samples = try Self.samples(packets)
        var wanted = Self.tone(Int(first)..<Int(first) + samples.count / 2)
        wanted.withUnsafeMutableBufferPointer { overlay.mix(into: $0, at: first - begin) }
        let tolerance: Float = format.codec == .aacLC ? 0.06 : 1.0 / 16_000
        let range = 2 * Int(begin - first + 4096)..<2 * Int(end - first + 8192)
        let error = range.map { abs(samples[$0] - wanted[$0]) }.max() ?? 1
        #expect(error < tolerance)
    }

    @Test("a packet that is read again is the same, also after another one was read")
    func again() throws {
        let store = PacketStore()
        try Self.fill(store, 0..<60_000, as: .alac44100x16)
        let sound = SpeakerSound(of: store)
        sound.add(SpeakerSound.PlacedOverlay(id: 1, overlay: Self.announcement(seconds: 0.3), frame: 3520))
        let first = Self.packets(of: sound, in: store).map { Self.payload($0) }
        let second = Self.packets(of: sound, in: store).map { Self.payload($0) }
        #expect(first == second)
        let single = try #require(sound.packet(atOrAfter: 20))
        #expect(Self.payload(single) == first[20])
    }

    @Test("an announcement that is ended fades out and lets the music come back")
    func ended() throws {
        let store = PacketStore()
        try Self.fill(store, 0..<200_000, as: .local(.hz44100))
        let sound = SpeakerSound(of: store)
        sound.add(SpeakerSound.PlacedOverlay(id: 7, overlay: Self.announcement(seconds: 3), frame: 10_240))
        sound.endOverlay(7, at: 20_480)
        let samples = try Self.samples(Self.packets(of: sound, in: store))
        let own = Self.tone(0..<200_000)
        // 50 ms of fading, 150 ms until the music rises, 600 ms of rising.
        let rise = 20_480 + Int(0.2 * 44_100)
        for frame in rise - 100..<rise { #expect(abs(samples[2 * frame] - 0.1 * own[2 * frame]) < 1e-4) }
        for frame in rise + 26_470..<rise + 30_000 { #expect(samples[2 * frame] == own[2 * frame]) }
        sound.removeOverlay(7)
        #expect(try Self.samples(Self.packets(of: sound, in: store)) == own)
    }

    @Test("AAC waits for the packets that its encoder needs, and ends with the store")
    func waiting() throws {
        let (whole, store) = (PacketStore(), PacketStore())
        try Self.fill(whole, 0..<100_000, as: .aac44100)
        let (sound, other) = (SpeakerSound(of: whole), SpeakerSound(of: store))
        let overlay = Self.announcement(seconds: 9)
        sound.add(SpeakerSound.PlacedOverlay(id: 1, overlay: overlay, frame: 20_480))
        other.add(SpeakerSound.PlacedOverlay(id: 1, overlay: overlay, frame: 20_480))
        whole.finish()
        let expected = Self.packets(of: sound, in: whole)
        #expect(expected.count == Int(whole.endIndex))
        // The same packets, one at a time.
        var got: [PacketStore.Packet] = []
        for index in 0..<whole.endIndex {
            let packet = try #require(whole.packet(atOrAfter: index))
            packet.withPayload {
                store.append(
                    frame: packet.frame, frameCount: Int(packet.frameCount), format: packet.format,
                    payload: $0)
            }
            while let next = other.packet(atOrAfter: Int64(got.count)) { got.append(next) }
        }
        #expect(got.count < expected.count)
        store.finish()
        while let next = other.packet(atOrAfter: Int64(got.count)) { got.append(next) }
        #expect(got.map { Self.payload($0) } == expected.map { Self.payload($0) })
    }

    @Test("a treatment changes every packet, and none when it is off again")
    func treatment() throws {
        let store = PacketStore()
        try Self.fill(store, 0..<88_200, as: .alac44100x16)
        let sound = SpeakerSound(of: store)
        // The tones lie in the bands of 250 and 500 Hz.
        sound.setTreatment(SoundTreatment(equalizer: [0, 0, 0, -12, -12, 0, 0, 0, 0, 0]))
        let samples = try Self.samples(Self.packets(of: sound, in: store))
        let level = (22_050..<66_150).map { abs(samples[2 * $0]) }.max() ?? 1
        #expect((0.07...0.15).contains(level))
        sound.setTreatment(.none)
        let plain = Self.packets(of: sound, in: store).map { Self.payload($0) }
        #expect(plain == Self.packets(of: SpeakerSound(of: store), in: store).map { Self.payload($0) })
    }

    @Test("a packet that cannot be decoded goes out as it is")
    func damaged() throws {
        let store = PacketStore()
        try Self.fill(store, 0..<3520, as: .alac44100x16)
        Self.append([1, 2, 3], to: store, at: 3520, count: 352, .alac44100x16)
        let sound = SpeakerSound(of: store, treatment: SoundTreatment(isNightMode: true))
        #expect(Self.packets(of: sound, in: store).last.map { Self.payload($0) } == [1, 2, 3])
    }
}
