import TuttiWire

/// The parts of a pairing message that all procedures share.
enum PairingMessage {
    /// Parses a body from a peer.
    static func parse(_ body: [UInt8]) throws(PairingError) -> TLV8 {
        guard !body.isEmpty else { throw .emptyBody }
        do { return try TLV8(exactly: body) } catch { throw .malformed(error) }
    }

    /// Parses a reply of an accessory; throws an error that the reply contains, with or without a state.
    static func parseReply(_ body: [UInt8], expecting state: UInt8) throws(PairingError) -> TLV8 {
        let message = try parse(body)
        if let code = message[.error] {
            // An invalid delay must not hide the error itself.
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

    /// Returns the body with which an accessory ends a procedure.
    static func refusal(state: UInt8, because error: PairingError) -> [UInt8] {
        var message = TLV8([.init(.state, [state]), .init(.error, [error.code.rawValue])])
        if case .backOff(let seconds?) = error {
            message.append(.retryDelay, littleEndian(seconds))
        }
        return message.encoded
    }

    /// Returns the number in as few bytes as it needs, at least one.
    private static func littleEndian(_ value: UInt64) -> [UInt8] {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        return Array(bytes.prefix(max(1, 8 - value.leadingZeroBitCount / 8)))
    }
}
