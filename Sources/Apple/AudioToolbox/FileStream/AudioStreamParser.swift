import CoreAudioTypes

/// A parser of one file type: bytes in, facts and packets out.
protocol ContainerParser {
    /// Whether the facts are known and packets follow.
    var isReady: Bool { get }

    /// Continues with the header; returns when the header is complete or needs more bytes.
    mutating func parseHeader(_ bytes: inout StreamBytes, _ facts: inout StreamFacts) throws(StreamFailure)

    /// Returns the available packets, at most one run; empty if more bytes are needed.
    mutating func packets(_ bytes: inout StreamBytes, _ facts: inout StreamFacts) throws(StreamFailure)
        -> PacketRun

    /// Returns a packet's offset in the file and whether it is an estimate; the next bytes come from there.
    mutating func seek(
        to packet: UInt64, _ facts: StreamFacts
    ) throws(StreamFailure) -> (offset: UInt64, isEstimated: Bool)

    /// Prepares for bytes that do not continue the previous ones.
    ///
    /// - Parameter isPlaced: Whether the next bytes come from the offset of the last seek.
    mutating func noteDiscontinuity(isPlaced: Bool) throws(StreamFailure)
}

/// A parser that turns a byte stream, split anywhere, into packets. A value without callbacks.
///
/// Memory: the bytes of one call, and at most ``headerLimit`` of an unfinished header or packet.
package struct AudioStreamParser: Sendable {
    /// Larger than the tables of a day of packets, pictures included.
    static let headerLimit = 32 << 20
    /// Larger than the largest packet of any supported format.
    static let packetLimit = 4 << 20
    /// The bytes searched for the beginning of a known format before parsing fails.
    static let searchLimit = 1 << 20

    /// The next result of parsing: a known property, or packets.
    package enum Event: Equatable, Sendable {
        /// A property is known.
        case property(AudioFileStreamPropertyID)
        /// Packets of the stream, in order.
        case packets(PacketRun)
    }

    /// The facts known so far.
    package private(set) var facts = StreamFacts()
    /// Whether the header is complete and packets follow.
    package private(set) var isReady = false
    private let hint: AudioFileTypeID
    private var bytes = StreamBytes()
    private var container: (any ContainerParser & Sendable)?
    private var announcements: [AudioFileStreamPropertyID] = []
    private var failure: StreamFailure?
    private var seekOffset: UInt64?
    private var searched = 0

    /// Creates a parser; the bytes themselves take precedence over `hint`, a file type or 0.
    package init(hint: AudioFileTypeID = 0) { self.hint = hint }

    /// Appends the next bytes of the stream; with `isDiscontinuous`, bytes are missing before them.
    package mutating func append(
        _ new: UnsafeRawBufferPointer, isDiscontinuous: Bool = false
    ) throws(StreamFailure) {
        if let failure { throw failure }
        if isDiscontinuous || seekOffset != nil {
            bytes.jump(to: seekOffset ?? bytes.position)
            do throws(StreamFailure) {
                try container?.noteDiscontinuity(isPlaced: seekOffset != nil)
            } catch {
                failure = error
                throw error
            }
            seekOffset = nil
        }
        bytes.append(new)
    }

    /// Returns the next event from the bytes so far; `nil` if more bytes are needed. After a failure, every
    /// call throws the same error.
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

    /// Prepares for bytes from a packet's offset.
    ///
    /// - Returns: The offset from the first byte of audio, and whether it is an estimate.
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

    /// The number of unused bytes in memory.
    package var pendingByteCount: Int { bytes.count }
}

/// The detection of a stream's file type.
enum StreamKind {
    /// Returns the parser for the stream; `nil` if more bytes are needed.
    ///
    /// - Parameter searched: Bytes skipped because no known format begins with them.
    static func detect(
        _ bytes: inout StreamBytes, hint: AudioFileTypeID, searched: inout Int
    ) throws(StreamFailure) -> (any ContainerParser & Sendable)? {
        // Tags may precede FLAC too, and several may follow each other.
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

    /// Returns a parser once a whole frame is followed by another; skips bytes before the first such frame.
    private static func detectFrames(
        _ bytes: inout StreamBytes, _ searched: inout Int
    ) throws(StreamFailure) -> (any ContainerParser & Sendable)? {
        while bytes.count > 0 {
            if bytes[0] == 0xFF {
                guard bytes.count >= 9 else { return nil }
                // Layer 0 is ADTS; every other layer is MPEG audio.
                for kind in [FrameHeader.Kind.adts, .mpeg] {
                    guard let frame = FrameHeader(kind, bytes.bytes(9)) else { continue }
                    // The choice of a frame must not depend on where the bytes are split.
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
