import AVFoundation
import Codecs
import MediaTime
import PCM

/// One file as sample buffers on the timeline: packets as they are where the renderer decodes them,
/// decoded samples where only the file's own decoder can.
final class PacketSource {
    let info: MediaInfo
    /// Timeline time after the last frame that was read and is heard.
    private(set) var end: CMTime

    private let reader: MediaReader
    private let start: CMTime
    private let timescale: CMTimeScale
    private let format: CMFormatDescription
    private let decoder: AudioDecoder?
    private var isAtEnd = false
    private var next: EncodedPacket?

    /// About this much sound in a buffer.
    private static let bufferSeconds = 1.0
    /// A buffer is closed before it grows beyond this, whatever a file claims of its packets' length.
    private static let bufferByteLimit = 4 << 20

    /// What was odd about the file so far.
    var warnings: [MediaWarning] { reader.warnings }

    /// - Parameters:
    ///   - start: timeline time of the file's first frame.
    ///   - position: where in the file to begin.
    init(path: String, start: CMTime, position: CMTime) throws(MediaError) {
        reader = try MediaReader(path)
        info = reader.info
        self.start = start
        timescale = CMTimeScale(info.sampleRate.hertz)
        let frame = max(0, position.convertScale(timescale, method: .roundTowardZero).value)
        end = start + CMTime(value: frame, timescale: timescale)
        if frame > 0 { try reader.seek(toFrame: frame) }
        do {
            (format, decoder) = try SourceDescription.make(info)
        } catch {
            throw .noDecoder(name: path, codec: info.codec.description)
        }
    }

    /// The next buffer, or `nil` at the end of the file.
    func nextBuffer() throws(MediaError) -> CMSampleBuffer? {
        while !isAtEnd {
            let packets = try nextPackets()
            if packets.isEmpty { return decoder == nil ? nil : drain() }
            if let buffer = decoder == nil ? wrap(packets) : decode(packets) { return buffer }
        }
        return nil
    }

    /// Packets that belong together: they follow each other, and only the outer ones have skips.
    private func nextPackets() throws(MediaError) -> [EncodedPacket] {
        var packets: [EncodedPacket] = []
        let limit = Int64(Self.bufferSeconds * Double(timescale))
        var (length, bytes): (Int64, Int) = (0, 0)
        while length < limit, bytes < Self.bufferByteLimit {
            var taken = next
            next = nil
            if taken == nil { taken = try reader.nextPacket() }
            guard let packet = taken else {
                isAtEnd = packets.isEmpty || decoder == nil
                break
            }
            let isJump = packets.last.map { $0.endTimestamp != packet.timestamp || $0.duration == 0 } ?? false
            let isOpened = packets.contains { $0.skipAtStart < $0.duration }
            let isClosed =
                packets.last.map { $0.skipAtEnd > 0 && packet.skipAtEnd < packet.duration } ?? false
            if isJump || isClosed || (isOpened && packet.skipAtStart > 0) {
                next = packet
                break
            }
            packets.append(packet)
            length += Int64(packet.duration)
            bytes += packet.payload.count
        }
        return packets
    }

    private func time(_ frame: Int64) -> CMTime { start + CMTime(value: frame, timescale: timescale) }
    private func length(_ frames: Int) -> CMTime { CMTime(value: Int64(frames), timescale: timescale) }

    // MARK: Packets as they are

    private func wrap(_ packets: [EncodedPacket]) -> CMSampleBuffer? {
        guard let first = packets.first, let last = packets.last else { return nil }
        let heard = last.endTimestamp - Int64(packets.reduce(0) { $0 + $1.skipAtEnd })
        end = max(end, time(heard))
        let timings = packets.map { packet in
            CMSampleTimingInfo(
                duration: length(packet.duration), presentationTimeStamp: time(packet.timestamp),
                decodeTimeStamp: .invalid)
        }
        let isEven = packets.allSatisfy { $0.duration == first.duration }
        guard let block = Self.block(packets.map(\.payload)),
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

    private static func block(_ payloads: [[UInt8]]) -> CMBlockBuffer? {
        guard
            let block = try? CMBlockBuffer(
                length: payloads.reduce(0) { $0 + $1.count }, flags: .assureMemoryNow)
        else { return nil }
        var offset = 0
        for payload in payloads {
            let status = payload.withUnsafeBytes { bytes in
                bytes.baseAddress.map {
                    CMBlockBufferReplaceDataBytes(
                        with: $0, blockBuffer: block, offsetIntoDestination: offset, dataLength: bytes.count)
                } ?? kCMBlockBufferNoErr
            }
            guard status == kCMBlockBufferNoErr else { return nil }
            offset += payload.count
        }
        return block
    }

    private static func trim(_ buffer: CMSampleBuffer, _ key: CFString, _ length: CMTime) {
        guard length > .zero else { return }
        CMSetAttachment(
            buffer, key: key, value: CMTimeCopyAsDictionary(length, allocator: kCFAllocatorDefault),
            attachmentMode: kCMAttachmentMode_ShouldPropagate)
    }

    // MARK: Samples

    private func decode(_ packets: [EncodedPacket]) -> CMSampleBuffer? {
        guard let decoder else { return nil }
        var sound: DecodedAudio?
        for packet in packets {
            guard let more = decoder.decode(packet) else { continue }
            if sound == nil { sound = more } else { sound?.buffer.append(more.buffer) }
        }
        return sound.flatMap(wrap)
    }

    private func drain() -> CMSampleBuffer? {
        isAtEnd = true
        return decoder?.drain().flatMap(wrap)
    }

    private func wrap(_ sound: DecodedAudio) -> CMSampleBuffer? {
        let count = sound.buffer.frameCount
        guard count > 0, let block = Self.block([sound.buffer.bytes]) else { return nil }
        end = max(end, time(sound.timestamp + Int64(count)))
        return try? CMSampleBuffer(
            dataBuffer: block, formatDescription: format, numSamples: count,
            presentationTimeStamp: time(sound.timestamp), packetDescriptions: [])
    }
}
