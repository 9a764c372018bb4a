/// An HLS media playlist that begins at a later segment.
///
/// Source: RFC 8216.
struct PieceList: Hashable {
    /// The playlist from the chosen segment on.
    var text: String
    /// The total declared duration of the dropped segments, in seconds.
    var skipped = 0.0

    /// Drops the segments before a position.
    ///
    /// - Parameter place: The position in seconds. The segment that contains it comes first in the new
    ///   playlist. A playlist without an end tag (live), or of other playlists, stays unchanged.
    init(_ text: String, from place: Double) {
        self.text = text
        let lines = text.split(omittingEmptySubsequences: true) { $0.isNewline }
        guard place > 0, lines.contains(where: { $0.hasPrefix("#EXT-X-ENDLIST") }) else { return }
        var reading = Reading()
        for line in lines { reading.take(line) }
        let kept = reading.pieces.firstIndex { $0.end > place } ?? reading.pieces.count - 1
        guard kept > 0 else { return }
        skipped = reading.pieces[kept].end - reading.pieces[kept].length
        self.text = reading.text(from: kept)
    }

    private struct Piece {
        var lines: [Substring] = []
        var length = 0.0
        /// The end in seconds from the playlist's start.
        var end = 0.0
        /// The latest key and map tags, which apply from this segment on.
        var key: Substring?
        var map: Substring?
        /// The start of the byte range, if its tag omits the start.
        var offset: Int?
    }

    private struct Reading {
        var head: [Substring] = []
        var sequence = 0
        var pieces: [Piece] = []
        private var next = Piece()
        private var rangeEnd: Int?

        mutating func take(_ line: Substring) {
            if line.hasPrefix("#EXT-X-KEY:") {
                next.key = line
            } else if line.hasPrefix("#EXT-X-MAP:") {
                next.map = line
            } else if let value = Self.value("#EXT-X-MEDIA-SEQUENCE:", line) {
                sequence = Int(value) ?? 0
            } else if line.hasPrefix("#EXT-X-ENDLIST") {
                return
            } else if line.hasPrefix("#EXTM3U") || Self.isOfTheWhole(line) {
                head.append(line)
            } else {
                takePart(line)
            }
        }

        private mutating func takePart(_ line: Substring) {
            next.lines.append(line)
            if let value = Self.value("#EXTINF:", line) {
                let length = value.prefix { $0 != "," }.filter { $0 != " " }
                next.length = min(max(0, Double(length) ?? 0), 86_400)
            } else if let value = Self.value("#EXT-X-BYTERANGE:", line) {
                takeRange(value)
            } else if !line.hasPrefix("#") {
                next.end = (pieces.last?.end ?? 0) + next.length
                pieces.append(next)
                next = Piece(key: next.key, map: next.map)
            }
        }

        private mutating func takeRange(_ value: Substring) {
            let words = value.split(separator: "@")
            guard let count = words.first.flatMap({ Int($0) }), count >= 0 else { return }
            if words.count < 2 { next.offset = rangeEnd }
            let start = words.count > 1 ? Int(words[1]) : rangeEnd
            rangeEnd = start.map { $0.addingReportingOverflow(count).partialValue }
        }

        private static func isOfTheWhole(_ line: Substring) -> Bool {
            let tags = ["VERSION", "TARGETDURATION", "PLAYLIST-TYPE", "INDEPENDENT-SEGMENTS"]
            return tags.contains { line.hasPrefix("#EXT-X-" + $0) }
        }

        private static func value(_ tag: String, _ line: Substring) -> Substring? {
            line.hasPrefix(tag) ? line.dropFirst(tag.count) : nil
        }

        func text(from first: Int) -> String {
            var lines = head + ["#EXT-X-MEDIA-SEQUENCE:\(sequence &+ first)"]
            var (key, map): (Substring?, Substring?) = (nil, nil)
            for (index, piece) in pieces[first...].enumerated() {
                if piece.key != key, let tag = piece.key { lines.append(tag) }
                if piece.map != map, let tag = piece.map { lines.append(tag) }
                (key, map) = (piece.key, piece.map)
                lines += index > 0 ? piece.lines : piece.lines.map { Self.placed($0, piece.offset) }
            }
            return (lines + ["#EXT-X-ENDLIST", ""]).joined(separator: "\n")
        }

        /// Adds the start to the playlist's first range, which no longer follows another range.
        private static func placed(_ line: Substring, _ offset: Int?) -> Substring {
            guard let offset, line.hasPrefix("#EXT-X-BYTERANGE:") else { return line }
            return line + "@\(offset)"
        }
    }
}
