/// Bytes in D-Bus's format, little-endian, written by hand: an independent opinion on what libsystemd sends
/// and reads.
struct WireBytes {
    private(set) var bytes: [UInt8] = []

    mutating func pad(to alignment: Int) {
        while !bytes.count.isMultiple(of: alignment) { bytes.append(0) }
    }

    mutating func put<Number: FixedWidthInteger>(_ number: Number) {
        pad(to: MemoryLayout<Number>.size)
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }

    mutating func put(text: String) {
        put(UInt32(text.utf8.count))
        bytes += Array(text.utf8) + [0]
    }

    mutating func put(signature: String) {
        bytes += [UInt8(signature.utf8.count)] + Array(signature.utf8) + [0]
    }

    mutating func append(_ more: [UInt8]) { bytes += more }

    /// An array whose elements have an alignment.
    mutating func putArray(alignment: Int, _ body: (inout WireBytes) -> Void) {
        put(UInt32(0))
        let place = bytes.count - 4
        pad(to: alignment)
        let start = bytes.count
        body(&self)
        withUnsafeBytes(of: UInt32(bytes.count - start).littleEndian) { length in
            bytes.replaceSubrange(place..<place + 4, with: length)
        }
    }
}

/// A message of D-Bus as bytes.
struct WireMessage: Sendable {
    enum Kind: UInt8, Sendable { case call = 1, reply, error, signal }
    enum Field: UInt8, Sendable {
        case path = 1
        case interface, member, errorName, replySerial, destination, sender, signature
    }

    var kind: Kind
    var flags: UInt8 = 0
    var serial: UInt32
    var texts: [Field: String] = [:]
    var replySerial: UInt32?
    var body: [UInt8] = []

    var encoded: [UInt8] {
        var wire = WireBytes()
        wire.append([UInt8(ascii: "l"), kind.rawValue, flags, 1])
        wire.put(UInt32(body.count))
        wire.put(serial)
        wire.putArray(alignment: 8) { wire in
            for (field, text) in texts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                wire.pad(to: 8)
                wire.append([field.rawValue])
                switch field {
                case .path:
                    wire.put(signature: "o")
                    wire.put(text: text)
                case .signature:
                    wire.put(signature: "g")
                    wire.put(signature: text)
                default:
                    wire.put(signature: "s")
                    wire.put(text: text)
                }
            }
            if let replySerial {
                wire.pad(to: 8)
                wire.append([Field.replySerial.rawValue])
                wire.put(signature: "u")
                wire.put(replySerial)
            }
        }
        wire.pad(to: 8)
        wire.append(body)
        return wire.bytes
    }

    /// The number of bytes of the message that begins here; `nil` if that is not known yet.
    static func length(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= 16 else { return nil }
        let (body, fields) = (number(bytes, 4), number(bytes, 12))
        return 16 + (fields + 7) / 8 * 8 + body
    }

    private static func number(_ bytes: ArraySlice<UInt8>, _ offset: Int) -> Int {
        (0..<4).reduce(0) { $0 | Int(bytes[bytes.startIndex + offset + $1]) << (8 * $1) }
    }

    init(_ kind: Kind, serial: UInt32) { (self.kind, self.serial) = (kind, serial) }

    /// Reads a whole message.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard let kind = Kind(rawValue: bytes[bytes.startIndex + 1]) else { return nil }
        self.kind = kind
        flags = bytes[bytes.startIndex + 2]
        serial = UInt32(Self.number(bytes, 8))
        let (bodyCount, fieldCount) = (Self.number(bytes, 4), Self.number(bytes, 12))
        body = Array(bytes.suffix(bodyCount))
        var place = 16
        while place < 16 + fieldCount {
            place = (place + 7) / 8 * 8
            let code = bytes[bytes.startIndex + place]
            let type = bytes[bytes.startIndex + place + 2]
            place += 4
            if type == UInt8(ascii: "u") {
                replySerial = UInt32(Self.number(bytes, place))
                place += 4
                continue
            }
            let isShort = type == UInt8(ascii: "g")
            let count = isShort ? Int(bytes[bytes.startIndex + place]) : Self.number(bytes, place)
            place += isShort ? 1 : 4
            let start = bytes.startIndex + place
            if let field = Field(rawValue: code) {
                texts[field] = String(decoding: bytes[start..<start + count], as: UTF8.self)
            }
            place += count + 1
        }
    }
}
