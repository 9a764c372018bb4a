import CoreAudioTypes
import Foundation
import TuttiCodecs
import TuttiPCM
import TuttiWire

/// A sink for frames of one format, which it returns as samples in memory or as encoded packets.
///
/// Only one thread at a time may use an instance.
final class ConverterOutput {
    /// The requested format, with the fields filled in that follow from the encoding.
    private(set) var stream: AudioStreamBasicDescription
    let linear: LinearFormat?
    /// The bit rate of a lossy encoder in bits per second; a new value starts a new stream.
    private(set) var bitRate: Int

    private(set) var encoder: PacketEncoder?
    private var frames: PCMQueue
    private var packets = IndexedQueue<[UInt8]>()
    /// Frames and packets of the encoded stream so far.
    private var encodedFrameCount = 0
    private var encodedPacketCount = 0
    private(set) var trailingFrames = 0

    /// - Throws: ``ConverterFailure`` if the output cannot have this format.
    init(_ stream: AudioStreamBasicDescription) throws(ConverterFailure) {
        var whole = stream
        bitRate = 0
        if let linear = LinearFormat(stream), linear.kind != .muLaw, linear.kind != .aLaw {
            self.linear = linear
            frames = PCMQueue(format: linear.work)
            self.stream = stream
            return
        }
        linear = nil
        guard let rate = LinearFormat.rate(of: stream) else {
            throw ConverterFailure(kAudioConverterErr_OutputSampleRateOutOfRange)
        }
        let channels = Int(clamping: stream.mChannelsPerFrame)
        bitRate = 64_000 * max(1, channels)
        guard let kind = Self.kind(of: stream, bitRate: bitRate),
            let encoder = try? PacketEncoder(kind, sampleRate: rate, channelCount: channels)
        else { throw ConverterFailure(kAudioConverterErr_FormatNotSupported) }
        guard [0, UInt32(encoder.framesPerPacket)].contains(stream.mFramesPerPacket) else {
            throw ConverterFailure(kAudioConverterErr_FormatNotSupported)
        }
        whole.mFramesPerPacket = UInt32(encoder.framesPerPacket)
        (whole.mBytesPerPacket, whole.mBytesPerFrame, whole.mBitsPerChannel) = (0, 0, 0)
        if case .alac(let bits) = kind { whole.mFormatFlags = CompressedFormat.flags(bitDepth: bits) }
        frames = PCMQueue(format: encoder.inputFormat)
        self.encoder = encoder
        self.stream = whole
    }

    private static func kind(of stream: AudioStreamBasicDescription, bitRate: Int) -> PacketEncoder.Kind? {
        switch stream.mFormatID {
        case kAudioFormatMPEG4AAC: .aac(bitRate: bitRate)
        case kAudioFormatAppleLossless:
            switch stream.mFormatFlags {
            case 0, kAppleLosslessFormatFlag_16BitSourceData: .alac(bitDepth: 16)
            case kAppleLosslessFormatFlag_20BitSourceData, kAppleLosslessFormatFlag_24BitSourceData:
                .alac(bitDepth: 24)
            default: nil
            }
        default: nil
        }
    }

    /// The frame format that this output accepts.
    var format: PCMFormat { frames.format }

    /// The number of packets ready; in PCM, frames.
    var readyPacketCount: Int { encoder == nil ? frames.frameCount : packets.count }

    /// Changes the bit rate and discards all input so far.
    func setBitRate(_ rate: Int) throws(ConverterFailure) {
        guard encoder != nil, let kind = Self.kind(of: stream, bitRate: rate), case .aac = kind,
            let fresh = try? PacketEncoder(
                kind, sampleRate: format.sampleRate, channelCount: format.channelCount)
        else { throw ConverterFailure(kAudioConverterErr_PropertyNotSupported) }
        encoder = fresh
        bitRate = rate
        reset()
    }

    /// Appends frames of ``format``.
    func append(_ buffer: PCMBuffer) throws(ConverterFailure) {
        frames.append(buffer)
        guard let encoder else { return }
        while frames.frameCount >= encoder.framesPerPacket { try encode(encoder.framesPerPacket, encoder) }
    }

    /// Ends the stream and encodes the remaining frames.
    func finish() throws(ConverterFailure) {
        guard let encoder, encodedFrameCount > 0 || !frames.isEmpty else { return }
        if !frames.isEmpty { try encode(frames.frameCount, encoder) }
        guard let rest = try? encoder.finish() else {
            throw ConverterFailure(kAudioConverterErr_UnspecifiedError)
        }
        add(rest)
        let decoded = encodedPacketCount * encoder.framesPerPacket
        trailingFrames = max(0, decoded - encoder.delay - encodedFrameCount)
        (encodedFrameCount, encodedPacketCount) = (0, 0)
    }

    /// Discards all input so far.
    func reset() {
        frames.removeAll()
        packets.removeAll()
        (encodedFrameCount, encodedPacketCount, trailingFrames) = (0, 0, 0)
        // An encoder that cannot be reopened keeps its state: the next packet may begin with old sound.
        try? encoder?.reset()
    }

    private func encode(_ count: Int, _ encoder: PacketEncoder) throws(ConverterFailure) {
        let buffer = frames.read(frameCount: count)
        guard let made = try? encoder.encode(buffer) else {
            throw ConverterFailure(kAudioConverterErr_UnspecifiedError)
        }
        encodedFrameCount += count
        add(made)
    }

    private func add(_ made: [[UInt8]]) {
        packets.append(contentsOf: made)
        encodedPacketCount += made.count
    }

    /// Moves at most `count` frames into the buffers of a list, after `offset` frames; returns the number
    /// moved.
    func read(into list: UnsafeMutableAudioBufferListPointer, at offset: Int, count: Int) -> Int {
        guard let linear else { return 0 }
        let buffer = frames.read(frameCount: min(count, frames.frameCount))
        buffer.withUnsafeBytes { linear.write($0, to: list, at: offset) }
        return buffer.frameCount
    }

    /// Moves the next packet to the start of `room` and returns its bytes; `nil` if none is ready or fits.
    func readPacket(into room: UnsafeMutableRawBufferPointer) -> Int? {
        guard let packet = packets.first, packet.count <= room.count else { return nil }
        room.copyBytes(from: packet)
        packets.removeFirst()
        return packet.count
    }

    /// The largest packet in bytes: the frames uncompressed, and a header.
    var largestPacket: Int {
        if let linear { return linear.bytesPerFrame }
        guard let encoder else { return 0 }
        // An AAC packet has at most 6144 bits for each channel. Source: ISO/IEC 14496-3, 4.5.3.
        if stream.mFormatID == kAudioFormatMPEG4AAC { return 768 * format.channelCount }
        return encoder.framesPerPacket * format.channelCount * (format.sampleFormat == .int16 ? 2 : 3) + 64
    }
}
