import Testing
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM
import TuttiTestMedia
import TuttiTestSupport

@Suite("AAC access units")
struct AACTests {
    static func encode(_ sound: PCMBuffer, bitRate: Int = 256_000) throws -> (
        units: [[UInt8]], encoder: AACEncoder
    ) {
        let encoder = try AACEncoder(sampleRate: sound.format.sampleRate, bitRate: bitRate)
        var units: [[UInt8]] = []
        for start in stride(from: 0, to: sound.frameCount, by: 1024) {
            var unit: [UInt8] = []
            if try encoder.encode(sound[start..<start + 1024], into: &unit) { units.append(unit) }
        }
        try encoder.finish()
        var unit: [UInt8] = []
        while try encoder.drain(into: &unit) {
            units.append(unit)
            unit = []
        }
        return (units, encoder)
    }

    @Test("decoded audio is delayed by the encoder's delay", arguments: [SampleRate.hz44100, .hz48000])
    func roundTrip(rate: SampleRate) throws {
        let sound = Signal.sweep(frameCount: 60_000, rate: rate)
        let (units, encoder) = try Self.encode(sound)
        let decoder = try AACPacketDecoder(cookie: encoder.cookie, sampleRate: rate)
        var output = PCMBuffer(format: decoder.outputFormat)
        for unit in units {
            let part = try decoder.decode(unit)
            #expect(part.frameCount == 1024)
            output.append(part)
        }
        #expect(encoder.delay == 1024)
        #expect(output.frameCount >= 60_000 + encoder.delay)
        let heard = output[encoder.delay..<encoder.delay + 60_000]
        // The encoder needs a few packets to find its rate.
        #expect(Signal.distance(heard, sound, frames: 8192..<60_000) < 0.03)
    }

    @Test("the bit rate is close to the requested one", arguments: [128_000, 256_000])
    func bitRate(wanted: Int) throws {
        let noise = Signal.noise(
            frameCount: 100_000, seed: 3,
            format: PCMFormat(sampleRate: .hz44100, channelCount: 2, sampleFormat: .int16))
        var converter = SampleConverter(to: .float32)
        let (units, _) = try Self.encode(converter.convert(noise), bitRate: wanted)
        let bits = units.reduce(0) { $0 + $1.count * 8 } * 44_100 / (units.count * 1024)
        #expect((wanted * 8 / 10...wanted * 12 / 10).contains(bits))
        #expect(units.allSatisfy { $0.count < 1600 })
    }

    @Test("units are raw, without a header or the library's name")
    func raw() throws {
        let (units, encoder) = try Self.encode(Signal.sweep(frameCount: 4096))
        #expect(units.allSatisfy { !($0[0] == 0xFF && $0[1] & 0xF0 == 0xF0) })
        #expect(units.allSatisfy { !$0.contains(Array("Lavc".utf8)) })
        #expect(Array(encoder.cookie.prefix(2)) == [0x12, 0x10])
    }

    @Test("recorded units decode to 1024 frames")
    func recorded() throws {
        let vector = try Vectors.dictionary("airplay/aac.json")
        let frames = try #require(vector["frames"] as? [String])
        let decoder = try AACPacketDecoder(sampleRate: .hz44100)
        for frame in frames {
            let decoded = try decoder.decode(Vectors.bytes(hex: frame))
            #expect(decoded.frameCount == 1024)
            #expect(decoded.floatSamples.allSatisfy { abs($0) <= 1.5 })
        }
    }

    @Test("a decoder started one unit early is exact from its second unit on")
    func start() throws {
        let (units, encoder) = try Self.encode(Signal.sweep(frameCount: 40_960))
        let whole = try AACPacketDecoder(cookie: encoder.cookie, sampleRate: .hz44100)
        let late = try AACPacketDecoder(cookie: encoder.cookie, sampleRate: .hz44100)
        let all = try units.map { try whole.decode($0) }
        let part = try units[20...].map { try late.decode($0) }
        for (index, buffer) in part.enumerated().dropFirst() {
            #expect(Signal.distance(buffer, all[20 + index]) <= 1 / 32_768)
        }
        late.reset()
        _ = try late.decode(units[20])
        #expect(Signal.distance(try late.decode(units[21]), all[21]) <= 1 / 32_768)
    }
}
