import Testing
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM
import TuttiTestMedia
import TuttiTestSupport

@Suite("ALAC packets")
struct ALACTests {
    static let configurations = [ALACConfiguration.cd, .studio]

    static func buffer(_ format: PCMFormat, frameCount: Int, sample: (Int) -> Int32) -> PCMBuffer {
        let words = (0..<frameCount * 2).map(sample)
        if format.sampleFormat == .int16 {
            return PCMBuffer(
                sampleRate: format.sampleRate, channelCount: 2,
                samples: words.map { Int16(truncatingIfNeeded: $0 >> 16) })
        }
        return PCMBuffer(
            sampleRate: format.sampleRate, channelCount: 2, samples: words.map { $0 & ~0xFF }, is24Bit: true)
    }

    static func sounds(_ format: PCMFormat, frameCount: Int) -> [PCMBuffer] {
        [
            Signal.noise(frameCount: frameCount, seed: 5, format: format),
            buffer(format, frameCount: frameCount) { _ in 0 },
            buffer(format, frameCount: frameCount) { _ in .max },
            buffer(format, frameCount: frameCount) { _ in .min },
            buffer(format, frameCount: frameCount) { $0 % 2 == 0 ? .max : .min },
            buffer(format, frameCount: frameCount) { $0 / 2 % 2 == 0 ? .max : .min },
            buffer(format, frameCount: frameCount) { Int32(truncatingIfNeeded: $0 &* 40_000_000) },
        ]
    }

    @Test("any audio round-trips bit for bit", arguments: configurations, [1, 2, 31, 351, 352])
    func roundTrip(configuration: ALACConfiguration, frameCount: Int) throws {
        let encoder = try ALACEncoder(configuration)
        let decoder = try ALACPacketDecoder(configuration)
        for sound in Self.sounds(configuration.pcmFormat, frameCount: frameCount) {
            var payload: [UInt8] = [7]
            let count = try encoder.encode(sound, into: &payload)
            #expect(payload[0] == 7 && payload.count == count + 1)
            #expect(count <= frameCount * configuration.bitDepth / 8 * 2 + 16)
            #expect(try decoder.decode(Array(payload.dropFirst())) == sound)
        }
    }

    @Test(
        "parallel encoders make the same packets as one", arguments: configurations,
        [1, 15, 16, 17, 100, 255])
    func bank(configuration: ALACConfiguration, packetCount: Int) throws {
        let sound = Signal.noise(frameCount: packetCount * 352, seed: 3, format: configuration.pcmFormat)
        let encoder = try ALACEncoder(configuration)
        let expected = try (0..<packetCount).map { packet in
            var payload: [UInt8] = []
            try encoder.encode(sound[packet * 352..<(packet + 1) * 352], into: &payload)
            return payload
        }
        let bank = try ALACEncoderBank(configuration, workerCount: 3)
        for _ in 0..<2 {
            var packets: [[UInt8]] = []
            try sound.withUnsafeBytes { (bytes) throws(CodecError) in
                try bank.encode(bytes) { $0.forEach { packets.append(Array($0)) } }
            }
            #expect(packets == expected)
        }
    }

    @Test("a stream continues after a short packet")
    func afterShort() throws {
        let encoder = try ALACEncoder(.cd)
        let decoder = try ALACPacketDecoder(.cd)
        let sound = Signal.noise(frameCount: 2000, seed: 9, format: ALACConfiguration.cd.pcmFormat)
        var start = 0
        for count in [352, 100, 352, 352, 1, 1, 352] {
            var payload: [UInt8] = []
            try encoder.encode(sound[start..<start + count], into: &payload)
            #expect(try decoder.decode(payload) == sound[start..<start + count])
            start += count
        }
    }

    @Test("the cookie is the one that receivers expect")
    func cookie() throws {
        let vector = try Vectors.dictionary("airplay/alac.json")
        let expected = try #require(vector["magic_cookie_24_bytes"] as? String)
        #expect(ALACConfiguration.cd.cookie == Vectors.bytes(hex: expected))
    }

