/// The position of each packet of a track.
///
/// Layouts: `stsz`: the size of all (32), or 0, the count (32), the sizes (32 each). `stsc`: runs of first
/// chunk, packets of each chunk, description (32 each). `stco` and `co64`: the offset of each chunk (32 or
/// 64). All follow version and flags (32) and, except for `stsz`, a count (32). Source: ISO/IEC 14496-12,
/// 8.7.
struct MP4SampleTable: Sendable {
    struct Place {
        var offset: UInt64
        var size: Int
        var restOfChunk: Int
    }

    private var constantSize: Int
    private var sizes: [UInt32]
    private let chunks: [UInt64]
    private let runs: [(firstChunk: Int, perChunk: Int)]
    let count: Int
    /// The cursor at the next packet: its chunk, the chunk's packets already passed, and their bytes.
    private var sample = 0
    private var chunk = 0
    private var run = 0
    private var given = 0
    private var givenBytes: UInt64 = 0

    /// Returns `nil` for tables that contradict each other.
    ///
    /// - Parameter packetSize: The size of PCM packets, which some files state as 1; 0 for other encodings.
    init?(_ table: ArraySlice<UInt8>, packetSize: Int) {
        guard let sizes = MP4Box.content(["stsz"], in: table), sizes.count >= 12,
            let runs = MP4Box.content(["stsc"], in: table), runs.count >= 8
        else { return nil }
        let (sizeBytes, runBytes) = (Array(sizes), Array(runs))
        constantSize = Int(sizeBytes[4..<8].bigEndian)
        let count = Int(sizeBytes[8..<12].bigEndian)
        if packetSize > 0 { constantSize = packetSize }
        guard constantSize <= AudioStreamParser.packetLimit else { return nil }
        self.sizes = []
        if constantSize == 0 {
            guard sizeBytes.count >= 12 + count * 4 else { return nil }
            self.sizes = (0..<count).map { UInt32(sizeBytes[12 + $0 * 4..<16 + $0 * 4].bigEndian) }
            guard self.sizes.allSatisfy({ $0 <= AudioStreamParser.packetLimit }) else { return nil }
        }
        self.count = count
        let runCount = min(Int(runBytes[4..<8].bigEndian), (runBytes.count - 8) / 12)
        self.runs = (0..<runCount).map {
            let place = 8 + $0 * 12
            return (
                max(0, Int(runBytes[place..<place + 4].bigEndian) - 1),
                Int(runBytes[place + 4..<place + 8].bigEndian)
            )
        }
        let isLarge = MP4Box.content(["co64"], in: table) != nil
        guard let offsets = MP4Box.content([isLarge ? "co64" : "stco"], in: table).map({ Array($0) }),
            offsets.count >= 8, self.runs.first?.firstChunk == 0
        else { return nil }
        let width = isLarge ? 8 : 4
        let chunkCount = min(Int(offsets[4..<8].bigEndian), (offsets.count - 8) / width)
        chunks = (0..<chunkCount).map { offsets[8 + $0 * width..<8 + ($0 + 1) * width].bigEndian }
        guard chunks.allSatisfy({ $0 <= UInt64(Int64.max) / 2 }) else { return nil }
        settle()
    }

    var firstOffset: UInt64? { chunks.first }

    /// The size of all packets in bytes.
    var byteCount: UInt64 {
        constantSize > 0 ? UInt64(constantSize) * UInt64(count) : sizes.reduce(0) { $0 + UInt64($1) }
    }

    var largestSize: UInt32 { constantSize > 0 ? UInt32(constantSize) : sizes.max() ?? 0 }

    /// The next packet; `nil` after the last one.
    var next: Place? {
        guard sample < count, chunk < chunks.count else { return nil }
        return Place(
            offset: chunks[chunk] + givenBytes, size: size(sample),
            restOfChunk: min(runs[run].perChunk - given, count - sample))
    }

    private func size(_ index: Int) -> Int { constantSize > 0 ? constantSize : Int(sizes[index]) }

    /// Advances past packets of the same chunk.
    mutating func advance(by packets: Int) {
        if constantSize > 0 {
            givenBytes += UInt64(constantSize) * UInt64(packets)
        } else {
            for index in sample..<min(sample + packets, count) { givenBytes += UInt64(sizes[index]) }
        }
        sample += packets
        given += packets
        settle()
    }

    /// Moves to the chunk of the next packet; chunks may be empty.
    private mutating func settle() {
        while chunk < chunks.count {
            while run + 1 < runs.count, runs[run + 1].firstChunk <= chunk { run += 1 }
            if given < runs[run].perChunk { return }
            chunk += 1
            (given, givenBytes) = (0, 0)
        }
    }

    /// Moves to a packet, scanning from the start.
    mutating func seek(to packet: UInt64) {
        (sample, chunk, run, given, givenBytes) = (0, 0, 0, 0, 0)
        settle()
        let target = Int(clamping: packet)
        while sample < target, let place = next {
            advance(by: min(place.restOfChunk, target - sample))
        }
        if target > sample { sample = count }
    }
}
