/// The audible part of an MP4 file, from its edit list.
///
/// FFmpeg rounds the edit list to the movie's unit, often milliseconds, and drops packets that then seem
/// inaudible; this parser reads the exact numbers. Source: ISO/IEC 14496-12, 8.6.6.
struct MP4EditList: Hashable {
    /// The most bytes of a movie header; larger headers are ignored.
    private static let headerLimit = 32 * 1024 * 1024
    private static let boxLimit = 1024

    /// The length of the audible part, in ``movieScale`` units per second.
    let duration: Int64
    let movieScale: Int64
    /// The start of the audible part, in the sound's own unit.
    let mediaTime: Int64

    /// Reads a sound track's edit list; `nil` if there is none, or if it has more than one audible part.
    ///
    /// - Parameter sound: The index of the track among the file's sound tracks, from 0.
    init?(of source: FormatSource, sound: Int) {
        var offset = 0
        for _ in 0..<Self.boxLimit {
            guard let box = Box(source.bytes(16, at: offset)[...]), box.size >= box.headerSize else {
                return nil
            }
            if box.kind == "moov" {
                guard box.size <= Self.headerLimit else { return nil }
                self.init(movie: source.bytes(box.size, at: offset).dropFirst(box.headerSize), sound: sound)
                return
            }
            let (next, overflow) = offset.addingReportingOverflow(box.size)
            if overflow { return nil }
            offset = next
        }
        return nil
    }

    /// - Parameters:
    ///   - movie: The contents of the `moov` box.
    ///   - sound: The index of the track among the file's sound tracks, from 0.
    init?(movie: ArraySlice<UInt8>, sound: Int = 0) {
        let tracks = Box.children(of: movie)
        guard let header = tracks.first(where: { $0.kind == "mvhd" })?.body,
            let scale = header.number(at: header.first == 1 ? 20 : 12, size: 4), scale > 0
        else { return nil }
        let track = tracks.filter { track in
            track.kind == "trak"
                && Box.find(["mdia", "hdlr"], in: track.body)?.dropFirst(8).prefix(4).elementsEqual(
                    "soun".utf8) == true
        }.dropFirst(sound).first
        guard let track, let list = Box.find(["edts", "elst"], in: track.body) else { return nil }
        let isWide = list.first == 1
        let (size, step) = isWide ? (8, 20) : (4, 12)
        guard let count = list.number(at: 4, size: 4), (1...2).contains(count) else { return nil }
        let none = isWide ? Int64.max : Int64(UInt32.max)
        // An initial empty edit only delays the sound.
        var entry = 8
        if count == 2 {
            guard let empty = list.number(at: entry + size, size: size), empty == none || empty == -1 else {
                return nil
            }
            entry += step
        }
        guard let duration = list.number(at: entry, size: size),
            let time = list.number(at: entry + size, size: size),
            duration > 0, duration < 1 << 50, (0..<1 << 40).contains(time), time != none
        else { return nil }
        (self.duration, movieScale, mediaTime) = (duration, scale, time)
    }

    /// Returns the audible length in frames, and the possible rounding error.
    func frames(rate: Int64) -> (count: Int64, uncertainty: Int64) {
        let (seconds, rest) = duration.quotientAndRemainder(dividingBy: movieScale)
        let count = seconds.multipliedReportingOverflow(by: rate)
        if count.overflow { return (.max, 0) }
        return (count.partialValue &+ rest * rate / movieScale, movieScale < rate ? rate / movieScale + 1 : 1)
    }
}

/// A box of an MP4 file: 32-bit size, four letters, contents.
private struct Box {
    let kind: String
    let size: Int
    let headerSize: Int
    var body: ArraySlice<UInt8> = []

    init?(_ bytes: ArraySlice<UInt8>) {
        guard let short = bytes.number(at: 0, size: 4), bytes.count >= 8 else { return nil }
        kind = String(decoding: bytes.dropFirst(4).prefix(4), as: UTF8.self)
        if short == 1 {
            guard let long = bytes.number(at: 8, size: 8), long >= 16 else { return nil }
            (size, headerSize) = (Int(long), 16)
        } else {
            (size, headerSize) = (short == 0 ? bytes.count : Int(short), 8)
        }
        body = bytes.dropFirst(headerSize).prefix(max(0, size - headerSize))
    }

    static func children(of bytes: ArraySlice<UInt8>) -> [Box] {
        var (rest, boxes) = (bytes, [Box]())
        while boxes.count < 1024, let box = Box(rest), box.size >= box.headerSize {
            boxes.append(box)
            rest = rest.dropFirst(box.size)
        }
        return boxes
    }

    static func find(_ path: [String], in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let kind = path.first else { return bytes }
        guard let box = children(of: bytes).first(where: { $0.kind == kind }) else { return nil }
        return find(Array(path.dropFirst()), in: box.body)
    }
}

extension ArraySlice<UInt8> {
    /// Reads a big-endian number of 1 ... 8 bytes; `nil` beyond the end.
    fileprivate func number(at offset: Int, size: Int) -> Int64? {
        guard count >= offset + size else { return nil }
        return dropFirst(offset).prefix(size).reduce(0) { $0 << 8 | Int64($1) }
    }
}
