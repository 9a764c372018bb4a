extension BusValue {
    /// The bytes of the value in a message that has only this one.
    package var byteCount: Int { Self.byteCount([self]) }

    /// Returns the bytes of a message's arguments.
    static func byteCount(_ values: [BusValue]) -> Int { values.reduce(0) { $1.end(from: $0) } }

    /// Returns the place after a value that begins at a place or, for its alignment, a little later.
    private func end(from place: Int) -> Int {
        switch self {
        case .byte: place + 1
        case .int16, .uint16: Self.aligned(place, 2) + 2
        case .boolean, .int32, .uint32: Self.aligned(place, 4) + 4
        case .int64, .uint64, .double: Self.aligned(place, 8) + 8
        // A length, and a zero at the end.
        case .string(let text), .objectPath(let text): Self.aligned(place, 4) + 5 + text.utf8.count
        case .signature(let text): place + 2 + text.utf8.count
        case .array(let element, let elements):
            elements.reduce(Self.aligned(Self.aligned(place, 4) + 4, Self.alignment(of: element))) {
                $1.end(from: $0)
            }
        case .structure(let members): members.reduce(Self.aligned(place, 8)) { $1.end(from: $0) }
        case .entry(let key, let value): value.end(from: key.end(from: Self.aligned(place, 8)))
        case .variant(let inner): inner.end(from: place + 2 + inner.typeSignature.utf8.count)
        }
    }

    private static func aligned(_ place: Int, _ alignment: Int) -> Int {
        (place + alignment - 1) / alignment * alignment
    }

    private static func alignment(of signature: String) -> Int {
        switch signature.utf8.first {
        case UInt8(ascii: "y"), UInt8(ascii: "g"), UInt8(ascii: "v"): 1
        case UInt8(ascii: "n"), UInt8(ascii: "q"): 2
        case UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"), UInt8(ascii: "("), UInt8(ascii: "{"): 8
        default: 4
        }
    }
}
