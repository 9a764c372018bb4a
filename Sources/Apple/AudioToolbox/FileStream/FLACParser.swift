import CoreAudioTypes

/// A parser of FLAC in its own container.
///
/// Layout: `fLaC`; metadata blocks of a last-block flag (1 bit), type (7), size (24) and content, STREAMINFO
/// first; then packets. A packet ends where its checksum matches and the next header begins. Source: RFC
/// 9639.
struct FLACParser: ContainerParser, Sendable {
    private(set) var isReady = false
    private var isStarted = false
    private var info: [UInt8] = []
    private var largestPacket = AudioStreamParser.packetLimit
    private var smallestPacket = 0
    private var totalFrames: UInt64 = 0
    /// The frames up to the end of the last packet.
    private var givenFrames: UInt64 = 0
    /// Whether bytes are missing before the next packet, so that only its number says where it is.
    private var isElsewhere = false
    /// The bytes of the packet scanned so far, and the checksum of all but the last two of them.
    private var scanned = 0
    private var checksum: UInt16 = 0
    /// Whether the bytes begin with a header that starts no packet.
    private var isFalseStart = false

    mutating func parseHeader(_ bytes: inout StreamBytes, _ facts: inout StreamFacts) throws(StreamFailure) {
        if !isStarted {
            guard bytes.count >= 4 else { return }
            bytes.drop(4)
            facts.fileType = kAudioFileFLACType
            isStarted = true
        }
        while !isReady, bytes.count >= 4 {
            let (kind, size) = (bytes[0] & 0x7F, bytes.bytes(3, at: 1).bigEndian)
            let isLast = bytes[0] & 0x80 != 0
            if kind == 0 {
                guard size >= 34 else { throw StreamFailure(kAudioFileStreamError_InvalidFile) }
                guard bytes.count >= 38 else { return }
                info = Array(bytes.bytes(34, at: 4))
            }
            bytes.drop(4 + size)
            guard isLast else { continue }
            guard !info.isEmpty else { throw StreamFailure(kAudioFileStreamError_InvalidFile) }
            // The size of the last block may reach beyond the available bytes.
            facts.dataOffset = bytes.position
            describe(&facts)
            isReady = true
        }
    }

    private mutating func describe(_ facts: inout StreamFacts) {
        let atom: [UInt8] = [0, 0, 0, 50] + Array("dfLa".utf8) + [0, 0, 0, 0, 0x80, 0, 0, 34] + info
        facts.cookie = atom
        var stream = AudioStreamBasicDescription()
        stream.mFormatID = kAudioFormatFLAC
        facts.format = CompressedFormat.completed(stream, cookie: atom)
        facts.layout = ManagedAudioChannelLayout(tag: Self.layoutTag(Int(facts.format.mChannelsPerFrame)))
        totalFrames = info[13..<18].bigEndian & 0xF_FFFF_FFFF
        let (least, most) = (info[0..<2].bigEndian, info[2..<4].bigEndian)
        let (smallest, largest) = (Int(info[4..<7].bigEndian), Int(info[7..<10].bigEndian))
        smallestPacket = max(10, smallest)
        // Uncompressed samples of the longest packet, 33 bits at most, and a header.
        let bound = Int(max(most, 16)) * Int(facts.format.mChannelsPerFrame) * 5 + 64
        largestPacket = min(max(bound, largest), AudioStreamParser.packetLimit)
        facts.packetSizeUpperBound = UInt32(largest > 0 ? largest : largestPacket)
        if largest > 0 { facts.maximumPacketSize = UInt32(largest) }
        if least == most, least > 0, totalFrames > 0 {
            facts.packetCount = (totalFrames + least - 1) / least
            let rest = facts.packetCount.map { $0 * least - totalFrames } ?? 0
            facts.packetTable = AudioFilePacketTableInfo(
                mNumberValidFrames: Int64(totalFrames), mPrimingFrames: 0, mRemainderFrames: Int32(rest))
        }
    }

    /// Returns the channel layout of FLAC. Source: RFC 9639, 9.1.3.
    private static func layoutTag(_ channels: Int) -> AudioChannelLayoutTag {
        let tags = [
            kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_MPEG_3_0_A,
            kAudioChannelLayoutTag_Quadraphonic, kAudioChannelLayoutTag_MPEG_5_0_A,
            kAudioChannelLayoutTag_MPEG_5_1_A,
        ]
        return tags.indices.contains(channels - 1)
            ? tags[channels - 1] : kAudioChannelLayoutTag_Unknown | UInt32(channels)
    }

    mutating func packets(_ bytes: inout StreamBytes, _ facts: inout StreamFacts) -> PacketRun {
        var run = PacketRun()
        while !run.isFull, let frames = findHeader(&bytes) {
            let perPacket = facts.format.mFramesPerPacket
            let length = perPacket > 0 ? Int(perPacket) : frames
            let start = isElsewhere ? Self.firstFrame(bytes.bytes(16), of: length) : givenFrames
            let end = start &+ UInt64(frames)
            guard let size = findEnd(bytes, isLast: totalFrames > 0 && end >= totalFrames) else {
                if isFalseStart { continue }
                break
            }
            run.append(bytes.take(size), frames: perPacket == 0 ? frames : 0)
            (givenFrames, isElsewhere) = (end, false)
            (scanned, checksum) = (0, 0)
        }
        return run
    }

