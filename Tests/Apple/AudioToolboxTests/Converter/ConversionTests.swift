import AudioToolbox
import Testing
import TuttiMediaTime
import TuttiPCM
import TuttiTestMedia

@Suite("Audio converter")
struct ConversionTests {
    private let noise = Signal.noise(
        frameCount: 5000, seed: 3,
        format: PCMFormat(sampleRate: .hz44100, channelCount: 2, sampleFormat: .int16))

    /// Returns the bytes of converting everything.
    private func convert(
        _ bytes: [UInt8], _ source: AudioStreamBasicDescription, _ target: AudioStreamBasicDescription
    ) throws -> [UInt8] {
        let conversion = try Conversion(source, target)
        conversion.steps = [.bytes(bytes, packets: bytes.count / Int(source.mBytesPerFrame))]
        return try conversion.all()
    }

    static let layouts: [AudioStreamBasicDescription] = [
        .pcm(24), .pcm(32), .float(), .pcm(64, flags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked),
        .pcm(
            24,
            flags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked | kAudioFormatFlagIsBigEndian),
        .pcm(24, flags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsAlignedHigh, bytes: 4),
        .pcm(20, flags: kAudioFormatFlagIsSignedInteger, bytes: 4),
        .pcm(16, flags: kAudioFormatFlagIsPacked),
        .pcm(32, flags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked | kAudioFormatFlagIsBigEndian),
    ]

    @Test("16-bit samples round-trip through every wider layout", arguments: layouts)
    func roundTrip(layout: AudioStreamBasicDescription) throws {
        let there = try convert(noise.bytes, .pcm(16), layout)
        #expect(there.count == 5000 * Int(layout.mBytesPerFrame))
        #expect(try convert(there, layout, .pcm(16)) == noise.bytes)
    }

    @Test("planes are filled separately, and mono is copied to both channels")
    func planes() throws {
        let planar = AudioStreamBasicDescription.pcm(
            16,
            flags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
                | kAudioFormatFlagIsNonInterleaved)
        let conversion = try Conversion(.pcm(16), planar)
        conversion.steps = [.bytes([1, 0, 2, 0, 3, 0, 4, 0], packets: 2)]
        let result = conversion.fill(100, room: 400)
        #expect(result.buffers == [[1, 0, 3, 0], [2, 0, 4, 0]] && result.count == 2)
        #expect(try convert([1, 0, 2, 0], .pcm(16, channels: 1), .pcm(16)) == [1, 0, 1, 0, 2, 0, 2, 0])
        #expect(try convert([1, 0, 2, 0], .pcm(16), .pcm(16, channels: 1)) == [1, 0])
    }