    @Test(
        "recorded packets decode to the recorded samples", arguments: ["compressed_frame", "verbatim_frame"])
    func recorded(key: String) throws {
        let vector = try Vectors.dictionary("airplay/alac.json")
        let payload = Vectors.bytes(hex: try #require(vector[key] as? String))
        let decoded = try ALACPacketDecoder(.cd).decode(payload)
        #expect(decoded.frameCount == 352)
        if key == "compressed_frame" {
            #expect(
                decoded.bytes
                    == Vectors.bytes(hex: try #require(vector["pcm_s16le_interleaved_352"] as? String)))
        }
    }

    @Test("our packet of the recorded samples equals the recorded packet")
    func sameAsRecorded() throws {
        let vector = try Vectors.dictionary("airplay/alac.json")
        let bytes = Vectors.bytes(hex: try #require(vector["pcm_s16le_interleaved_352"] as? String))
        let buffer = try #require(PCMBuffer(format: ALACConfiguration.cd.pcmFormat, bytes: bytes))
        var payload: [UInt8] = []
        try ALACEncoder(.cd).encode(buffer, into: &payload)
        #expect(payload == Vectors.bytes(hex: try #require(vector["compressed_frame"] as? String)))
    }

    /// A packet with uncompressed samples and no tag at the end, as AirPlay 1 senders write it.
    static func uncompressed(_ sound: PCMBuffer, hasNumber: Bool) -> [UInt8] {
        var bits: [Bool] = []
        func write(_ value: UInt32, _ count: Int) {
            for bit in (0..<count).reversed() { bits.append(value >> UInt32(bit) & 1 != 0) }
        }
        for (value, count) in [(1, 3), (0, 16), (hasNumber ? 1 : 0, 1), (0, 2), (1, 1)] as [(UInt32, Int)] {
            write(value, count)
        }
        if hasNumber { write(UInt32(sound.frameCount), 32) }
        sound.withUnsafeBytes { bytes in
            for sample in bytes.bindMemory(to: UInt16.self) { write(UInt32(sample), 16) }
        }
        while bits.count % 8 != 0 { bits.append(false) }
        return stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
        }
    }

    @Test("uncompressed packets without an end are decoded exactly", arguments: [1, 31, 352, 4096])
    func uncompressed(frameCount: Int) throws {
        let decoder = try ALACPacketDecoder(.cd, framesPerPacket: frameCount)
        for sound in Self.sounds(ALACConfiguration.cd.pcmFormat, frameCount: frameCount) {
            for hasNumber in [true, false] {
                let packet = Self.uncompressed(sound, hasNumber: hasNumber)
                #expect(try decoder.decode(packet) == sound)
                // One byte less or more is another matter.
                #expect(throws: CodecError.self) { try decoder.decode(packet.dropLast()) }
            }
        }
        // A packet may say that it is shorter.
        let short = Signal.noise(frameCount: 1, seed: 9, format: ALACConfiguration.cd.pcmFormat)
        #expect(try decoder.decode(Self.uncompressed(short, hasNumber: true)) == short)
        for count in 0..<8 {
            let head = Array(Self.uncompressed(short, hasNumber: true).prefix(count))
            #expect(throws: CodecError.self) { try decoder.decode(head) }
        }
    }

    @Test("hostile packets throw or decode, and leave the decoder working")
    func hostile() throws {
        let decoder = try ALACPacketDecoder(.cd)
        let sound = Signal.noise(frameCount: 352, seed: 1, format: ALACConfiguration.cd.pcmFormat)
        var good: [UInt8] = []
        try ALACEncoder(.cd).encode(sound, into: &good)
        var generator = SeededGenerator(seed: 77)
        for round in 0..<300 {
            var bad = round % 2 == 0 ? Array(good.prefix(round * 4)) : good
            for _ in 0..<5 where !bad.isEmpty {
                bad[Int.random(in: bad.indices, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            do { #expect(try decoder.decode(bad).frameCount <= 4096) } catch {}
        }
        #expect(throws: CodecError.self) { try decoder.decode([]) }
        #expect(try decoder.decode(good) == sound)
    }
}
