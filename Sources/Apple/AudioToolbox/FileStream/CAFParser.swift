import CoreAudioTypes

/// A parser of Core Audio Format.
///
/// Layout: `caff`, version and flags (16 each), then chunks of name, size (64, big-endian; -1 for a `data`
/// chunk up to the end) and content. `desc`: rate (64-bit floating point), coding, flags, bytes and frames of
/// a packet, channels, bits (32 each). `kuki`: the cookie. `pakt`: packets, audible frames (64 each), frames
/// to trim at the start and the end (32 each), then each packet's bytes, and its frames if they vary, in
/// groups of seven bits. `data`: an edit count (32), then the packets.
struct CAFParser: ContainerParser, Sendable {
    private(set) var isReady = false
    private let constant = ConstantPackets()
    private var isStarted = false
    private var sizes: [UInt32] = []
    /// The frames of each packet; empty if all packets have one length.
    private var lengths: [UInt32] = []
    private var next = 0

    mutating func parseHeader(_ bytes: inout StreamBytes, _ facts: inout StreamFacts) throws(StreamFailure) {
        if !isStarted {
            guard bytes.count >= 8 else { return }
            bytes.drop(8)
            facts.fileType = kAudioFileCAFType
            isStarted = true
        }
        while !isReady, bytes.count >= 12 {
            let (name, size) = (Array(bytes.bytes(4)), bytes.bytes(8, at: 4).bigEndian)
            if name.reads("data") {
                guard bytes.count >= 16 else { return }
                try begin(&bytes, &facts, size: size)
                return
            }
            guard size <= UInt64(Int64.max) else { throw StreamFailure(kAudioFileStreamError_InvalidFile) }
            let isWanted = ["desc", "kuki", "pakt", "chan"].contains { name.elementsEqual($0.utf8) }
            if !isWanted {
                bytes.drop(12 + size)
                continue
            }
            guard size <= UInt64(AudioStreamParser.headerLimit / 2) else {
                throw StreamFailure(kAudioFileStreamError_InvalidFile)
            }
            guard bytes.count >= 12 + Int(size) else { return }
            try read(name, Array(bytes.take(12 + Int(size)).dropFirst(12)), &facts)
        }
    }

    private mutating func begin(
        _ bytes: inout StreamBytes, _ facts: inout StreamFacts, size: UInt64
    ) throws(StreamFailure) {
        guard facts.format.mFormatID != 0 else { throw StreamFailure(kAudioFileStreamError_NotOptimized) }
        guard facts.format.mBytesPerPacket > 0 || !sizes.isEmpty else {
            throw StreamFailure(kAudioFileStreamError_NotOptimized)
        }
        bytes.drop(16)
        facts.dataOffset = bytes.position
        if size != .max { facts.byteCount = size >= 4 ? size - 4 : 0 }
        if facts.format.mBytesPerPacket > 0 { facts.countConstantPackets() }
        isReady = true
    }

    private mutating func read(
        _ name: [UInt8], _ content: [UInt8], _ facts: inout StreamFacts
    ) throws(StreamFailure) {
        if name.reads("desc") {
            try readDescription(content, &facts)
        } else if name.reads("kuki") {
            facts.cookie = content
            if facts.format.mFormatID == kAudioFormatMPEG4AAC {
                let formats = CompressedFormat.formats(of: facts.format, cookie: content)
                if formats.count > 1 { facts.formats = formats }
            }
        } else if name.reads("pakt") {
            try readPacketTable(content, &facts)
        } else if content.count >= 12 {
            let descriptions = content[8..<12].bigEndian
            let tag = UInt32(content[0..<4].bigEndian)
            if descriptions == 0, tag != kAudioChannelLayoutTag_UseChannelBitmap {
                facts.layout = ManagedAudioChannelLayout(tag: tag)
            }
        }
    }

