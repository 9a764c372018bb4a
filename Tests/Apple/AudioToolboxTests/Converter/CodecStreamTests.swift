import AudioToolbox
import Testing
import TuttiMediaTime
import TuttiPCM
import TuttiTestMedia

@Suite("Streams through encoders and decoders")
struct CodecStreamTests {
    private static let format = PCMFormat(sampleRate: .hz44100, channelCount: 2, sampleFormat: .int16)

    private func noise(_ frames: Int, seed: UInt64) -> [UInt8] {
        Signal.noise(frameCount: frames, seed: seed, format: Self.format).bytes
    }

    private func encoder() throws -> Conversion {
        try Conversion(.pcm(16), .compressed(kAudioFormatAppleLossless))
    }

    /// A decoder of an encoder's packets.
    private func decoder(of encoder: Conversion) throws -> Conversion {
        var cookie = [UInt8](repeating: 0, count: 24)
        var size: UInt32 = 24
        let status = AudioConverterGetProperty(
            encoder.converter, kAudioConverterCompressionMagicCookie, &size, &cookie)
        #expect(status == noErr && size == 24)
        let decoder = try Conversion(encoder.target, .pcm(16))
        AudioConverterSetProperty(decoder.converter, kAudioConverterDecompressionMagicCookie, size, cookie)
        return decoder
    }

    @Test("input after the end of the input is a new stream: its packets repeat those of the first")
    func twoStreams() throws {
        let encoder = try encoder()
        let sound = noise(5000, seed: 1)
        encoder.steps = [.bytes(sound, packets: 5000), .end, .bytes(sound, packets: 5000), .end]
        let packets = try encoder.allPackets()
        #expect(packets.count == 4)
        guard packets.count == 4 else { return }
        #expect(packets[0] == packets[2] && packets[1] == packets[3])
        let decoder = try decoder(of: encoder)
        decoder.steps = [.packets(packets)]
        #expect(try decoder.all() == sound + sound)
    }

    @Test("a reset discards what is inside an encoder and a decoder")
    func reset() throws {
        let encoder = try encoder()
        // Less than a packet stays inside.
        encoder.steps = [.bytes(noise(3000, seed: 2), packets: 3000), .status(7)]
        let early = encoder.fill(1, room: 1 << 16)
        #expect(early.count == 0 && early.status == 7)
        AudioConverterReset(encoder.converter)
        let sound = noise(6000, seed: 3)
        encoder.steps = [.bytes(sound, packets: 6000)]
        let packets = try encoder.allPackets()
        let decoder = try decoder(of: encoder)
        decoder.steps = [.packets(packets)]
        let start = decoder.fill(100, room: 400)
        #expect(start.count == 100 && start.buffers[0] == Array(sound.prefix(400)))
        AudioConverterReset(decoder.converter)
        decoder.steps = [.packets(packets)]
        #expect(try decoder.all(packets: 777) == sound)
    }

    @Test("frames are trimmed at both ends, also when a trim is longer than a packet")
    func trims() throws {
        let encoder = try encoder()
        let sound = noise(20_000, seed: 4)
        encoder.steps = [.bytes(sound, packets: 20_000)]
        let packets = try encoder.allPackets()
        let decoder = try decoder(of: encoder)
        // The last packet lacks 480 of its frames, which count as trimmed.
        var prime = AudioConverterPrimeInfo(leadingFrames: 5000, trailingFrames: 6000 + 480)
        #expect(AudioConverterSetProperty(decoder.converter, kAudioConverterPrimeInfo, 8, &prime) == noErr)
        for _ in 0..<2 {
            decoder.steps = packets.map { .packets([$0]) }
            #expect(try decoder.all(packets: 900) == Array(sound[(5000 * 4)..<(14_000 * 4)]))
        }
    }

    @Test("a trim of everything leaves nothing")
    func trimAll() throws {
        let encoder = try encoder()
        encoder.steps = [.bytes(noise(4096, seed: 5), packets: 4096)]
        let packets = try encoder.allPackets()
        let decoder = try decoder(of: encoder)
        var prime = AudioConverterPrimeInfo(leadingFrames: 3000, trailingFrames: 3000)
        AudioConverterSetProperty(decoder.converter, kAudioConverterPrimeInfo, 8, &prime)
        decoder.steps = [.packets(packets)]
        #expect(try decoder.all().isEmpty)
    }

