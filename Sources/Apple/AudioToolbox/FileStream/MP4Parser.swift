import CoreAudioTypes

/// A parser of MPEG-4 with its description in front of the sound.
///
/// Layout: boxes of size (32; 1 means 64 more bits after the name, 0 everything up to the end), name and
/// content. Source: ISO/IEC 14496-12.
struct MP4Parser: ContainerParser, Sendable {
    private(set) var isReady = false
    private var table: MP4SampleTable?

    mutating func parseHeader(_ bytes: inout StreamBytes, _ facts: inout StreamFacts) throws(StreamFailure) {
        while !isReady, bytes.count >= 16 {
            guard let head = MP4Box.Head(bytes.bytes(16)) else {
                throw StreamFailure(kAudioFileStreamError_InvalidFile)
            }
            let name = head.name
            switch name {
            case "mdat" where table == nil: throw StreamFailure(kAudioFileStreamError_NotOptimized)
            case "moof": throw StreamFailure(kAudioFileStreamError_UnsupportedFileType)
            case "ftyp":
                guard head.byteCount <= 4096 else { throw StreamFailure(kAudioFileStreamError_InvalidFile) }
                guard bytes.count >= Int(head.byteCount) else { return }
                let brand = bytes.take(Int(head.byteCount)).dropFirst(head.headByteCount).prefix(4)
                facts.fileType =
                    brand.reads("M4A ")
                    ? kAudioFileM4AType
                    : brand.reads("M4B ") ? kAudioFileM4BType : kAudioFileMPEG4Type
            case "moov":
                guard head.byteCount <= UInt64(AudioStreamParser.headerLimit) else {
                    throw StreamFailure(kAudioFileStreamError_InvalidFile)
                }
                guard bytes.count >= Int(head.byteCount) else { return }
                let movie = bytes.take(Int(head.byteCount)).dropFirst(head.headByteCount)
                var description = MP4Description()
                table = try description.read(Array(movie), &facts)
                if facts.fileType == 0 { facts.fileType = kAudioFileMPEG4Type }
                try begin(&facts)
            default: bytes.drop(head.byteCount)
            }
        }
    }

    private mutating func begin(_ facts: inout StreamFacts) throws(StreamFailure) {
        guard let table, table.count > 0, let first = table.firstOffset else {
            throw StreamFailure(kAudioFileStreamError_UnsupportedFileType)
        }
        facts.dataOffset = first
        isReady = true
    }

    mutating func packets(_ bytes: inout StreamBytes, _ facts: inout StreamFacts) throws(StreamFailure)
        -> PacketRun
    {
        guard var table else { return PacketRun() }
        defer { self.table = table }
        var run = PacketRun()
        let isConstant = facts.format.mBytesPerPacket > 0
        while !run.isFull, let place = table.next {
            guard place.offset >= bytes.position else {
                throw StreamFailure(kAudioFileStreamError_NotOptimized)
            }
            if place.offset > bytes.position { bytes.drop(place.offset - bytes.position) }
            // Constant-size packets come one chunk at a time.
            let wanted =
                isConstant ? min(place.restOfChunk, max(1, PacketRun.byteLimit / max(1, place.size))) : 1
            let there = place.size == 0 ? wanted : min(wanted, bytes.count / place.size)
            guard there > 0 else { break }
            let packet = bytes.take(there * place.size)
            if isConstant {
                run.bytes += packet
                run.count += there
            } else {
                run.append(packet)
            }
            table.advance(by: there)
        }
        if table.next == nil { bytes.drop(UInt64(bytes.count)) }
        return run
    }

    mutating func seek(
        to packet: UInt64, _ facts: StreamFacts
    ) throws(StreamFailure) -> (offset: UInt64, isEstimated: Bool) {
        table?.seek(to: packet)
        guard let place = table?.next else { throw StreamFailure(kAudioFileStreamError_InvalidPacketOffset) }
        return (place.offset, false)
    }

    func noteDiscontinuity(isPlaced: Bool) throws(StreamFailure) {
        if !isPlaced { throw StreamFailure(kAudioFileStreamError_DiscontinuityCantRecover) }
    }
}

/// A box of a file in memory.
struct MP4Box {
    struct Head {
        let name: String
        /// The size of the whole box in bytes; all ones if the box reaches to the end.
        let byteCount: UInt64
        let headByteCount: Int

        /// Returns `nil` for an impossible size.
        init?(_ bytes: ArraySlice<UInt8>) {
            let bytes = Array(bytes)
            guard bytes.count >= 8 else { return nil }
            name = String(decoding: bytes[4..<8], as: UTF8.self)
            let size = bytes[0..<4].bigEndian
            switch size {
            case 0: (byteCount, headByteCount) = (.max, 8)
            case 1:
                guard bytes.count >= 16 else { return nil }
                (byteCount, headByteCount) = (bytes[8..<16].bigEndian, 16)
            default: (byteCount, headByteCount) = (size, 8)
            }
            guard byteCount >= UInt64(headByteCount), byteCount <= UInt64(Int64.max) || byteCount == .max
            else {
                return nil
            }
        }
    }

    let name: String
    let content: ArraySlice<UInt8>

    /// Returns consecutive boxes; omits everything after a malformed box.
    static func boxes(in content: ArraySlice<UInt8>) -> [MP4Box] {
        var rest = content
        var found: [MP4Box] = []
        while let head = Head(rest.prefix(16)), found.count < 10_000 {
            let count = Int(min(head.byteCount, UInt64(rest.count)))
            found.append(MP4Box(name: head.name, content: rest.prefix(count).dropFirst(head.headByteCount)))
            rest = rest.dropFirst(count)
        }
        return found
    }

    /// Returns the content of the first box at a path.
    static func content(_ path: [String], in content: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        path.reduce(content as ArraySlice<UInt8>?) { inner, name in
            inner.flatMap { boxes(in: $0).first { $0.name == name }?.content }
        }
    }
}
