import TuttiWire

/// Text about a track, in `application/x-dmap-tagged`.
///
/// Layout: items of a 4-letter code, a big-endian 32-bit length, and the value, all inside one `mlit` item.
/// Skips unknown codes.
package struct DMAPMetadata: WireFormat, Hashable {
    /// The values of `caps`.
    package enum PlayState: UInt8, Hashable, Sendable {
        /// Nothing plays.
        case stopped = 2
        /// Playback is paused.
        case paused = 3
        /// Playback is running.
        case playing = 4
    }

    /// `minm`
    package var title: String?
    /// `asar`
    package var artist: String?
    /// `asal`
    package var album: String?
    /// `asaa`
    package var albumArtist: String?
    /// `asgn`
    package var genre: String?
    /// `ascp`
    package var composer: String?
    /// `astm`, milliseconds.
    package var durationMilliseconds: UInt32?
    /// `astn`: the number of the track.
    package var trackNumber: UInt16?
    /// `astc`: the number of tracks in all.
    package var trackCount: UInt16?
    /// `asdn`
    package var discNumber: UInt16?
    /// `asyr`
    package var year: UInt16?
    /// `mper`, stable for an item.
    package var persistentID: UInt64?
    /// `miid`
    package var itemID: UInt32?
    /// `mikd`; 2 is music.
    package var itemKind: UInt8?
    /// `asdk`; 0 is a local file, 1 a radio stream.
    package var songDataKind: UInt8?
    /// `asac`; 1 if artwork follows.
    package var artworkCount: UInt16?
    /// `caps`
    package var playState: PlayState?

    /// The media type.
    package static let contentType = "application/x-dmap-tagged"

    /// Creates metadata without any field.
    package init() {}

    /// Reads one `mlit` item.
    ///
    /// - Throws: ``WireError`` if the outer code differs or a length is too large.
    package init(parsing input: inout ByteReader) throws(WireError) {
        let code = try input.integer(UInt32.self, field: "container")
        guard code == Self.container else { throw .unexpected(field: "container", value: UInt64(code)) }
        let length = try input.integer(UInt32.self, field: "container length")
        var items = ByteReader(try input.slice(count: Int(length), field: "mlit"))
        while !items.isAtEnd { try readItem(&items) }
    }

    /// Reads a body as far as its items can be read. pyatv 0.18 gives the number of characters for that of
    /// bytes, and ends its session when a text with other characters than ASCII is refused (*observed*).
    ///
    /// - Throws: ``WireError`` unless the body is one `mlit` item.
    package init(readable body: [UInt8]) throws(WireError) {
        var input = ByteReader(body[...])
        let code = try input.integer(UInt32.self, field: "container")
        guard code == Self.container else { throw .unexpected(field: "container", value: UInt64(code)) }
        let length = try input.integer(UInt32.self, field: "container length")
        var items = ByteReader(try input.slice(count: Int(length), field: "mlit"))
        guard input.isAtEnd else { throw .trailingBytes(count: input.rest().count) }
        do throws(WireError) {
            while !items.isAtEnd { try readItem(&items) }
        } catch {}
    }

    private mutating func readItem(_ items: inout ByteReader) throws(WireError) {
        let code = try items.slice(count: 4, field: "code")
        let length = try items.integer(UInt32.self, field: "length")
        let value = try items.slice(count: Int(length), field: "value")
        read(value, code: String(decoding: code, as: UTF8.self))
    }

    private mutating func read(_ value: ArraySlice<UInt8>, code: String) {
        switch code {
        case "minm": title = text(value)
        case "asar": artist = text(value)
        case "asal": album = text(value)
        case "asaa": albumArtist = text(value)
        case "asgn": genre = text(value)
        case "ascp": composer = text(value)
        case "astm": durationMilliseconds = number(value)
        case "astn": trackNumber = number(value)
        case "astc": trackCount = number(value)
        case "asdn": discNumber = number(value)
        case "asyr": year = number(value)
        case "mper": persistentID = number(value)
        case "miid": itemID = number(value)
        case "mikd": itemKind = number(value)
        case "asdk": songDataKind = number(value)
        case "asac": artworkCount = number(value)
        case "caps": playState = number(value).flatMap { PlayState(rawValue: $0) }
        default: break
        }
    }

    private func text(_ value: ArraySlice<UInt8>) -> String {
        ReceivedText.cut(value, toBytes: Self.textByteLimit)
    }

    /// Reads a big-endian number of 1 to 8 bytes, as senders differ in the width; `nil` if it is longer or
    /// does not fit.
    private func number<Value: FixedWidthInteger & UnsignedInteger>(_ value: ArraySlice<UInt8>) -> Value? {
        guard (1...8).contains(value.count) else { return nil }
        return Value(exactly: value.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    package func encode(into output: inout ByteWriter) {
        var items = ByteWriter()
        write("mikd", itemKind, to: &items)
        write("minm", title, to: &items)
        write("asar", artist, to: &items)
        write("asal", album, to: &items)
        write("asaa", albumArtist, to: &items)
        write("asgn", genre, to: &items)
        write("ascp", composer, to: &items)
        write("astm", durationMilliseconds, to: &items)
        write("asdk", songDataKind, to: &items)
        write("mper", persistentID, to: &items)
        write("miid", itemID, to: &items)
        write("astn", trackNumber, to: &items)
        write("astc", trackCount, to: &items)
        write("asdn", discNumber, to: &items)
        write("asyr", year, to: &items)
        write("asac", artworkCount, to: &items)
        write("caps", playState?.rawValue, to: &items)
        output.integer(Self.container)
        output.integer(UInt32(truncatingIfNeeded: items.bytes.count))
        output.append(items.bytes)
    }

    private func write(_ code: String, _ value: String?, to output: inout ByteWriter) {
        guard let value else { return }
        let bytes = Self.shortened(value)
        output.append(code.utf8)
        output.integer(UInt32(bytes.count))
        output.append(bytes)
    }

    private func write<Value: FixedWidthInteger & UnsignedInteger>(
        _ code: String, _ value: Value?, to output: inout ByteWriter
    ) {
        guard let value else { return }
        output.append(code.utf8)
        output.integer(UInt32(MemoryLayout<Value>.size))
        output.integer(value)
    }

    /// Most bytes of one text, sent or received. No display shows more, and receivers hold it in memory.
    package static let textByteLimit = 1024

    /// Cuts a text to whole characters within the limit.
    private static func shortened(_ text: String) -> [UInt8] {
        guard text.utf8.count > textByteLimit else { return Array(text.utf8) }
        var bytes: [UInt8] = []
        for character in text {
            guard bytes.count + character.utf8.count <= textByteLimit else { break }
            bytes += character.utf8
        }
        return bytes
    }

    /// `mlit`
    private static let container: UInt32 = 0x6D6C_6974
}
