/// A parser for a radio station's metadata: `StreamTitle='…';StreamUrl='…';`.
///
/// Titles may contain unescaped quotes. *Observed*: Icecast 2.4, SHOUTcast 2.
package enum IcyTitle {
    /// Returns the title; `nil` if the text has none. An empty title means that the station announces none.
    package static func parse(_ bytes: some Sequence<UInt8>) -> String? {
        let bytes = Array(bytes.prefix { $0 != 0 })
        let key = Array("StreamTitle='".utf8)
        guard let start = place(of: key, in: bytes[...]) else { return nil }
        let rest = bytes[(start + key.count)...]
        return words(rest[..<end(of: rest)]).trimmed
    }

    /// Finds the end of the title: a quote and a semicolon followed by another key or by nothing.
    private static func end(of bytes: ArraySlice<UInt8>) -> Int {
        var search = bytes
        while let quote = place(of: [0x27, 0x3B], in: search) {
            let after = bytes[(quote + 2)...].drop { $0 == 0x20 }
            let name = after.prefix { isLetter($0) }
            let isKey = !name.isEmpty && after.dropFirst(name.count).starts(with: [0x3D, 0x27])
            if after.isEmpty || isKey { return quote }
            search = bytes[(quote + 1)...]
        }
        return bytes.lastIndex(of: 0x27) ?? bytes.endIndex
    }

    /// Decodes UTF-8 or, if invalid, Latin-1, in which every byte is a character.
    private static func words(_ bytes: ArraySlice<UInt8>) -> String {
        let text =
            String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        return String(text.unicodeScalars.filter { $0.value >= 32 && !(127..<160).contains($0.value) })
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte & 0xDF) || (0x30...0x39).contains(byte)
    }

    private static func place(of part: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= part.count else { return nil }
        return (bytes.startIndex...(bytes.endIndex - part.count)).first {
            bytes[$0..<$0 + part.count].elementsEqual(part)
        }
    }
}
