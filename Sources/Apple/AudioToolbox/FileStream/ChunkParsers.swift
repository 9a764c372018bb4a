import CoreAudioTypes
import Foundation

/// A reader of constant-size packets up to the end of a chunk, or of the stream.
struct ConstantPackets: Sendable {

    /// Returns the available packets.
    func read(_ bytes: inout StreamBytes, _ facts: StreamFacts) -> PacketRun {
        var run = PacketRun()
        let size = Int(facts.format.mBytesPerPacket)
        guard size > 0 else { return run }
        var room = UInt64(min(bytes.count, max(PacketRun.byteLimit, size)))
        if let total = facts.byteCount {
            let used = bytes.position &- facts.dataOffset
            room = min(room, total > used ? total - used : 0)
        }
        run.count = Int(room) / size
        run.bytes = Array(bytes.take(run.count * size))
        // Skip the bytes after the sound.
        if let total = facts.byteCount, bytes.position &- facts.dataOffset &+ UInt64(size) > total {
            bytes.drop(UInt64(bytes.count))
        }
        return run
    }

    static func place(of packet: UInt64, _ facts: StreamFacts) throws(StreamFailure) -> (UInt64, Bool) {
        let (distance, overflow) = packet.multipliedReportingOverflow(
            by: UInt64(facts.format.mBytesPerPacket))
        let end = facts.dataOffset.addingReportingOverflow(distance)
        guard !overflow, !end.overflow else { throw StreamFailure(kAudioFileStreamError_InvalidPacketOffset) }
        return (end.partialValue, false)
    }
}

/// A parser of WAVE and RF64.
///
/// Layout: `RIFF`, size, `WAVE`, then chunks of name, size (32, little-endian) and content, padded to an even
/// size. `fmt `: code (16), channels (16), rate (32), bytes per second (32), block (16), bits (16), for code
/// 0xFFFE more. `ds64` of RF64: sizes of the file and of `data` (64 each). A size of `data` of 0 or of all
/// ones means everything up to the end.
struct WaveParser: ContainerParser, Sendable {
    private(set) var isReady = false
    private let packets = ConstantPackets()
    private var hasFormat = false
    private var largeSize: UInt64?
    private var isStarted = false

    mutating func parseHeader(_ bytes: inout StreamBytes, _ facts: inout StreamFacts) throws(StreamFailure) {
        if !isStarted {
            guard bytes.count >= 12 else { return }
            let head = bytes.take(12)
            guard head.suffix(4).reads("WAVE"), !head.prefix(4).reads("RIFX") else {
                throw StreamFailure(kAudioFileStreamError_UnsupportedFileType)
            }
            facts.fileType = head.prefix(4).reads("RF64") ? kAudioFileRF64Type : kAudioFileWAVEType
            isStarted = true
        }
        while !isReady, bytes.count >= 8 {
            let (name, size) = (Array(bytes.bytes(4)), bytes.bytes(4, at: 4).littleEndian)
            if name.reads("data") {
                guard hasFormat else { throw StreamFailure(kAudioFileStreamError_NotOptimized) }
                bytes.drop(8)
                facts.dataOffset = bytes.position
                facts.byteCount = size == 0 || size == 0xFFFF_FFFF ? largeSize : size
                facts.countConstantPackets()
                isReady = true
            } else if name.reads("fmt ") || name.reads("ds64") {
                guard size <= 4096 else { throw StreamFailure(kAudioFileStreamError_InvalidFile) }
                let length = 8 + Int(size + size % 2)
                guard bytes.count >= length else { return }
                let content = Array(bytes.take(length).dropFirst(8))
                if name.reads("ds64") {
                    if content.count >= 16 { largeSize = content[8..<16].littleEndian }
                } else {
                    try readFormat(content, &facts)
                    hasFormat = true
                }
            } else {
                bytes.drop(8 + size + size % 2)
            }
        }
    }

    private func readFormat(_ content: [UInt8], _ facts: inout StreamFacts) throws(StreamFailure) {
        guard content.count >= 16 else { throw StreamFailure(kAudioFileStreamError_InvalidFile) }
        var code = content[0..<2].littleEndian
        let channels = UInt32(content[2..<4].littleEndian)
        let rate = Double(content[4..<8].littleEndian)
        let block = UInt32(content[12..<14].littleEndian)
        var bits = UInt32(content[14..<16].littleEndian)
        guard channels > 0 else { throw StreamFailure(kAudioFileStreamError_InvalidFile) }
        let container = block / channels
        if code == 0xFFFE, content.count >= 40 {
            let valid = UInt32(content[18..<20].littleEndian)
            if valid > 0 { bits = min(bits, valid) }
            let places = UInt32(content[20..<24].littleEndian)
            if places != 0 {
                facts.layout = ManagedAudioChannelLayout(bitmap: AudioChannelBitmap(rawValue: places))
            }
            code = content[24..<26].littleEndian
        }
        switch code {
        case 1:
            try facts.setPCM(
                rate: rate, bits: bits, channels: channels,
                flags: bits > 8 ? kAudioFormatFlagIsSignedInteger : 0,
                containerBytes: container)
        case 3:
            try facts.setPCM(rate: rate, bits: bits, channels: channels, flags: kAudioFormatFlagIsFloat)
        case 6: try facts.setCompanded(kAudioFormatALaw, rate: rate, channels: channels)
        case 7: try facts.setCompanded(kAudioFormatULaw, rate: rate, channels: channels)
        default: throw StreamFailure(kAudioFileStreamError_UnsupportedDataFormat)
        }
        let frame = facts.format.mBytesPerFrame
        facts.bitRate = UInt32(min(rate * Double(frame) * 8, Double(UInt32.max)))
    }

