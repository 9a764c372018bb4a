import CoreAudioTypes

/// A parser of ADTS and MPEG audio: consecutive frames, each with its header.
///
/// The first frame counts only if a second frame follows; later, bytes that are no frame are skipped. AAC
/// packets are delivered without their headers.
struct FrameParser: ContainerParser, Sendable {
    private let kind: FrameHeader.Kind
    private(set) var isReady = false
    /// Whether the parser is in sync with the frames.
    private var isLocked = false
    private var searched = 0
    private var first: FrameHeader?

    init(_ kind: FrameHeader.Kind) { self.kind = kind }

    mutating func parseHeader(_ bytes: inout StreamBytes, _ facts: inout StreamFacts) throws(StreamFailure) {
        guard let header = try lock(&bytes) else { return }
        first = header
        facts.dataOffset = bytes.position
        describe(header, &facts)
        if kind == .mpeg, header.details.0 == 3 {
            guard bytes.count >= header.byteCount else { return }
            if let summary = MPEGSummary(bytes.bytes(header.byteCount), header) {
                bytes.drop(UInt64(header.byteCount))
                facts.dataOffset = bytes.position
                summary.fill(&facts, header)
            }
        }
        isReady = true
    }

    private func describe(_ header: FrameHeader, _ facts: inout StreamFacts) {
        var stream = AudioStreamBasicDescription()
        stream.mSampleRate = Double(header.sampleRate)
        stream.mFormatID = header.formatID
        stream.mFramesPerPacket = UInt32(header.frameCount)
        stream.mChannelsPerFrame = UInt32(header.channelCount)
        facts.format = stream
        switch kind {
        case .adts:
            facts.fileType = kAudioFileAAC_ADTSType
            facts.packetSizeUpperBound = 8191
            let configuration = AACConfiguration(
                objectType: header.details.0, sampleRate: header.sampleRate,
                channelConfiguration: header.details.1)
            facts.set(configuration)
            facts.cookie = ElementaryStreamDescriptor.around(configuration.bytes)
        case .mpeg:
            let types = [kAudioFileMP1Type, kAudioFileMP2Type, kAudioFileMP3Type]
            facts.fileType = types[header.details.0 - 1]
            facts.bitRate = UInt32(header.bitRate)
            facts.packetSizeUpperBound = 2881
            facts.layout = ManagedAudioChannelLayout(
                tag: AACConfiguration.layoutTag(channels: header.channelCount))
        }
    }

    mutating func packets(_ bytes: inout StreamBytes, _ facts: inout StreamFacts) throws(StreamFailure)
        -> PacketRun
    {
        var run = PacketRun()
        while !run.isFull {
            guard let header = try lock(&bytes), bytes.count >= header.byteCount else { break }
            let frame = bytes.take(header.byteCount)
            run.append(frame.dropFirst(header.headerByteCount))
        }
        return run
    }

    /// Returns the header of the frame at the start of the bytes, skipping bytes that are no frame.
    private mutating func lock(_ bytes: inout StreamBytes) throws(StreamFailure) -> FrameHeader? {
        while bytes.count >= ID3Tag.headByteCount || isLocked && bytes.count >= 9 {
            if let header = FrameHeader(kind, bytes.bytes(9)), first.map(header.isSameStream) ?? true {
                if isLocked { return header }
                // The next frame's header must be available for the comparison.
                guard bytes.count >= header.byteCount + 9 else { return nil }
                if header.isFollowed(in: bytes, at: 0) {
                    isLocked = true
                    return header
                }
            }
            isLocked = false
            // Ten bytes identify a tag, wherever the bytes are split.
            guard bytes.count >= ID3Tag.headByteCount else { return nil }
            try passOver(&bytes)
        }
        return nil
    }

    private mutating func passOver(_ bytes: inout StreamBytes) throws(StreamFailure) {
        if let tag = ID3Tag.byteCount(bytes.bytes(10)) { return bytes.drop(UInt64(tag)) }
        var index = 1
        while index < bytes.count, bytes[index] != 0xFF, bytes[index] != 0x49 { index += 1 }
        bytes.drop(UInt64(index))
        searched += index
        guard isReady || searched <= AudioStreamParser.searchLimit else {
            throw StreamFailure(kAudioFileStreamError_UnsupportedFileType)
        }
    }

