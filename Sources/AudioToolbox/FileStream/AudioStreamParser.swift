import CoreAudioTypes

/// One kind of file: bytes in, facts and packets out.
protocol ContainerParser {
    /// Whether the facts are known and packets follow.
    var isReady: Bool { get }

    /// Goes on with the header; returns when it is over or needs more bytes.
    mutating func parseHeader(_ bytes: inout StreamBytes, _ facts: inout StreamFacts) throws(StreamFailure)

    /// The packets that are there, a run of them at most; none if more bytes are needed.
    mutating func packets(_ bytes: inout StreamBytes, _ facts: inout StreamFacts) throws(StreamFailure)
        -> PacketRun

    /// Where a packet begins in the file, and whether that is an estimate; the next bytes come from there.
    mutating func seek(
        to packet: UInt64, _ facts: StreamFacts
    ) throws(StreamFailure) -> (offset: UInt64, isEstimated: Bool)

    /// Bytes were left out.
    ///
    /// - Parameter isPlaced: whether the next bytes come from the place of the last seek.
    mutating func noteDiscontinuity(isPlaced: Bool) throws(StreamFailure)
}

/// Parses a stream of bytes, cut anywhere, into packets. A value without callbacks.
///
/// Memory: what was given at once, and at most ``headerLimit`` of an unfinished header or packet.
package struct AudioStreamParser: Sendable {
    /// More than the tables of a day of packets, pictures included.
    static let headerLimit = 32 << 20
    /// More than the largest packet of any format here.
    static let packetLimit = 4 << 20
    /// Bytes without a beginning of any format, after which the stream is none.
    static let searchLimit = 1 << 20

    package enum Event: Equatable, Sendable {
        /// A property is known.
        case property(AudioFileStreamPropertyID)
        case packets(PacketRun)
    }

    package private(set) var facts = StreamFacts()
    package private(set) var isReady = false
    private let hint: AudioFileTypeID
    private var bytes = StreamBytes()
    private var container: (any ContainerParser & Sendable)?
    private var announcements: [AudioFileStreamPropertyID] = []
    private var failure: StreamFailure?
    private var seekOffset: UInt64?
    private var searched = 0

    package init(hint: AudioFileTypeID = 0) { self.hint = hint }

    /// Takes bytes that follow those before, or others with `isDiscontinuous`.
    package mutating func append(
        _ new: UnsafeRawBufferPointer, isDiscontinuous: Bool = false
    ) throws(StreamFailure) {
        if let failure { throw failure }
        if isDiscontinuous || seekOffset != nil {
            bytes.jump(to: seekOffset ?? bytes.position)
            try container?.noteDiscontinuity(isPlaced: seekOffset != nil)
            seekOffset = nil
        }
        bytes.append(new)
    }

    /// The next thing that the bytes so far tell; `nil` if more are needed. An error is given again each time.
    package mutating func next() throws(StreamFailure) -> Event? {
        if let failure { throw failure }
        do throws(StreamFailure) {
            return try advance()
        } catch {
            failure = error
            bytes.jump(to: bytes.position)
            throw error
        }
    }

    private mutating func advance() throws(StreamFailure) -> Event? {
        if !announcements.isEmpty { return .property(announcements.removeFirst()) }
        if container == nil {
            guard let found = try StreamKind.detect(&bytes, hint: hint, searched: &searched) else {
                return nil
            }
            container = found
        }
        guard var container else { return nil }
        defer { self.container = container }
        if !isReady {
            try container.parseHeader(&bytes, &facts)
            guard container.isReady else {
                guard bytes.count <= Self.headerLimit else {
                    throw StreamFailure(kAudioFileStreamError_InvalidFile)
                }
                return nil
            }
            isReady = true
            announcements = StreamFacts.properties.filter { facts.value(of: $0, isReady: true) != nil }
            return .property(announcements.removeFirst())
        }
        let run = try container.packets(&bytes, &facts)
        guard run.count > 0 else { return nil }
        facts.givenPackets &+= UInt64(run.count)
        facts.givenBytes &+= UInt64(run.bytes.count)
        return .packets(run)
    }

    /// Prepares for bytes from the place of a packet.
    ///
    /// - Returns: the offset from the first byte of audio, and whether it is an estimate.
    package mutating func seek(to packet: Int64) throws(StreamFailure) -> (offset: Int64, isEstimated: Bool) {
        guard isReady, var container else { throw StreamFailure(kAudioFileStreamError_IllegalOperation) }
        guard packet >= 0, facts.packetCount.map({ UInt64(packet) <= $0 }) ?? true else {
            throw StreamFailure(kAudioFileStreamError_InvalidPacketOffset)
        }
        let (offset, isEstimated) = try container.seek(to: UInt64(packet), facts)
        self.container = container
        guard offset >= facts.dataOffset, offset <= UInt64(Int64.max) else {
            throw StreamFailure(kAudioFileStreamError_InvalidPacketOffset)
        }
        seekOffset = offset
        return (Int64(offset - facts.dataOffset), isEstimated)
    }

    /// Unused bytes that are kept.
    package var pendingByteCount: Int { bytes.count }
}

