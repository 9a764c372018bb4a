import CTuttiSystemd

/// Reads the arguments of a message, within ``BusLimits``. Belongs to the thread of the loop.
struct MessageReader {
    private let message: OpaquePointer
    private var valuesLeft = BusLimits.values
    private var bytesLeft = BusLimits.textBytes

    /// A message that is not read, and why.
    struct Refusal: Error {}

    init(_ message: OpaquePointer) { self.message = message }

    /// Returns the call of a message; `nil` if it is not a call.
    static func call(_ message: OpaquePointer) -> BusCall? {
        var type: UInt8 = 0
        guard sd_bus_message_get_type(message, &type) >= 0, Int(type) == Int(SD_BUS_MESSAGE_METHOD_CALL),
            let path = text(sd_bus_message_get_path(message)),
            let member = text(sd_bus_message_get_member(message))
        else { return nil }
        return BusCall(
            path: path, interface: text(sd_bus_message_get_interface(message)), member: member,
            sender: text(sd_bus_message_get_sender(message)),
            signature: text(sd_bus_message_get_signature(message, 1)) ?? "",
            arguments: arguments(of: message))
    }

    /// Returns all arguments; `nil` if they are more than the limits allow.
    static func arguments(of message: OpaquePointer) -> [BusValue]? {
        var reader = MessageReader(message)
        return try? reader.values(depth: 0)
    }

    private static func text(_ bytes: UnsafePointer<CChar>?) -> String? { bytes.map { String(cString: $0) } }

    /// Reads values up to the end of the container.
    private mutating func values(depth: Int) throws(Refusal) -> [BusValue] {
        var values: [BusValue] = []
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        while true {
            let result = sd_bus_message_peek_type(message, &type, &contents)
            guard result >= 0 else { throw Refusal() }
            if result == 0 { return values }
            values.append(try value(UInt8(bitPattern: type), Self.text(contents) ?? "", depth: depth))
        }
    }

    private mutating func value(
        _ type: UInt8, _ contents: String, depth: Int
    ) throws(Refusal) -> BusValue {
        valuesLeft -= 1
        guard valuesLeft >= 0, depth <= BusLimits.depth else { throw Refusal() }
        switch type {
        case UInt8(ascii: "y"): return .byte(try number(type, 0))
        // D-Bus's truth value arrives as an int.
        case UInt8(ascii: "b"): return .boolean(try number(type, Int32(0)) != 0)
        case UInt8(ascii: "n"): return .int16(try number(type, 0))
        case UInt8(ascii: "q"): return .uint16(try number(type, 0))
        case UInt8(ascii: "i"): return .int32(try number(type, 0))
        case UInt8(ascii: "u"): return .uint32(try number(type, 0))
        case UInt8(ascii: "x"): return .int64(try number(type, 0))
        case UInt8(ascii: "t"): return .uint64(try number(type, 0))
        case UInt8(ascii: "d"): return .double(try number(type, 0))
        case UInt8(ascii: "s"): return .string(try string(type))
        case UInt8(ascii: "o"): return .objectPath(try string(type))
        case UInt8(ascii: "g"): return .signature(try string(type))
        case UInt8(ascii: "a"): return .array(of: contents, try container(type, contents, depth))
        case UInt8(ascii: "r"): return .structure(try container(type, contents, depth))
        case UInt8(ascii: "e"):
            let pair = try container(type, contents, depth)
            guard pair.count == 2 else { throw Refusal() }
            return .entry(pair[0], pair[1])
        case UInt8(ascii: "v"):
            let inner = try container(type, contents, depth)
            guard inner.count == 1 else { throw Refusal() }
            return .variant(inner[0])
        default: throw Refusal()
        }
    }

    private func number<Number>(_ type: UInt8, _ zero: Number) throws(Refusal) -> Number
    where Number: BitwiseCopyable {
        var number = zero
        guard sd_bus_message_read_basic(message, CChar(bitPattern: type), &number) > 0 else {
            throw Refusal()
        }
        return number
    }

    private mutating func string(_ type: UInt8) throws(Refusal) -> String {
        var bytes: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(message, CChar(bitPattern: type), &bytes) > 0, let bytes else {
            throw Refusal()
        }
        let text = String(cString: bytes)
        bytesLeft -= text.utf8.count
        guard bytesLeft >= 0 else { throw Refusal() }
        return text
    }

    private mutating func container(
        _ type: UInt8, _ contents: String, _ depth: Int
    ) throws(Refusal) -> [BusValue] {
        guard sd_bus_message_enter_container(message, CChar(bitPattern: type), contents) > 0 else {
            throw Refusal()
        }
        let values = try values(depth: depth + 1)
        guard sd_bus_message_exit_container(message) >= 0 else { throw Refusal() }
        return values
    }
}