    @Test("a packet that cannot be decoded is told once, and the next ones are decoded")
    func damaged() throws {
        let folder = try TestFolder()
        try MediaFile.kind("cbr.mp3").write(Signal.sweep(frameCount: 30_000), to: folder.file("a.mp3"))
        let parsed = ParsedFile()
        #expect(parsed.parse(try TestFolder.bytes(of: folder.file("a.mp3"))) == noErr)
        let format = try #require(parsed.format)
        let clean = try Conversion(format, .pcm(16))
        clean.steps = [.packets(parsed.packets)]
        let sound = try clean.all()
        let conversion = try Conversion(format, .pcm(16))
        conversion.steps = [
            .packets(Array(parsed.packets.prefix(5)) + [[1, 2, 3]]),
            .packets(Array(parsed.packets.dropFirst(5))),
        ]
        var (output, errors) = ([UInt8](), 0)
        while true {
            let result = conversion.fill(2000, room: 8000)
            output += result.buffers[0]
            if result.status != noErr {
                #expect(result.status == kAudioCodecBadDataError)
                errors += 1
                if errors > 3 { break }
            } else if result.count == 0 {
                break
            }
        }
        #expect(errors == 1 && output == sound)
    }

    @Test("packet descriptions outside the data are refused, and what was before them is converted")
    func wrongPlaces() throws {
        let encoder = try encoder()
        let sound = noise(4096, seed: 6)
        encoder.steps = [.bytes(sound, packets: 4096)]
        let packets = try encoder.allPackets()
        let decoder = try decoder(of: encoder)
        for (start, size): (Int64, UInt32) in [
            (-1, 4), (0, 101), (99, 2), (.max, 1), (1 << 33, 1), (0, .max),
        ] {
            var bytes = [UInt8](repeating: 1, count: 100)
            var place = AudioStreamPacketDescription(
                mStartOffset: start, mVariableFramesInPacket: 0, mDataByteSize: size)
            let status = bytes.withUnsafeMutableBytes { bytes in
                withUnsafeMutablePointer(to: &place) { place in
                    fill(decoder, bytes, place)
                }
            }
            #expect(status == kAudioConverterErr_InvalidInputSize)
        }
        decoder.steps = [.packets(packets)]
        #expect(try decoder.all() == sound)
    }

    /// The result of one call whose procedure gives one packet at a place in the bytes.
    private func fill(
        _ conversion: Conversion, _ bytes: UnsafeMutableRawBufferPointer,
        _ place: UnsafeMutablePointer<AudioStreamPacketDescription>
    ) -> OSStatus {
        var room = [Int16](repeating: 0, count: 2)
        return room.withUnsafeMutableBytes { room in
            var list = AudioBufferList(
                mNumberBuffers: 1,
                mBuffers: AudioBuffer(mNumberChannels: 2, mDataByteSize: 4, mData: room.baseAddress))
            var count: UInt32 = 1
            return AudioConverterFillComplexBuffer(
                conversion.converter,
                { _, count, list, places, _ in
                    list.pointee.mBuffers.mData = bytes.baseAddress
                    list.pointee.mBuffers.mDataByteSize = UInt32(bytes.count)
                    places?.pointee = place
                    count.pointee = 1
                    return noErr
                }, nil, &count, &list, nil)
        }
    }

    @Test("a call for no packets asks for no input, and without a place for descriptions makes one packet")
    func counts() throws {
        let encoder = try encoder()
        encoder.steps = [.bytes(noise(4096 * 3, seed: 7), packets: 4096 * 3)]
        let nothing = encoder.fill(0, room: 0)
        #expect(nothing.status == noErr && nothing.count == 0 && encoder.calls == 0)
        let room = UnsafeMutableRawPointer.allocate(byteCount: 1 << 17, alignment: 16)
        defer { room.deallocate() }
        var list = AudioBufferList(
            mNumberBuffers: 1, mBuffers: AudioBuffer(mNumberChannels: 2, mDataByteSize: 1 << 17, mData: room))
        var count: UInt32 = 3
        let owner = Unmanaged.passUnretained(encoder).toOpaque()
        let sound = noise(4096 * 3, seed: 7)
        let input = UnsafeMutableRawPointer.allocate(byteCount: sound.count, alignment: 16)
        defer { input.deallocate() }
        input.copyMemory(from: sound, byteCount: sound.count)
        let status = AudioConverterFillComplexBuffer(
            encoder.converter,
            { _, count, list, places, user in
                guard places == nil, user != nil else { return -1 }
                list.pointee.mBuffers.mData = input
                list.pointee.mBuffers.mDataByteSize = UInt32(sound.count)
                count.pointee = 4096 * 3
                return noErr
            }, owner, &count, &list, nil)
        #expect(status == noErr && count == 1)
        #expect(list.mBuffers.mDataByteSize > 4096 && list.mBuffers.mDataByteSize < 1 << 17)
    }
}