/// Finds out what kind of file a stream is.
enum StreamKind {
    /// `nil` if more bytes are needed.
    ///
    /// - Parameter searched: bytes that were passed over as they begin nothing.
    static func detect(
        _ bytes: inout StreamBytes, hint: AudioFileTypeID, searched: inout Int
    ) throws(StreamFailure) -> (any ContainerParser & Sendable)? {
        // Tags may be in front of FLAC too, and may be followed by others.
        while searched == 0, bytes.count >= ID3Tag.headByteCount, let size = ID3Tag.byteCount(bytes.bytes(10))
        {
            bytes.drop(UInt64(size))
        }
        if searched > 0 { return try detectFrames(&bytes, &searched) }
        guard bytes.count >= 12 else { return nil }
        let head = bytes.bytes(4)
        if head.reads("RIFF") || head.reads("RF64") || head.reads("RIFX") { return WaveParser() }
        if head.reads("FORM") { return AIFFParser() }
        if head.reads("caff") { return CAFParser() }
        if head.reads("fLaC") { return FLACParser() }
        let second = bytes.bytes(4, at: 4)
        if second.reads("ftyp") || second.reads("moov") || second.reads("mdat") || second.reads("wide")
            || second.reads("free") || second.reads("skip")
        {
            return MP4Parser()
        }
        switch hint {
        case kAudioFileAAC_ADTSType: return FrameParser(.adts)
        case kAudioFileMP3Type, kAudioFileMP2Type, kAudioFileMP1Type: return FrameParser(.mpeg)
        default: return try detectFrames(&bytes, &searched)
        }
    }

    /// Whether a whole frame is followed by another; bytes in front of the first such frame are passed over.
    private static func detectFrames(
        _ bytes: inout StreamBytes, _ searched: inout Int
    ) throws(StreamFailure) -> (any ContainerParser & Sendable)? {
        while bytes.count > 0 {
            if bytes[0] == 0xFF {
                guard bytes.count >= 9 else { return nil }
                // Layer 0 is ADTS; every other layer is MPEG audio.
                for kind in [FrameHeader.Kind.adts, .mpeg] {
                    guard let frame = FrameHeader(kind, bytes.bytes(9)) else { continue }
                    // Which frame is taken must not depend on where the bytes are cut.
                    guard bytes.count >= frame.byteCount + 9 else { return nil }
                    if frame.isFollowed(in: bytes, at: 0) { return FrameParser(kind) }
                }
            }
            var index = 1
            while index < bytes.count, bytes[index] != 0xFF { index += 1 }
            bytes.drop(UInt64(index))
            searched += index
            guard searched <= AudioStreamParser.searchLimit else {
                throw StreamFailure(kAudioFileStreamError_UnsupportedFileType)
            }
        }
        return nil
    }
}
