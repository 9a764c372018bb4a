import AudioToolbox

/// Files made byte by byte.
enum FileBytes {
    static func big(_ value: Int, _ size: Int) -> [UInt8] { Array(little(value, size).reversed()) }

    static func little(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// Bytes that differ from their neighbours.
    static func sound(_ count: Int, from start: Int = 0) -> [UInt8] {
        (start..<start + count).map { UInt8(truncatingIfNeeded: $0 * 7 + $0 / 256) }
    }

    // MARK: WAVE

    static func riff(_ name: String, _ content: [UInt8], size: Int? = nil) -> [UInt8] {
        let padding: [UInt8] = content.count % 2 == 1 ? [0] : []
        return Array(name.utf8) + little(size ?? content.count, 4) + content + padding
    }

    static func waveFormat(
        _ code: Int, channels: Int, rate: Int = 44_100, bits: Int, block: Int? = nil, more: [UInt8] = []
    ) -> [UInt8] {
        let block = block ?? channels * ((bits + 7) / 8)
        let head = little(code, 2) + little(channels, 2) + little(rate, 4) + little(rate * block, 4)
        return riff("fmt ", head + little(block, 2) + little(bits, 2) + more)
    }

    /// A file of chunks.
    static func wave(_ chunks: [UInt8]..., kind: String = "RIFF") -> [UInt8] {
        Array(kind.utf8) + little(0xFFFF_FFFF, 4) + Array("WAVE".utf8) + chunks.flatMap { $0 }
    }

    // MARK: AIFF

    static func iff(_ name: String, _ content: [UInt8], size: Int? = nil) -> [UInt8] {
        let padding: [UInt8] = content.count % 2 == 1 ? [0] : []
        return Array(name.utf8) + big(size ?? content.count, 4) + content + padding
    }

    static func common(channels: Int, bits: Int, rate: [UInt8], coding: String = "") -> [UInt8] {
        iff("COMM", big(channels, 2) + big(0, 4) + big(bits, 2) + rate + Array(coding.utf8))
    }

    static func aiff(_ chunks: [UInt8]..., kind: String = "AIFF") -> [UInt8] {
        Array("FORM".utf8) + big(0, 4) + Array(kind.utf8) + chunks.flatMap { $0 }
    }

    /// 44.1 kHz as an 80-bit number.
    static let cdRate: [UInt8] = [0x40, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0]

    // MARK: CAF

    static func cafChunk(_ name: String, _ content: [UInt8], size: Int? = nil) -> [UInt8] {
        Array(name.utf8) + big(size ?? content.count, 8) + content
    }

    static func caf(_ chunks: [UInt8]...) -> [UInt8] {
        Array("caff".utf8) + [0, 1, 0, 0] + chunks.flatMap { $0 }
    }

    static func cafDescription(
        _ id: String, rate: Double = 44_100, flags: Int = 0, bytes: Int = 0, frames: Int = 1,
        channels: Int = 2,
        bits: Int = 0
    ) -> [UInt8] {
        let bits64 = Int(truncatingIfNeeded: rate.bitPattern)
        return cafChunk(
            "desc",
            big(bits64, 8) + Array(id.utf8) + big(flags, 4) + big(bytes, 4) + big(frames, 4)
                + big(channels, 4) + big(bits, 4))
    }

    // MARK: MPEG-4

    static func box(_ name: String, _ content: [UInt8]...) -> [UInt8] {
        let content = content.flatMap { $0 }
        return big(8 + content.count, 4) + Array(name.utf8) + content
    }

    /// A track of sound: its description and its sample table.
    static func track(
        _ handler: String = "soun", entry: [UInt8], times: [UInt8] = FileBytes.big(0, 8), tables: [UInt8],
        timescale: Int = 44_100, edits: [UInt8] = []
    ) -> [UInt8] {
        let table = box("stbl", box("stsd", big(0, 4) + big(1, 4) + entry), box("stts", times), tables)
        let header = box("mdhd", big(0, 12) + big(timescale, 4) + big(0, 8))
        let media = box(
            "mdia", header, box("hdlr", big(0, 8) + Array(handler.utf8) + big(0, 12)), box("minf", table))
        return box("trak", edits, media)
    }

    /// The description of a coding, with its boxes.
    static func entry(
        _ coding: String, channels: Int = 2, bits: Int = 16, rate: Int = 44_100, _ boxes: [UInt8] = []
    ) -> [UInt8] {
        let head: [UInt8] = big(0, 6) + big(1, 2) + big(0, 8) + big(channels, 2)
        let tail: [UInt8] = big(bits, 2) + big(0, 4) + big(rate, 2) + big(0, 2)
        return box(coding, head, tail, boxes)
    }

    /// Tables of packets in chunks.
    ///
    /// - Parameters:
    ///   - runs: First chunk, counted from 1, and packets of each chunk.
    ///   - size: The size of all packets; 0 if they vary.
    static func tables(
        runs: [(Int, Int)], size: Int = 0, count: Int? = nil, sizes: [Int] = [], offsets: [Int],
        isLarge: Bool = false
    ) -> [UInt8] {
        var packetsOfChunks: [UInt8] = big(0, 4) + big(runs.count, 4)
        for (first, packets) in runs { packetsOfChunks += big(first, 4) + big(packets, 4) + big(1, 4) }
        var packetSizes: [UInt8] = big(0, 4) + big(size, 4) + big(count ?? sizes.count, 4)
        for one in sizes { packetSizes += big(one, 4) }
        var chunks: [UInt8] = big(0, 4) + big(offsets.count, 4)
        for offset in offsets { chunks += big(offset, isLarge ? 8 : 4) }
        return box("stsc", packetsOfChunks) + box("stsz", packetSizes)
            + box(isLarge ? "co64" : "stco", chunks)
    }

    /// One run of packets of one length in time.
    static func times(_ total: Int) -> [UInt8] { big(0, 4) + big(1, 4) + big(1, 4) + big(total, 4) }

    static let fileType = box("ftyp", Array("M4A ".utf8), big(0, 4))
}
