/// A cue sheet: the tracks inside of one or several sound files.
///
/// A line has a command and its values: `TITLE "A song"`, `FILE "album.flac" WAVE`, `TRACK 01 AUDIO`,
/// `INDEX 01 MM:SS:FF` with 75 frames a second. Unknown commands are skipped.
struct CueSheet: Hashable {
    struct Track: Hashable {
        var number: Int
        var title: String?
        var artist: String?
        /// The name of the sound file, as written.
        var file: String
        /// Seconds.
        var start: Double
        /// Seconds; `nil` for the end of the file.
        var end: Double?
    }

    /// The most tracks; a CD has 99.
    private static let trackLimit = 999
    private static let textLimit = 1024
    private static let framesPerSecond = 75

    var title: String?
    var artist: String?
    var year: Int?
    var genre: String?
    var tracks: [Track] = []

    private var file: String?
    /// The track whose `INDEX 01` has not come yet.
    private var pending: Track?
    /// Whether the lines belong to a track without a usable number.
    private var isSkipping = false

    /// - Returns: `nil` if the text has no track with a file and a start, or its starts run backwards.
    init?(_ text: String) {
        for line in text.split(whereSeparator: \.isNewline) { take(line) }
        guard !tracks.isEmpty, setEnds() else { return nil }
    }

    private mutating func take(_ line: Substring) {
        var words = CueWords(line)
        switch words.next()?.uppercased() {
        case "TITLE": set(\.title, \.title, words.rest)
        case "PERFORMER": set(\.artist, \.artist, words.rest)
        case "FILE": file = words.next()
        case "TRACK": begin(words.next())
        case "INDEX": if words.next().flatMap({ Int($0) }) == 1 { start(words.next()) }
        case "REM": remark(&words)
        default: break
        }
    }

    /// Sets a text of the pending track or of the last one, or before the first one a text of the sheet.
    private mutating func set(
        _ ofTrack: WritableKeyPath<Track, String?>, _ ofSheet: WritableKeyPath<CueSheet, String?>,
        _ text: String
    ) {
        guard !isSkipping else { return }
        let value = text.isEmpty ? nil : String(text.prefix(Self.textLimit))
        if pending != nil {
            pending?[keyPath: ofTrack] = value
        } else if let last = tracks.indices.last {
            tracks[last][keyPath: ofTrack] = value
        } else {
            self[keyPath: ofSheet] = value
        }
    }

    private mutating func begin(_ number: String?) {
        (pending, isSkipping) = (nil, true)
        guard let number = number.flatMap({ Int($0) }), (0...Self.trackLimit).contains(number) else { return }
        isSkipping = false
        pending = Track(number: number, file: "", start: 0)
    }

    private mutating func start(_ text: String?) {
        guard var track = pending, let file, let start = text.flatMap(Self.seconds),
            tracks.count < Self.trackLimit
        else { return }
        // The file at the start counts: a gap may be at the end of the file before.
        (track.file, track.start) = (file, start)
        tracks.append(track)
        pending = nil
    }

    private mutating func remark(_ words: inout CueWords) {
        switch words.next()?.uppercased() {
        case "DATE": year = Int(words.rest.prefix { $0.isASCII && $0.isNumber }.prefix(4))
        case "GENRE": genre = words.rest.isEmpty ? nil : String(words.rest.prefix(Self.textLimit))
        default: break
        }
    }

    /// A track ends where the next one of its file begins.
    private mutating func setEnds() -> Bool {
        for (index, next) in tracks.enumerated().dropFirst() where tracks[index - 1].file == next.file {
            guard next.start > tracks[index - 1].start else { return false }
            tracks[index - 1].end = next.start
        }
        return true
    }

    /// Parses `MM:SS:FF`; minutes may have more digits.
    private static func seconds(_ text: String) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let minutes = parts[0], let seconds = parts[1], let frames = parts[2],
            (0..<100_000).contains(minutes), (0..<60).contains(seconds),
            (0..<framesPerSecond).contains(frames)
        else { return nil }
        return Double(minutes * 60 + seconds) + Double(frames) / Double(framesPerSecond)
    }
}

/// The words of a line, some in quotes.
private struct CueWords {
    private var text: Substring

    init(_ line: Substring) { text = line.trimmed }

    /// Removes and returns the next word, without its quotes.
    mutating func next() -> String? {
        guard let first = text.first else { return nil }
        let isQuoted = first == "\""
        let body = isQuoted ? text.dropFirst() : text
        let word = body.prefix { isQuoted ? $0 != "\"" : !$0.isWhitespace }
        text = body[word.endIndex...].dropFirst(isQuoted ? 1 : 0).trimmed
        return String(word)
    }

    /// The rest of the line, without the quotes around it.
    var rest: String {
        guard text.count > 1, text.first == "\"", text.last == "\"" else { return String(text) }
        return String(text.dropFirst().dropLast())
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let start = drop { $0.isWhitespace }
        return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
    }
}
