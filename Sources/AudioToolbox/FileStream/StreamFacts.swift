import CoreAudioTypes
import Foundation

/// The facts that a parser has learnt about a stream, each in the form of its property.
package struct StreamFacts: Sendable {
    package var fileType: AudioFileTypeID = 0
    package var format = AudioStreamBasicDescription()
    /// Best first; the format alone where it is empty.
    var formats: [AudioFormatListItem] = []
    package var cookie: [UInt8] = []
    package var dataOffset: UInt64 = 0
    package var byteCount: UInt64?
    package var packetCount: UInt64?
    package var packetTable: AudioFilePacketTableInfo?
    var layout: ManagedAudioChannelLayout?
    var bitRate: UInt32?
    var maximumPacketSize: UInt32?
    var packetSizeUpperBound: UInt32 = 0

    /// Packets that were given out, and their bytes, for means.
    var givenPackets: UInt64 = 0
    var givenBytes: UInt64 = 0

    /// Bytes of a packet in the middle; `nil` before any is known.
    var averageBytesPerPacket: Double? {
        if format.mBytesPerPacket > 0 { return Double(format.mBytesPerPacket) }
        if let byteCount, let packetCount, packetCount > 0 { return Double(byteCount) / Double(packetCount) }
        return givenPackets > 0 ? Double(givenBytes) / Double(givenPackets) : nil
    }

    /// Bits per second; by the mean of the packets where the file does not say.
    var currentBitRate: UInt32? {
        if let bitRate { return bitRate }
        guard let average = averageBytesPerPacket, format.mFramesPerPacket > 0 else { return nil }
        let rate = average * 8 * format.mSampleRate / Double(format.mFramesPerPacket)
        return rate.isFinite ? UInt32(min(max(0, rate.rounded()), Double(UInt32.max))) : nil
    }

    /// The bytes of a property's value; `nil` if it is not known.
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

    /// In the order in which a listener is told.
    static let properties: [AudioFileStreamPropertyID] = [
        kAudioFileStreamProperty_FileFormat, kAudioFileStreamProperty_DataFormat,
        kAudioFileStreamProperty_FormatList, kAudioFileStreamProperty_MagicCookieData,
        kAudioFileStreamProperty_ChannelLayout, kAudioFileStreamProperty_AudioDataByteCount,
        kAudioFileStreamProperty_AudioDataPacketCount, kAudioFileStreamProperty_PacketTableInfo,
        kAudioFileStreamProperty_MaximumPacketSize, kAudioFileStreamProperty_PacketSizeUpperBound,
        kAudioFileStreamProperty_AverageBytesPerPacket, kAudioFileStreamProperty_BitRate,
        kAudioFileStreamProperty_DataOffset, kAudioFileStreamProperty_ReadyToProducePackets,
    ]

    /// Takes over the format of AAC: of the core, as packets are counted by it.
    mutating func set(_ configuration: AACConfiguration, channels: Int = 2) {
        formats = configuration.formats(channels: max(1, channels))
        if let core = formats.last {
            format = core.mASBD
            layout = ManagedAudioChannelLayout(tag: core.mChannelLayoutTag)
        }
    }

    /// Takes over a format of PCM.
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

    /// Takes over a companded format.
    mutating func setCompanded(_ id: AudioFormatID, rate: Double, channels: UInt32) throws(StreamFailure) {
        guard rate.isFinite, rate > 0, (1...64).contains(channels) else {
            throw StreamFailure(kAudioFileStreamError_UnsupportedDataFormat)
        }
        var stream = AudioStreamBasicDescription()
        (stream.mSampleRate, stream.mFormatID, stream.mChannelsPerFrame) = (rate, id, channels)
        format = CompressedFormat.completed(stream)
        packetSizeUpperBound = channels
    }

    /// What follows from the bytes of packets of one size.
    mutating func countConstantPackets() {
        guard format.mBytesPerPacket > 0, let byteCount else { return }
        packetCount = byteCount / UInt64(format.mBytesPerPacket)
    }
}

/// A stream that cannot be parsed: the result code.
package struct StreamFailure: Error, Equatable, Sendable {
    package let status: OSStatus

    init(_ status: OSStatus) { self.status = status }
}

/// Packets in the order of the stream, end to end.
package struct PacketRun: Equatable, Sendable {
    package var bytes: [UInt8] = []
    /// Empty where all packets have one size.
    package var packets: [AudioStreamPacketDescription] = []
    /// Packets in the run.
    package var count = 0

    /// A run ends when it has this many bytes, so that a large piece of a file is not copied at once.
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