    /// Returns the frames of the packet at the start of the bytes, skipping bytes that start no packet.
    private mutating func findHeader(_ bytes: inout StreamBytes) -> Int? {
        // The shortest packet has ten bytes; no bytes follow the last packet.
        while bytes.count >= (totalFrames > givenFrames ? 10 : 16) {
            if !isFalseStart, let header = Self.header(bytes.bytes(16)) { return header }
            var index = 1
            while index < bytes.count, bytes[index] != 0xFF { index += 1 }
            bytes.drop(UInt64(index))
            (scanned, checksum, isFalseStart) = (0, 0, false)
        }
        return nil
    }

    /// Returns the size of the packet in bytes. A packet ends at a matching checksum with another header
    /// after it, or at the end of all bytes if the packet is the last one.
    ///
    /// - Parameter isLast: Whether the sound ends with this packet.
    private mutating func findEnd(_ bytes: StreamBytes, isLast: Bool) -> Int? {
        while scanned < bytes.count {
            if scanned >= smallestPacket, bytes[scanned] == 0xFF, isRight(bytes) {
                guard bytes.count >= scanned + 16 || isLast else { return nil }
                if Self.header(bytes.bytes(16, at: scanned)) != nil { return scanned }
            }
            if scanned >= 2 { checksum = Self.crc16(checksum, bytes[scanned - 2]) }
            scanned += 1
            // No packet is this long, so the header was a false start. The next search skips its first byte.
            if scanned > largestPacket {
                isFalseStart = true
                return nil
            }
        }
        return isLast && scanned >= smallestPacket && isRight(bytes) ? scanned : nil
    }

    private func isRight(_ bytes: StreamBytes) -> Bool {
        checksum == UInt16(bytes.bytes(2, at: scanned - 2).bigEndian)
    }

    /// Returns the frames of a packet with a valid header; `nil` for other bytes.
    static func header(_ bytes: ArraySlice<UInt8>) -> Int? {
        let head = Array(bytes)
        guard head.count >= 6, head[0] == 0xFF, head[1] & 0xFE == 0xF8, head[2] >> 4 != 0,
            head[2] & 0xF != 0xF,
            head[3] >> 4 <= 10, head[3] & 1 == 0
        else { return nil }
        let number = head[4] < 0x80 ? 1 : (~head[4]).leadingZeroBitCount
        guard (1...7).contains(number), number != 1 || head[4] < 0x80 else { return nil }
        var place = 4 + number
        let frames: Int
        switch Int(head[2] >> 4) {
        case 1: frames = 192
        case 2...5: frames = 576 << (Int(head[2] >> 4) - 2)
        case 6:
            guard head.count > place else { return nil }
            frames = Int(head[place]) + 1
            place += 1
        case 7:
            guard head.count > place + 1 else { return nil }
            frames = (Int(head[place]) << 8 | Int(head[place + 1])) + 1
            place += 2
        default: frames = 256 << (Int(head[2] >> 4) - 8)
        }
        place += head[2] & 0xF == 12 ? 1 : head[2] & 0xF >= 13 ? 2 : 0
        guard head.count > place, crc8(head[..<place]) == head[place] else { return nil }
        return frames
    }

    /// Returns the first frame of a packet with a valid header.
    ///
    /// Layout: a number after four bytes, coded like a character of UTF-8, of frames if the second byte is odd, else
    /// of packets of one length. Source: RFC 9639, 9.1.5.
    ///
    /// - Parameter perPacket: The length of packets of one length.
    private static func firstFrame(_ bytes: ArraySlice<UInt8>, of perPacket: Int) -> UInt64 {
        let head = Array(bytes)
        let length = head[4] < 0x80 ? 1 : (~head[4]).leadingZeroBitCount
        let first = length == 1 ? head[4] : head[4] & (0x7F >> UInt8(length))
        let number = head[5..<4 + length].reduce(UInt64(first)) { $0 << 6 | UInt64($1 & 0x3F) }
        return head[1] & 1 == 1 ? number : number &* UInt64(perPacket)
    }

    private static func crc8(_ bytes: ArraySlice<UInt8>) -> UInt8 {
        bytes.reduce(0) { crc, byte in
            (0..<8).reduce(crc ^ byte) { value, _ in value & 0x80 != 0 ? value << 1 ^ 0x07 : value << 1 }
        }
    }

    private static func crc16(_ crc: UInt16, _ byte: UInt8) -> UInt16 {
        crc << 8 ^ table[Int(UInt8(truncatingIfNeeded: crc >> 8) ^ byte)]
    }

    private static let table: [UInt16] = (0..<256).map { index in
        (0..<8).reduce(UInt16(index) << 8) { value, _ in
            value & 0x8000 != 0 ? value << 1 ^ 0x8005 : value << 1
        }
    }

    func seek(
        to packet: UInt64, _ facts: StreamFacts
    ) throws(StreamFailure) -> (offset: UInt64, isEstimated: Bool) {
        guard packet > 0 else { return (facts.dataOffset, false) }
        guard let average = facts.averageBytesPerPacket else {
            throw StreamFailure(kAudioFileStreamError_ValueUnknown)
        }
        let distance = Double(packet) * average
        guard distance < 0x1p62 else { throw StreamFailure(kAudioFileStreamError_InvalidPacketOffset) }
        return (facts.dataOffset + UInt64(distance), true)
    }

    mutating func noteDiscontinuity(isPlaced: Bool) {
        (scanned, checksum, isFalseStart) = (0, 0, false)
        (givenFrames, isElsewhere) = (0, true)
    }
}