    mutating func packets(_ bytes: inout StreamBytes, _ facts: inout StreamFacts) -> PacketRun {
        packets.read(&bytes, facts)
    }

    func seek(to packet: UInt64, _ facts: StreamFacts) throws(StreamFailure) -> (
        offset: UInt64, isEstimated: Bool
    ) {
        try ConstantPackets.place(of: packet, facts)
    }

    func noteDiscontinuity(isPlaced: Bool) {}
}

/// A parser of AIFF and AIFF-C.
///
/// Layout: `FORM`, size, `AIFF` or `AIFC`, then chunks as in WAVE, but big-endian. `COMM`: channels (16),
/// frames (32), bits (16), rate (80-bit floating point), for AIFC the coding's name (32). `SSND`: offset
/// (32), block (32), sound.
struct AIFFParser: ContainerParser, Sendable {
    private(set) var isReady = false
    private let packets = ConstantPackets()
    private var hasFormat = false
    private var isCompressed = false
    private var isStarted = false

    mutating func parseHeader(_ bytes: inout StreamBytes, _ facts: inout StreamFacts) throws(StreamFailure) {
        if !isStarted {
            guard bytes.count >= 12 else { return }
            let kind = bytes.take(12).suffix(4)
            isCompressed = kind.reads("AIFC")
            guard isCompressed || kind.reads("AIFF") else {
                throw StreamFailure(kAudioFileStreamError_UnsupportedFileType)
            }
            facts.fileType = isCompressed ? kAudioFileAIFCType : kAudioFileAIFFType
            isStarted = true
        }
        while !isReady, bytes.count >= 8 {
            let (name, size) = (Array(bytes.bytes(4)), bytes.bytes(4, at: 4).bigEndian)
            if name.reads("SSND") {
                guard hasFormat else { throw StreamFailure(kAudioFileStreamError_NotOptimized) }
                guard bytes.count >= 16 else { return }
                let offset = bytes.bytes(4, at: 8).bigEndian
                guard size >= 8 + offset else { throw StreamFailure(kAudioFileStreamError_InvalidFile) }
                bytes.drop(16 + offset)
                facts.dataOffset = bytes.position
                facts.byteCount = size - 8 - offset
                facts.countConstantPackets()
                isReady = true
            } else if name.reads("COMM") {
                guard size <= 4096 else { throw StreamFailure(kAudioFileStreamError_InvalidFile) }
                let length = 8 + Int(size + size % 2)
                guard bytes.count >= length else { return }
                try readFormat(Array(bytes.take(length).dropFirst(8)), &facts)
                hasFormat = true
            } else {
                bytes.drop(8 + size + size % 2)
            }
        }
    }

    private func readFormat(_ content: [UInt8], _ facts: inout StreamFacts) throws(StreamFailure) {
        guard content.count >= (isCompressed ? 22 : 18) else {
            throw StreamFailure(kAudioFileStreamError_InvalidFile)
        }
        let channels = UInt32(content[0..<2].bigEndian)
        let bits = UInt32(content[6..<8].bigEndian)
        let rate = Self.extended(content[8..<18])
        let (signed, big) = (kAudioFormatFlagIsSignedInteger, kAudioFormatFlagIsBigEndian)
        let coding = isCompressed ? Array(content[18..<22]) : Array("NONE".utf8)
        if coding.reads("NONE") || coding.reads("twos") || coding.reads("in24") || coding.reads("in32") {
            try facts.setPCM(rate: rate, bits: bits, channels: channels, flags: signed | big)
        } else if coding.reads("sowt") {
            try facts.setPCM(rate: rate, bits: bits, channels: channels, flags: signed)
        } else if coding.reads("fl32") || coding.reads("FL32") {
            try facts.setPCM(rate: rate, bits: 32, channels: channels, flags: kAudioFormatFlagIsFloat | big)
        } else if coding.reads("fl64") || coding.reads("FL64") {
            try facts.setPCM(rate: rate, bits: 64, channels: channels, flags: kAudioFormatFlagIsFloat | big)
        } else if coding.reads("alaw") || coding.reads("ALAW") {
            try facts.setCompanded(kAudioFormatALaw, rate: rate, channels: channels)
        } else if coding.reads("ulaw") || coding.reads("ULAW") {
            try facts.setCompanded(kAudioFormatULaw, rate: rate, channels: channels)
        } else {
            throw StreamFailure(kAudioFileStreamError_UnsupportedDataFormat)
        }
        facts.bitRate = UInt32(min(rate * Double(facts.format.mBytesPerFrame) * 8, Double(UInt32.max)))
    }

    /// Reads an 80-bit floating-point number: sign and exponent (16), mantissa with its leading one (64).
    private static func extended(_ bytes: ArraySlice<UInt8>) -> Double {
        let exponent = Int(bytes.prefix(2).bigEndian & 0x7FFF)
        let mantissa = Double(bytes.dropFirst(2).bigEndian)
        return exponent > 16_383 + 63 ? .infinity : mantissa * pow(2, Double(exponent - 16_383 - 63))
    }

    mutating func packets(_ bytes: inout StreamBytes, _ facts: inout StreamFacts) -> PacketRun {
        packets.read(&bytes, facts)
    }

    func seek(to packet: UInt64, _ facts: StreamFacts) throws(StreamFailure) -> (
        offset: UInt64, isEstimated: Bool
    ) {
        try ConstantPackets.place(of: packet, facts)
    }

    func noteDiscontinuity(isPlaced: Bool) {}
}
