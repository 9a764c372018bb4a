import CoreMedia
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM

/// Wraps packets and samples into sample buffers on a timeline.
///
/// Sound that cannot be wrapped, as without memory, gives `nil`, and is a hole for the listener.
struct SoundBuffers {
    let format: CMFormatDescription
    /// Timeline time of frame 0.
    let start: CMTime
    let timescale: CMTimeScale

    init(format: CMFormatDescription, sampleRate: SampleRate, start: CMTime) {
        self.format = format
        self.start = start
        timescale = CMTimeScale(sampleRate.hertz)
    }

    func time(_ frame: Int64) -> CMTime { start + CMTime(value: frame, timescale: timescale) }

    private func length(_ frames: Int) -> CMTime { CMTime(value: Int64(frames), timescale: timescale) }

    /// Wraps unchanged packets of one group of ``PacketGroups``.
    func buffer(of packets: [EncodedPacket]) -> CMSampleBuffer? {
        guard let first = packets.first else { return nil }
        let timings = packets.map { packet in
            CMSampleTimingInfo(
                duration: length(packet.duration), presentationTimeStamp: time(packet.timestamp),
                decodeTimeStamp: .invalid)
        }
        let isEven = packets.allSatisfy { $0.duration == first.duration }
        guard let block = Self.block(packets.map { $0.payload[...] }),
            let buffer = try? CMSampleBuffer(
                dataBuffer: block, formatDescription: format, numSamples: packets.count,
                sampleTimings: isEven ? [timings[0]] : timings, sampleSizes: packets.map(\.payload.count))
        else { return nil }
        Self.trim(
            buffer, kCMSampleBufferAttachmentKey_TrimDurationAtStart,
            length(packets.reduce(0) { $0 + $1.skipAtStart }))
        Self.trim(
            buffer, kCMSampleBufferAttachmentKey_TrimDurationAtEnd,
            length(packets.reduce(0) { $0 + $1.skipAtEnd }))
        return buffer
    }

    /// Wraps unchanged samples without the inaudible frames, which uncompressed sound can leave out.
    func buffer(ofSamples packets: [EncodedPacket]) -> CMSampleBuffer? {
        guard let bytesPerFrame = format.audioStreamBasicDescription.map({ Int($0.mBytesPerFrame) }),
            bytesPerFrame > 0
        else { return nil }
        var heard: [ArraySlice<UInt8>] = []
        var first: Int64?
        for packet in packets {
            let whole = packet.payload.count / bytesPerFrame
            let end = max(0, min(whole, packet.duration - packet.skipAtEnd))
            let begin = min(max(0, packet.skipAtStart), end)
            if begin == end { continue }
            if first == nil { first = packet.timestamp + Int64(begin) }
            heard.append(packet.payload[begin * bytesPerFrame..<end * bytesPerFrame])
        }
        return first.flatMap { buffer(ofBytes: heard, bytesPerFrame: bytesPerFrame, at: $0) }
    }

    /// Wraps decoded samples.
    func buffer(of sound: DecodedAudio) -> CMSampleBuffer? {
        sound.buffer.isEmpty
            ? nil
            : buffer(
                ofBytes: [sound.buffer.bytes[...]], bytesPerFrame: sound.buffer.format.bytesPerFrame,
                at: sound.timestamp)
    }

    /// Wraps samples that begin at a frame.
    func buffer(of frames: PCMBuffer, at frame: Int64) -> CMSampleBuffer? {
        frames.isEmpty
            ? nil
            : buffer(ofBytes: [frames.bytes[...]], bytesPerFrame: frames.format.bytesPerFrame, at: frame)
    }

    private func buffer(
        ofBytes pieces: [ArraySlice<UInt8>], bytesPerFrame: Int, at frame: Int64
    ) -> CMSampleBuffer? {
        guard let block = Self.block(pieces) else { return nil }
        return try? CMSampleBuffer(
            dataBuffer: block, formatDescription: format, numSamples: block.dataLength / bytesPerFrame,
            presentationTimeStamp: time(frame), packetDescriptions: [])
    }

    /// Copies the pieces, one after the other, into a new block.
    static func block(_ pieces: [ArraySlice<UInt8>]) -> CMBlockBuffer? {
        let size = pieces.reduce(0) { $0 + $1.count }
        guard let block = try? CMBlockBuffer(length: size, flags: .assureMemoryNow) else { return nil }
        var offset = 0
        for piece in pieces {
            let status = piece.withUnsafeBytes { bytes in
                bytes.baseAddress.map {
                    CMBlockBufferReplaceDataBytes(
                        with: $0, blockBuffer: block, offsetIntoDestination: offset, dataLength: bytes.count)
                } ?? kCMBlockBufferNoErr
            }
            guard status == kCMBlockBufferNoErr else { return nil }
            offset += piece.count
        }
        return block
    }

    private static func trim(_ buffer: CMSampleBuffer, _ key: CFString, _ length: CMTime) {
        guard length > .zero else { return }
        CMSetAttachment(
            buffer, key: key, value: CMTimeCopyAsDictionary(length, allocator: kCFAllocatorDefault),
            attachmentMode: kCMAttachmentMode_ShouldPropagate)
    }
}
