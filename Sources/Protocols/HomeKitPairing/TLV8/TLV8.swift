import TuttiWire

/// A list of typed values, the body of every pairing message.
///
/// Layout of one fragment: type (1 byte), length (1), value (length). A longer value is sent in consecutive
/// fragments of one type, all but the last of 255 bytes; a shorter fragment ends its value. Order and unknown
/// types are preserved.
///
/// Source: HomeKit Accessory Protocol, TLV; *observed* with AirPlay receivers.
package struct TLV8: WireFormat, Equatable {
    /// The limit of bytes per encoded list. The largest pairing message, with a certificate, has some 2,000.
    package static let maximumByteCount = 16_384
    /// The limit of items per list. Pairing messages have at most 5, except a list of controllers.
    package static let maximumItemCount = 64
    /// The limit of bytes per fragment, because its length is one byte.
    static let maximumFragmentByteCount = 255

    /// One value of any length, joined from its fragments.
    package struct Item: Equatable, Sendable {
        /// The type of the value.
        package let tag: TLV8Tag
        /// The bytes of the value, all fragments joined.
        package let value: [UInt8]

        /// Creates a value to send.
        package init(_ tag: TLV8Tag, _ value: [UInt8]) {
            self.tag = tag
            self.value = value
        }
    }

    /// The values in wire order, separators included.
    package private(set) var items: [Item]

    /// Creates a list to send.
    package init(_ items: [Item] = []) { self.items = items }

    /// Appends a value.
    package mutating func append(_ tag: TLV8Tag, _ value: [UInt8]) { items.append(Item(tag, value)) }

    /// The first value of a type; `nil` when there is none.
    package subscript(tag: TLV8Tag) -> [UInt8]? { items.first { $0.tag == tag }?.value }

    /// Returns the first value of a type as an unsigned integer, little-endian, of 1 to 8 bytes.
    ///
    /// - Throws: ``WireError/outOfRange(field:value:)`` with the byte count for another length.
    package func integer(_ tag: TLV8Tag) throws(WireError) -> UInt64? {
        guard let value = self[tag] else { return nil }
        guard (1...8).contains(value.count) else {
            throw .outOfRange(field: "\(tag) byte count", value: UInt64(value.count))
        }
        return value.reversed().reduce(0) { ($0 << 8) | UInt64($1) }
    }

    /// Reads all remaining bytes.
    ///
    /// - Throws: ``WireError/truncated(field:needed:available:)`` when a fragment is incomplete,
    ///   ``WireError/outOfRange(field:value:)`` beyond a limit.
    package init(parsing input: inout ByteReader) throws(WireError) {
        guard input.remaining <= Self.maximumByteCount else {
            throw .outOfRange(field: "TLV byte count", value: UInt64(input.remaining))
        }
        items = []
        while !input.isAtEnd { items.append(try Self.item(from: &input, index: items.count)) }
    }

    /// Writes the list. A value whose last fragment is full, and which precedes another of its type, ends
    /// with an empty fragment, so that the two values stay separate.
    package func encode(into output: inout ByteWriter) {
        for (index, item) in items.enumerated() {
            let isFollowedBySameTag = items.dropFirst(index + 1).first?.tag == item.tag
            Self.encode(item, isFollowedBySameTag: isFollowedBySameTag, into: &output)
        }
    }

    private static func item(from input: inout ByteReader, index: Int) throws(WireError) -> Item {
        guard index < maximumItemCount else {
            throw .outOfRange(field: "TLV item count", value: UInt64(index) + 1)
        }
        let tag = try input.byte(field: "TLV type")
        var value: [UInt8] = []
        while true {
            let count = Int(try input.byte(field: "TLV length"))
            value += try input.slice(count: count, field: "TLV value")
            guard count == maximumFragmentByteCount, input.nextByte == tag else { break }
            try input.skip(1, field: "TLV type")
        }
        return Item(TLV8Tag(rawValue: tag), value)
    }

    private static func encode(_ item: Item, isFollowedBySameTag: Bool, into output: inout ByteWriter) {
        var rest = item.value[...]
        var count = 0
        repeat {
            count = min(rest.count, maximumFragmentByteCount)
            output.integer(item.tag.rawValue)
            output.integer(UInt8(count))
            output.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        } while !rest.isEmpty || (isFollowedBySameTag && count == maximumFragmentByteCount)
    }
}

extension ByteReader {
    /// The next byte, without consuming it.
    fileprivate var nextByte: UInt8? {
        var copy = self
        return copy.rest().first
    }
}
