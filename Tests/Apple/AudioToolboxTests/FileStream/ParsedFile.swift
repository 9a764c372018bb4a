import AudioToolbox

/// A file passed through the C functions of the stream parser, as a player does.
final class ParsedFile {
    private(set) var properties: [AudioFileStreamPropertyID] = []
    /// Compressed packets; a single array for uncompressed audio.
    private(set) var packets: [[UInt8]] = []
    private(set) var packetCount = 0
    private var stream: AudioFileStreamID?
    var closesItself = false

    init(hint: AudioFileTypeID = 0) {
        AudioFileStreamOpen(
            Unmanaged.passUnretained(self).toOpaque(),
            { client, _, property, _ in
                Unmanaged<ParsedFile>.fromOpaque(client).takeUnretainedValue().properties.append(property)
            },
            { client, byteCount, count, data, descriptions in
                Unmanaged<ParsedFile>.fromOpaque(client).takeUnretainedValue().take(
                    UnsafeRawBufferPointer(start: data, count: Int(byteCount)), Int(count), descriptions)
            }, hint, &stream)
    }

    deinit { close() }

    func close() {
        if let stream { AudioFileStreamClose(stream) }
        stream = nil
    }

    private func take(
        _ bytes: UnsafeRawBufferPointer, _ count: Int,
        _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
    ) {
        packetCount += count
        if let descriptions {
            for index in 0..<count {
                let start = Int(descriptions[index].mStartOffset)
                packets.append(Array(bytes[start..<start + Int(descriptions[index].mDataByteSize)]))
            }
        } else {
            if packets.isEmpty { packets.append([]) }
            packets[0] += bytes
        }
        if closesItself { close() }
    }

    @discardableResult
    func parse(_ bytes: some Sequence<UInt8>, _ flags: AudioFileStreamParseFlags = []) -> OSStatus {
        guard let stream else { return -1 }
        let bytes = Array(bytes)
        return AudioFileStreamParseBytes(stream, UInt32(bytes.count), bytes, flags)
    }

    /// Parses everything in pieces of the given size.
    func parse(_ bytes: [UInt8], piece: Int) -> OSStatus {
        for start in stride(from: 0, to: bytes.count, by: piece) {
            let status = parse(bytes[start..<min(start + piece, bytes.count)])
            if status != noErr { return status }
        }
        return noErr
    }

    func value<Value: BitwiseCopyable>(_ id: AudioFileStreamPropertyID, _ initial: Value) -> Value? {
        guard let stream else { return nil }
        var value = initial
        var size = UInt32(MemoryLayout<Value>.size)
        return AudioFileStreamGetProperty(stream, id, &size, &value) == noErr ? value : nil
    }

    var format: AudioStreamBasicDescription? {
        value(kAudioFileStreamProperty_DataFormat, AudioStreamBasicDescription())
    }

    var packetTable: AudioFilePacketTableInfo? {
        value(kAudioFileStreamProperty_PacketTableInfo, AudioFilePacketTableInfo())
    }

    var dataOffset: Int64? { value(kAudioFileStreamProperty_DataOffset, 0) }

    var cookie: [UInt8] {
        guard let stream else { return [] }
        var size: UInt32 = 0
        var writable: DarwinBoolean = true
        guard
            AudioFileStreamGetPropertyInfo(stream, kAudioFileStreamProperty_MagicCookieData, &size, &writable)
                == noErr
        else { return [] }
        var cookie = [UInt8](repeating: 0, count: Int(size))
        AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_MagicCookieData, &size, &cookie)
        return cookie
    }

    func seek(_ packet: Int64) -> (offset: Int64, flags: AudioFileStreamSeekFlags, status: OSStatus) {
        guard let stream else { return (0, [], -1) }
        var (offset, flags) = (Int64(0), AudioFileStreamSeekFlags())
        let status = AudioFileStreamSeek(stream, packet, &offset, &flags)
        return (offset, flags, status)
    }

    func reset() { (packets, packetCount) = ([], 0) }
}
