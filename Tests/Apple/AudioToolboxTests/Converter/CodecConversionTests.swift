import AudioToolbox
import Testing
import TuttiMediaTime
import TuttiPCM
import TuttiTestMedia

@Suite("Audio converter with encoders and decoders")
struct CodecConversionTests {
    /// An encoder's packets, and a decoder made for them.
    private func encode(
        _ bytes: [UInt8], _ source: AudioStreamBasicDescription, _ target: AudioStreamBasicDescription,
        bitRate: UInt32? = nil
    ) throws -> (conversion: Conversion, packets: [[UInt8]], cookie: [UInt8]) {
        let conversion = try Conversion(source, target)
        if var bitRate {
            AudioConverterSetProperty(conversion.converter, kAudioConverterEncodeBitRate, 4, &bitRate)
        }
        conversion.steps = [.bytes(bytes, packets: bytes.count / Int(source.mBytesPerFrame))]
        let packets = try conversion.allPackets()
        var size: UInt32 = 0
        var writable: DarwinBoolean = true
        #expect(
            AudioConverterGetPropertyInfo(
                conversion.converter, kAudioConverterCompressionMagicCookie, &size, &writable) == noErr)
        #expect(size > 0 && !writable.boolValue)
        var cookie = [UInt8](repeating: 0, count: Int(size))
        AudioConverterGetProperty(
            conversion.converter, kAudioConverterCompressionMagicCookie, &size, &cookie)
        return (conversion, packets, cookie)
    }

    private func decode(
        _ packets: [[UInt8]], _ source: AudioStreamBasicDescription, cookie: [UInt8],
        _ target: AudioStreamBasicDescription, prime: AudioConverterPrimeInfo? = nil
    ) throws -> [UInt8] {
        let conversion = try Conversion(source, target)
        AudioConverterSetProperty(
            conversion.converter, kAudioConverterDecompressionMagicCookie, UInt32(cookie.count), cookie)
        if var prime { AudioConverterSetProperty(conversion.converter, kAudioConverterPrimeInfo, 8, &prime) }
        // A few at a time, as players request them.
        conversion.steps = stride(from: 0, to: packets.count, by: 5).map {
            .packets(Array(packets[$0..<min($0 + 5, packets.count)]))
        }
        return try conversion.all(packets: 700)
    }

    @Test(
        "ALAC round-trips exactly, in 16 and 24 bits, stereo and mono", arguments: [16, 24],
        [1, 2] as [UInt32])
    func lossless(bits: Int, channels: UInt32) throws {
        let format = PCMFormat(
            sampleRate: .hz44100, channelCount: Int(channels), sampleFormat: bits == 16 ? .int16 : .int24in32)
        let noise = Signal.noise(frameCount: 10_000, seed: 5, format: format)
        let source: AudioStreamBasicDescription =
            bits == 16
            ? .pcm(16, channels: channels)
            : .pcm(
                24, channels: channels,
                flags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsAlignedHigh, bytes: 4)
        let flags =
            bits == 16 ? kAppleLosslessFormatFlag_16BitSourceData : kAppleLosslessFormatFlag_24BitSourceData
        let made = try encode(
            noise.bytes, source, .compressed(kAudioFormatAppleLossless, channels: channels, flags: flags))
        #expect(made.packets.count == 3 && made.cookie.count == 24)
        #expect(made.conversion.target.mFramesPerPacket == 4096)
        let decoded = try decode(made.packets, made.conversion.target, cookie: made.cookie, source)
        #expect(decoded == noise.bytes)
    }

    @Test("AAC audio is aligned once its priming frames are trimmed")
    func lossy() throws {
        let sweep = Signal.sweep(frameCount: 30_000)
        // An error of two frames would exceed this for every encoder.
        let made = try encode(sweep.bytes, .float(), .compressed(kAudioFormatMPEG4AAC), bitRate: 256_000)
        var prime = AudioConverterPrimeInfo()
        var size: UInt32 = 8
        AudioConverterGetProperty(made.conversion.converter, kAudioConverterPrimeInfo, &size, &prime)
        #expect(prime.leadingFrames == 1024)
        #expect(made.packets.count * 1024 == 30_000 + Int(prime.leadingFrames + prime.trailingFrames))
        #expect(made.packets.allSatisfy { $0.count <= 1536 } && made.cookie.first == 3)
        let decoded = try decode(
            made.packets, made.conversion.target, cookie: made.cookie, .float(), prime: prime)
        let result = try #require(PCMBuffer(format: sweep.format, bytes: decoded))
        #expect(result.frameCount == 30_000)
        let (place, behind) = (result[8192..<28_000], sweep[8193..<28_001])
        #expect(Signal.distance(place, sweep[8192..<28_000]) < 0.08)
        #expect(Signal.distance(place, sweep[8192..<28_000]) < Signal.distance(place, behind))
    }

    @Test("AAC without a cookie is decoded by its description")
    func withoutCookie() throws {
        let sweep = Signal.sweep(frameCount: 8192)
        let made = try encode(sweep.bytes, .float(), .compressed(kAudioFormatMPEG4AAC))
        let decoded = try decode(made.packets, made.conversion.target, cookie: [], .pcm(16))
        #expect(decoded.count == made.packets.count * 1024 * 4)
    }

    @Test("a bit rate changes the packet size, and a reset starts a new stream")
    func bitRate() throws {
        let sweep = Signal.sweep(frameCount: 44_100)
        let conversion = try Conversion(.float(), .compressed(kAudioFormatMPEG4AAC))
        var sizes: [Int] = []
        for rate in [64_000, 256_000] as [UInt32] {
            var rate = rate
            #expect(
                AudioConverterSetProperty(conversion.converter, kAudioConverterEncodeBitRate, 4, &rate)
                    == noErr)
            conversion.steps = [.bytes(sweep.bytes, packets: 44_100)]
            sizes.append(try conversion.allPackets().reduce(0) { $0 + $1.count })
            AudioConverterReset(conversion.converter)
        }
        #expect(sizes[1] > sizes[0] * 2)
    }

    @Test("an output packet that does not fit is kept for the next call")
    func roomForPackets() throws {
        let sweep = Signal.sweep(frameCount: 20_000)
        let conversion = try Conversion(.float(), .compressed(kAudioFormatMPEG4AAC))
        conversion.steps = [.bytes(sweep.bytes, packets: 20_000)]
        #expect(conversion.fill(1, room: 2).status == kAudioConverterErr_InvalidOutputSize)
        let one = conversion.fill(3, room: 1536)
        #expect(one.status == noErr && (1...3).contains(one.count))
        var largest: UInt32 = 0
        var size: UInt32 = 4
        AudioConverterGetProperty(
            conversion.converter, kAudioConverterPropertyMaximumOutputPacketSize, &size, &largest)
        #expect(largest == 1536)
    }
}