    private func readDescription(_ content: [UInt8], _ facts: inout StreamFacts) throws(StreamFailure) {
        guard content.count >= 32 else { throw StreamFailure(kAudioFileStreamError_InvalidFile) }
        func word(_ index: Int) -> UInt32 { UInt32(content[index..<index + 4].bigEndian) }
        let rate = Double(bitPattern: content[0..<8].bigEndian)
        let (id, flags, channels, bits) = (word(8), word(12), word(24), word(28))
        if id == kAudioFormatLinearPCM {
            // In files bit 0 means floating point and bit 1 means little-endian.
            let kind = flags & 1 != 0 ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger
            try facts.setPCM(
                rate: rate, bits: bits, channels: channels,
                flags: kind | (flags & 2 != 0 ? 0 : kAudioFormatFlagIsBigEndian),
                containerBytes: channels > 0 ? word(16) / channels : 0)
            return
        }
        guard rate.isFinite, rate > 0, (1...64).contains(channels), word(16) <= 1 << 16 else {
            throw StreamFailure(kAudioFileStreamError_UnsupportedDataFormat)
        }
        facts.format = AudioStreamBasicDescription(
            mSampleRate: rate, mFormatID: id, mFormatFlags: flags, mBytesPerPacket: word(16),
            mFramesPerPacket: word(20), mBytesPerFrame: 0, mChannelsPerFrame: channels, mBitsPerChannel: bits,
            mReserved: 0)
        facts.packetSizeUpperBound = word(16)
    }

    private mutating func readPacketTable(
        _ content: [UInt8], _ facts: inout StreamFacts
    ) throws(StreamFailure) {
        guard content.count >= 24 else { throw StreamFailure(kAudioFileStreamError_InvalidFile) }
        let count = content[0..<8].bigEndian
        facts.packetTable = AudioFilePacketTableInfo(
            mNumberValidFrames: Int64(bitPattern: content[8..<16].bigEndian),
            mPrimingFrames: Int32(bitPattern: UInt32(content[16..<20].bigEndian)),
            mRemainderFrames: Int32(bitPattern: UInt32(content[20..<24].bigEndian)))
        guard facts.format.mBytesPerPacket == 0 else { return }
        let perPacket = facts.format.mFramesPerPacket == 0 ? 2 : 1
        var values: [UInt32] = []
        var value: UInt64 = 0
        for byte in content[24...] {
            value = value << 7 | UInt64(byte & 0x7F)
            guard value <= UInt64(AudioStreamParser.packetLimit) else {
                throw StreamFailure(kAudioFileStreamError_InvalidFile)
            }
            if byte & 0x80 == 0 {
                values.append(UInt32(value))
                value = 0
            }
        }
        guard UInt64(values.count / perPacket) >= count else {
            throw StreamFailure(kAudioFileStreamError_InvalidFile)
        }
        sizes = (0..<Int(count)).map { values[$0 * perPacket] }
        lengths = perPacket == 1 ? [] : (0..<Int(count)).map { values[$0 * perPacket + 1] }
        facts.packetCount = count
        facts.maximumPacketSize = sizes.max()
        facts.packetSizeUpperBound = sizes.max() ?? 0
    }

    mutating func packets(_ bytes: inout StreamBytes, _ facts: inout StreamFacts) -> PacketRun {
        if facts.format.mBytesPerPacket > 0 { return constant.read(&bytes, facts) }
        var run = PacketRun()
        while !run.isFull, next < sizes.count, bytes.count >= Int(sizes[next]) {
            let length = lengths.isEmpty ? 0 : Int(lengths[next])
            run.append(bytes.take(Int(sizes[next])), frames: length)
            next += 1
        }
        if next == sizes.count { bytes.drop(UInt64(bytes.count)) }
        return run
    }

    mutating func seek(
        to packet: UInt64, _ facts: StreamFacts
    ) throws(StreamFailure) -> (offset: UInt64, isEstimated: Bool) {
        if facts.format.mBytesPerPacket > 0 { return try ConstantPackets.place(of: packet, facts) }
        guard packet <= UInt64(sizes.count) else {
            throw StreamFailure(kAudioFileStreamError_InvalidPacketOffset)
        }
        next = Int(packet)
        return (sizes[..<next].reduce(facts.dataOffset) { $0 + UInt64($1) }, false)
    }

    func noteDiscontinuity(isPlaced: Bool) throws(StreamFailure) {
        if !isPlaced, !sizes.isEmpty { throw StreamFailure(kAudioFileStreamError_DiscontinuityCantRecover) }
    }
}
