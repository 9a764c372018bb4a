import CTuttiSystemd

/// Writes values into a message. Belongs to the thread of the loop.
struct MessageWriter {
    let message: OpaquePointer

    /// Appends values.
    ///
    /// - Returns: `false` if D-Bus does not allow a value, such as an object path with a space; the message must
    ///   then not be sent.
    func append(_ values: [BusValue]) -> Bool { values.allSatisfy(append) }

    private func append(_ value: BusValue) -> Bool {
        switch value {
        case .byte(let number): basic("y", number)
        case .boolean(let isTrue): basic("b", Int32(isTrue ? 1 : 0))
        case .int16(let number): basic("n", number)
        case .uint16(let number): basic("q", number)
        case .int32(let number): basic("i", number)
        case .uint32(let number): basic("u", number)
        case .int64(let number): basic("x", number)
        case .uint64(let number): basic("t", number)
        case .double(let number): basic("d", number)
        case .string(let text): string("s", BusText.sendable(text))
        case .objectPath(let text): string("o", text)
        case .signature(let text): string("g", text)
        case .array(let element, let elements): container("a", element, elements)
        case .structure(let members): container("r", members.map(\.typeSignature).joined(), members)
        case .entry(let key, let value):
            container("e", key.typeSignature + value.typeSignature, [key, value])
        case .variant(let inner): container("v", inner.typeSignature, [inner])
        }
    }

    private func basic<Number: BitwiseCopyable>(_ type: Unicode.Scalar, _ number: Number) -> Bool {
        withUnsafeBytes(of: number) {
            sd_bus_message_append_basic(message, Self.code(type), $0.baseAddress) >= 0
        }
    }

    /// Appends a text; libsystemd sees its bytes up to the first zero.
    private func string(_ type: Unicode.Scalar, _ text: String) -> Bool {
        guard !text.utf8.contains(0) else { return false }
        return text.withCString { sd_bus_message_append_basic(message, Self.code(type), $0) >= 0 }
    }

    private func container(_ type: Unicode.Scalar, _ contents: String, _ values: [BusValue]) -> Bool {
        sd_bus_message_open_container(message, Self.code(type), contents) >= 0
            && append(values) && sd_bus_message_close_container(message) >= 0
    }

    private static func code(_ type: Unicode.Scalar) -> CChar {
        CChar(truncatingIfNeeded: type.value)
    }
}
