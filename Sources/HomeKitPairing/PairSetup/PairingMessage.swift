import Wire

/// The parts of a pairing message that all procedures share.
enum PairingMessage {
    /// Parses a body from outside.
    static func parse(_ body: [UInt8]) throws(PairingError) -> TLV8 {
        guard !body.isEmpty else { throw .emptyBody }
        do { return try TLV8(exactly: body) } catch { throw .malformed(error) }
    }

    /// Parses a body of an accessory: an error in it, with or without a state, is thrown.
    static func parseReply(_ body: [UInt8], expecting state: UInt8) throws(PairingError) -> TLV8 {
        let message = try parse(body)
        if let code = message[.error] {
            // A delay that is no number still leaves the error itself.
            throw PairingError(
                code: code.first.map(PairingErrorCode.init) ?? .unknown,
                retryDelaySeconds: try? message.integer(.retryDelay))
        }
        try require(state, in: message)
        return message
    }

    static func require(_ state: UInt8, in message: TLV8) throws(PairingError) {
        let received = try integer(.state, of: message)
        guard received == UInt64(state) else {
            throw .unexpectedState(expected: state, received: received)
        }
    }

    static func integer(_ tag: TLV8Tag, of message: TLV8) throws(PairingError) -> UInt64? {
        do { return try message.integer(tag) } catch { throw .malformed(error) }
    }

    static func value(_ tag: TLV8Tag, of message: TLV8) throws(PairingError) -> [UInt8] {
        guard let value = message[tag] else { throw .missing(tag) }
        return value
    }

    /// The body with which an accessory ends a procedure.
    static func refusal(state: UInt8, because error: PairingError) -> [UInt8] {
        var message = TLV8([.init(.state, [state]), .init(.error, [error.code.rawValue])])
        if case .backOff(let seconds?) = error {
            message.append(.retryDelay, littleEndian(seconds))
        }
        return message.encoded
    }

    /// As few bytes as the number needs, at least one.
    private static func littleEndian(_ value: UInt64) -> [UInt8] {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        return Array(bytes.prefix(max(1, 8 - value.leadingZeroBitCount / 8)))
    }
}