    @Test("a channel map and a mix map route the channels")
    func maps() throws {
        let swapped = try Conversion(.pcm(16), .pcm(16))
        let map: [Int32] = [1, -1]
        #expect(AudioConverterSetProperty(swapped.converter, kAudioConverterChannelMap, 8, map) == noErr)
        #expect(
            AudioConverterSetProperty(swapped.converter, kAudioConverterChannelMap, 4, map)
                == kAudioConverterErr_BadPropertySizeError)
        swapped.steps = [.bytes([1, 0, 2, 0], packets: 1)]
        #expect(try swapped.all() == [2, 0, 0, 0])
        let mixed = try Conversion(.float(), .float(channels: 1))
        let factors: [Float] = [0.5, 0.25]
        AudioConverterSetProperty(mixed.converter, kAudioConverterPropertyChannelMixMap, 8, factors)
        mixed.steps = [.bytes([Float(1), 1].flatMap { withUnsafeBytes(of: $0) { Array($0) } }, packets: 1)]
        #expect(try mixed.all() == withUnsafeBytes(of: Float(0.75)) { Array($0) })
    }

    @Test("another rate yields the frames of the same duration, with the same audio")
    func rates() throws {
        let source = Signal.sweep(frameCount: 44_100)
        let up = try convert(source.bytes, .float(), .float(rate: 48_000))
        #expect(up.count == 48_000 * 8)
        let back = try convert(up, .float(rate: 48_000), .float())
        let result = try #require(PCMBuffer(format: source.format, bytes: back))
        #expect(result.frameCount == 44_100)
        #expect(Signal.distance(result, source, frames: 2000..<42_000) < 0.001)
    }

    @Test("an error of the input procedure is returned, and the next call is unaffected")
    func noDataNow() throws {
        let source = Signal.sweep(frameCount: 9000)
        let whole = try convert(source.bytes, .float(), .float(rate: 48_000))
        let conversion = try Conversion(.float(), .float(rate: 48_000))
        let cuts = [0, 3000, 3100, 9000]
        for (start, end) in zip(cuts, cuts.dropFirst()) {
            conversion.steps.append(.bytes(source[start..<end].bytes, packets: end - start))
            conversion.steps.append(.status(100))
        }
        conversion.steps.append(.end)
        var output: [UInt8] = []
        var errors = 0
        while true {
            let result = conversion.fill(1000, room: 8000)
            output += result.buffers[0]
            #expect(result.status == noErr || result.status == 100)
            errors += result.status == 100 ? 1 : 0
            if result.status == noErr, result.count == 0 { break }
        }
        #expect(errors == 3 && output == whole)
    }

    @Test("zero packets end the input, and a later call may start again")
    func endAndAgain() throws {
        let conversion = try Conversion(.pcm(16), .pcm(16))
        conversion.steps = [.bytes([1, 0, 2, 0], packets: 1), .end, .bytes([3, 0, 4, 0], packets: 1), .end]
        #expect(conversion.fill(10, room: 40).buffers[0] == [1, 0, 2, 0])
        #expect(conversion.fill(10, room: 40).buffers[0] == [3, 0, 4, 0])
        let nothing = conversion.fill(10, room: 40)
        #expect(nothing.count == 0 && nothing.status == noErr)
    }

    @Test("missing room, partial frames and packets without descriptions are refused with their codes")
    func refusals() throws {
        let conversion = try Conversion(.pcm(16), .pcm(16))
        conversion.steps = [.bytes([1, 0, 2], packets: 1)]
        #expect(conversion.fill(1, room: 3).status == kAudioConverterErr_InvalidOutputSize)
        #expect(conversion.calls == 0)
        #expect(conversion.fill(1, room: 4).status == kAudioConverterErr_InvalidInputSize)
        let compressed = try Conversion(.compressed(kAudioFormatMPEGLayer3), .pcm(16))
        compressed.steps = [.bytes([1, 2, 3], packets: 1), .packets([[1, 2, 3]])]
        #expect(compressed.fill(9, room: 36).status == kAudioConverterErr_RequiresPacketDescriptionsError)
        #expect(compressed.fill(9, room: 36).status == kAudioCodecBadDataError)
    }

    @Test("formats that cannot be converted are refused")
    func formats() {
        func code(_ source: AudioStreamBasicDescription, _ target: AudioStreamBasicDescription) -> OSStatus {
            do { _ = try Conversion(source, target) } catch {
                return (error as? Conversion.Status)?.code ?? -1
            }
            return noErr
        }
        #expect(code(.compressed(kAudioFormatAC3), .pcm(16)) == kAudioConverterErr_FormatNotSupported)
        #expect(code(.pcm(16), .compressed(kAudioFormatMPEGLayer3)) == kAudioConverterErr_FormatNotSupported)
        #expect(code(.pcm(16, rate: .nan), .pcm(16)) == kAudioConverterErr_InputSampleRateOutOfRange)
        #expect(code(.pcm(16), .pcm(16, rate: 1e12)) == kAudioConverterErr_OutputSampleRateOutOfRange)
        #expect(code(.pcm(16, channels: 0), .pcm(16)) == kAudioConverterErr_FormatNotSupported)
        #expect(code(.pcm(99), .pcm(16)) == kAudioConverterErr_FormatNotSupported)
    }

    @Test("a run of PCM is converted in one call")
    func runs() throws {
        let conversion = try Conversion(.pcm(16), .float())
        var output = [Float](repeating: 9, count: 4)
        var size: UInt32 = 16
        let status = AudioConverterConvertBuffer(
            conversion.converter, 8, [Int16(16_384), -16_384, 0, 8192], &size, &output)
        #expect(status == noErr && size == 16 && output == [0.5, -0.5, 0, 0.25])
        size = 8
        #expect(
            AudioConverterConvertBuffer(
                conversion.converter, 8, [Int16](repeating: 0, count: 4), &size, &output)
                == kAudioConverterErr_InvalidOutputSize)
        let other = try Conversion(.pcm(16), .float(rate: 48_000))
        size = 16
        #expect(
            AudioConverterConvertBuffer(other.converter, 8, [Int16](repeating: 0, count: 4), &size, &output)
                == kAudioConverterErr_OperationNotSupported)
    }
}
