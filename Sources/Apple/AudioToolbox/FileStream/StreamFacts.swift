import CoreAudioTypes
import Foundation

/// The facts that a parser has learnt about a stream, each in the form of its property.
package struct StreamFacts: Sendable {
    /// The file type; 0 if unknown.
    package var fileType: AudioFileTypeID = 0
    /// The format of the packets.
    package var format = AudioStreamBasicDescription()
    /// The formats, best first; if empty, ``format`` is the only one.
    var formats: [AudioFormatListItem] = []
    /// The decoder's configuration; empty if there is none.
    package var cookie: [UInt8] = []
    /// The offset of the audio in the file, in bytes.
    package var dataOffset: UInt64 = 0
    /// The size of the audio in bytes.
    package var byteCount: UInt64?
    /// The number of audio packets.
    package var packetCount: UInt64?
    /// The audible frames and the frames to trim.
    package var packetTable: AudioFilePacketTableInfo?
    var layout: ManagedAudioChannelLayout?
    var bitRate: UInt32?
    var maximumPacketSize: UInt32?
    var packetSizeUpperBound: UInt32 = 0

    /// The packets delivered so far and their bytes, for averages.
    var givenPackets: UInt64 = 0
    var givenBytes: UInt64 = 0

    /// The average size of a packet in bytes; `nil` before any packet is known.
    var averageBytesPerPacket: Double? {
        if format.mBytesPerPacket > 0 { return Double(format.mBytesPerPacket) }
        if let byteCount, let packetCount, packetCount > 0 { return Double(byteCount) / Double(packetCount) }
        return givenPackets > 0 ? Double(givenBytes) / Double(givenPackets) : nil
    }

    /// Bits per second; computed from the average packet if the file does not say.
    var currentBitRate: UInt32? {
        if let bitRate { return bitRate }
        guard let average = averageBytesPerPacket, format.mFramesPerPacket > 0 else { return nil }
        let rate = average * 8 * format.mSampleRate / Double(format.mFramesPerPacket)
        return rate.isFinite ? UInt32(min(max(0, rate.rounded()), Double(UInt32.max))) : nil
    }

    /// Returns the bytes of a property's value; `nil` if unknown.
    func value(of property: AudioFileStreamPropertyID, isReady: Bool) -> [UInt8]? {
        switch property {
        case kAudioFileStreamProperty_ReadyToProducePackets: valueBytes(UInt32(isReady ? 1 : 0))
        case kAudioFileStreamProperty_FileFormat: fileType == 0 ? nil : valueBytes(fileType)
        case kAudioFileStreamProperty_DataFormat: format.mFormatID == 0 ? nil : valueBytes(format)
        case kAudioFileStreamProperty_FormatList: format.mFormatID == 0 ? nil : formatList.flatMap(valueBytes)
        case kAudioFileStreamProperty_MagicCookieData: cookie.isEmpty ? nil : cookie
        case kAudioFileStreamProperty_AudioDataByteCount: byteCount.map(valueBytes)
        case kAudioFileStreamProperty_AudioDataPacketCount: packetCount.map(valueBytes)
        case kAudioFileStreamProperty_DataOffset: isReady ? valueBytes(Int64(clamping: dataOffset)) : nil
        case kAudioFileStreamProperty_PacketTableInfo: packetTable.map(valueBytes)
        case kAudioFileStreamProperty_ChannelLayout: layout?.bytes
        case kAudioFileStreamProperty_BitRate: currentBitRate.map(valueBytes)
        case kAudioFileStreamProperty_AverageBytesPerPacket: averageBytesPerPacket.map(valueBytes)
        case kAudioFileStreamProperty_MaximumPacketSize:
            (maximumPacketSize ?? (isReady ? packetSizeUpperBound : nil)).map(valueBytes)
        case kAudioFileStreamProperty_PacketSizeUpperBound: isReady ? valueBytes(packetSizeUpperBound) : nil
        default: nil
        }
    }

    private var formatList: [AudioFormatListItem] {
        if !formats.isEmpty { return formats }
        let tag = layout?.tag ?? AACConfiguration.layoutTag(channels: Int(clamping: format.mChannelsPerFrame))
        return [AudioFormatListItem(mASBD: format, mChannelLayoutTag: tag)]
    }

    /// The properties, in the order in which a listener receives them.
    static let properties: [AudioFileStreamPropertyID] = [
        kAudioFileStreamProperty_FileFormat, kAudioFileStreamProperty_DataFormat,
        kAudioFileStreamProperty_FormatList, kAudioFileStreamProperty_MagicCookieData,
        kAudioFileStreamProperty_ChannelLayout, kAudioFileStreamProperty_AudioDataByteCount,
        kAudioFileStreamProperty_AudioDataPacketCount, kAudioFileStreamProperty_PacketTableInfo,
        kAudioFileStreamProperty_MaximumPacketSize, kAudioFileStreamProperty_PacketSizeUpperBound,
        kAudioFileStreamProperty_AverageBytesPerPacket, kAudioFileStreamProperty_BitRate,
        kAudioFileStreamProperty_DataOffset, kAudioFileStreamProperty_ReadyToProducePackets,
    ]

    /// Adopts the format of the AAC core, because packets are counted by the core.
    mutating func set(_ configuration: AACConfiguration, channels: Int = 2) {
        formats = configuration.formats(channels: max(1, channels))
        if let core = formats.last {
            format = core.mASBD
            layout = ManagedAudioChannelLayout(tag: core.mChannelLayoutTag)
        }
    }

    /// Adopts a PCM format.
    mutating func setPCM(
        rate: Double, bits: UInt32, channels: UInt32, flags: AudioFormatFlags, containerBytes: UInt32? = nil
    ) throws(StreamFailure) {
        let bytes = containerBytes ?? (bits + 7) / 8
        guard rate.isFinite, rate > 0, (1...64).contains(channels), (1...8).contains(bytes), bits <= bytes * 8
        else { throw StreamFailure(kAudioFileStreamError_UnsupportedDataFormat) }
        let packed = bits == bytes * 8 ? kAudioFormatFlagIsPacked : kAudioFormatFlagIsAlignedHigh
        format = AudioStreamBasicDescription(
            mSampleRate: rate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags | packed,
            mBytesPerPacket: bytes * channels, mFramesPerPacket: 1, mBytesPerFrame: bytes * channels,
            mChannelsPerFrame: channels, mBitsPerChannel: bits, mReserved: 0)
        packetSizeUpperBound = bytes * channels
    }

    /// Adopts a companded format.
    mutating func setCompanded(_ id: AudioFormatID, rate: Double, channels: UInt32) throws(StreamFailure) {
        guard rate.isFinite, rate > 0, (1...64).contains(channels) else {
            throw StreamFailure(kAudioFileStreamError_UnsupportedDataFormat)
        }
        var stream = AudioStreamBasicDescription()
        (stream.mSampleRate, stream.mFormatID, stream.mChannelsPerFrame) = (rate, id, channels)
        format = CompressedFormat.completed(stream)
        packetSizeUpperBound = channels
    }

    /// Computes the packet count of constant-size packets from the byte count.
    mutating func countConstantPackets() {
        guard format.mBytesPerPacket > 0, let byteCount else { return }
        packetCount = byteCount / UInt64(format.mBytesPerPacket)
    }
}

/// The result code of a stream that cannot be parsed.
package struct StreamFailure: Error, Equatable, Sendable {
    /// The error code; not zero.
    package let status: OSStatus

    init(_ status: OSStatus) { self.status = status }
}

/// Consecutive packets of the stream, end to end.
package struct PacketRun: Equatable, Sendable {
    /// The bytes of all packets, one after another.
    package var bytes: [UInt8] = []
    /// The packet descriptions; empty if all packets have one size.
    package var packets: [AudioStreamPacketDescription] = []
    /// The number of packets in the run.
    package var count = 0

    /// The size in bytes at which a run ends, so that a large part of a file is not copied at once.
    static let byteLimit = 1 << 16

    var isFull: Bool { bytes.count >= Self.byteLimit }

    mutating func append(_ packet: some Collection<UInt8>, frames: Int = 0) {
        packets.append(
            AudioStreamPacketDescription(
                mStartOffset: Int64(bytes.count), mVariableFramesInPacket: UInt32(frames),
                mDataByteSize: UInt32(packet.count)))
        bytes.append(contentsOf: packet)
        count += 1
    }
}
