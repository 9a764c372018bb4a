import TuttiWire

/// A request for one kind of message by unicast.
///
/// Layout, 6 bytes: type in the upper half of the first byte, log2 of the interval, seconds.
///
/// Source: IEEE 1588-2019, 16.1.4.1.
package struct PTPUnicastRequest: WireFormat, Hashable {
    /// The requested message type's number; may be unknown here.
    package var messageType: UInt8
    /// Log2 of the requested interval in seconds.
    package var logInterval: Int8
    /// The requested duration in seconds.
    package var durationSeconds: UInt32

    static let byteCount = 6

    /// Creates a request for messages of one type: log₂ of the interval in seconds, and the duration.
    package init(messageType: UInt8, logInterval: Int8, durationSeconds: UInt32) {
        self.messageType = messageType & 0x0F
        self.logInterval = logInterval
        self.durationSeconds = durationSeconds
    }

    package init(parsing input: inout ByteReader) throws(WireError) {
        messageType = try input.byte(field: "messageType") >> 4
        logInterval = Int8(bitPattern: try input.byte(field: "logInterMessagePeriod"))
        durationSeconds = try input.integer(UInt32.self, field: "durationField")
    }

    package func encode(into output: inout ByteWriter) {
        output.integer(messageType << 4)
        output.integer(UInt8(bitPattern: logInterval))
        output.integer(durationSeconds)
    }
}

/// The answer to a ``PTPUnicastRequest``.
///
/// Layout, 8 bytes: the layout of the request, then a reserved byte and the renewal bit.
///
/// Source: IEEE 1588-2019, 16.1.4.2.
package struct PTPUnicastGrant: WireFormat, Hashable {
    /// The granted request.
    package var request: PTPUnicastRequest
    /// Whether the requester may renew the grant before its end.
    package var invitesRenewal: Bool

    static let byteCount = 8
    /// The duration granted when the request names none. *Observed* in another sender.
    package static let defaultDurationSeconds: UInt32 = 300

    /// Creates the grant of a request, with the requested interval and duration.
    package init(request: PTPUnicastRequest, invitesRenewal: Bool = true) {
        self.request = request
        self.invitesRenewal = invitesRenewal
    }

    /// Grants exactly the request.
    package init(granting request: PTPUnicastRequest) {
        self.init(request: request)
        if request.durationSeconds == 0 { self.request.durationSeconds = Self.defaultDurationSeconds }
    }

    package init(parsing input: inout ByteReader) throws(WireError) {
        request = try PTPUnicastRequest(parsing: &input)
        try input.skip(1, field: "reserved")
        invitesRenewal = try input.byte(field: "renewalInvited") & 1 == 1
    }

    package func encode(into output: inout ByteWriter) {
        request.encode(into: &output)
        output.integer(UInt8(0))
        output.integer(UInt8(invitesRenewal ? 1 : 0))
    }
}