    mutating func seek(
        to packet: UInt64, _ facts: StreamFacts
    ) throws(StreamFailure) -> (offset: UInt64, isEstimated: Bool) {
        guard packet > 0 else { return (facts.dataOffset, false) }
        var average = facts.averageBytesPerPacket
        // The average of ADTS packets excludes their headers.
        if kind == .adts, let mean = average { average = mean + 7 }
        if average == nil, let bitRate = facts.bitRate, facts.format.mSampleRate > 0 {
            average = Double(bitRate) / 8 * Double(facts.format.mFramesPerPacket) / facts.format.mSampleRate
        }
        guard let average else { throw StreamFailure(kAudioFileStreamError_ValueUnknown) }
        let distance = Double(packet) * average
        guard distance < 0x1p62 else { throw StreamFailure(kAudioFileStreamError_InvalidPacketOffset) }
        return (facts.dataOffset + UInt64(distance), true)
    }

    mutating func noteDiscontinuity(isPlaced: Bool) { isLocked = false }
}

/// The facts about the whole file that an encoder writes into a first, silent frame.
///
/// Xing: after the side information `Xing` or `Info`, flags (32), and as the flags say frames, bytes (32
/// each), a table (100), a quality (32); LAME then has 21 bytes, and 12 bits each of frames at the start and
/// the end. VBRI: 32 bytes after the header, version, delay, quality (16 each), bytes and frames (32 each).
/// *Observed* in files.
struct MPEGSummary {
    private(set) var frameCount: UInt64?
    private(set) var byteCount: UInt64?
    private(set) var delay: Int?
    private(set) var padding: Int?

    init?(_ frame: ArraySlice<UInt8>, _ header: FrameHeader) {
        let frame = Array(frame)
        let isFull = header.details.1 == 3
        let start = 4 + (isFull ? (header.channelCount == 1 ? 17 : 32) : header.channelCount == 1 ? 9 : 17)
        if frame.count >= 36 + 18, frame[36..<40].reads("VBRI") {
            byteCount = frame[46..<50].bigEndian
            frameCount = frame[50..<54].bigEndian
            return
        }
        guard frame.count >= start + 8 else { return nil }
        let name = frame[start..<start + 4]
        guard name.reads("Xing") || name.reads("Info") else { return nil }
        let flags = frame[start + 4..<start + 8].bigEndian
        var place = start + 8
        func word() -> UInt64? {
            guard frame.count >= place + 4 else { return nil }
            place += 4
            return frame[place - 4..<place].bigEndian
        }
        if flags & 1 != 0 { frameCount = word() }
        if flags & 2 != 0 { byteCount = word() }
        if flags & 4 != 0 { place += 100 }
        if flags & 8 != 0 { place += 4 }
        guard frame.count >= place + 24, frame[place] != 0 else { return }
        let gaps = frame[place + 21..<place + 24].bigEndian
        // The decoder itself adds a delay of 529 frames.
        (delay, padding) = (Int(gaps >> 12) + 529, max(0, Int(gaps & 0xFFF) - 529))
    }

    func fill(_ facts: inout StreamFacts, _ header: FrameHeader) {
        facts.packetCount = frameCount
        // The byte count includes the summary's own frame.
        facts.byteCount = byteCount.map { $0 - min($0, UInt64(header.byteCount)) }
        guard let frameCount, frameCount > 0 else { return }
        let frames = Int64(clamping: frameCount).multipliedReportingOverflow(by: Int64(header.frameCount))
        guard !frames.overflow else { return }
        if let bytes = facts.byteCount {
            let rate = Double(bytes) * 8 * Double(header.sampleRate) / Double(frames.partialValue)
            facts.bitRate = UInt32(min(rate.rounded(), Double(UInt32.max)))
        }
        if let delay, let padding, Int64(delay + padding) < frames.partialValue {
            facts.packetTable = AudioFilePacketTableInfo(
                mNumberValidFrames: frames.partialValue - Int64(delay + padding),
                mPrimingFrames: Int32(delay), mRemainderFrames: Int32(padding))
        }
    }
}
