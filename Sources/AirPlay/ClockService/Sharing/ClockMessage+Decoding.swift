import TuttiMediaTime
import TuttiSystemIO
import TuttiWire

extension ClockMessage {
    /// Decodes one whole message; trailing bytes are an error.
    init(_ bytes: [UInt8]) throws(ClockMessageError) {
        guard bytes.count <= LocalChannel.longestMessage else { throw .tooLong }
        var fields = FieldReader(reader: ByteReader(bytes))
        self = try fields.message()
        guard fields.isDone else { throw .outOfRange(field: "length") }
    }
}

private struct FieldReader {
    /// The valid range of times and durations: values beyond ±73 years are corrupt.
    static let sane: ClosedRange<Int64> = -(1 << 61)...(1 << 61)

    var reader: ByteReader
    /// Whether the rest is skipped: fields of another version are unknown here.
    private var ignoresRest = false

    init(reader: ByteReader) { self.reader = reader }

    var isDone: Bool { ignoresRest || reader.isAtEnd }

    mutating func message() throws(ClockMessageError) -> ClockMessage {
        let kind = try integer(UInt8.self, "kind")
        switch kind {
        case 1: return try hello()
        case 2: return try welcome()
        case 3: return try refusal()
        case 10...19: return .command(try command(kind))
        case 20:
            let source = try someAddress("source")
            let port: ClockPort = try flag("port") ? .event : .general
            let receivedAt = try someTime("arrival")
            guard reader.remaining <= ClockMessage.longestDatagram else { throw .tooLong }
            return .received(
                .init(source: source, port: port, receivedAt: receivedAt, bytes: Array(reader.rest())))
        case 21:
            return .asked(
                try someAddress("address"), sequence: try integer(UInt16.self, "sequence"),
                at: try someTime("departure"))
        case 22: return .beat
        default: throw .unknownKind(kind)
        }
    }

    private mutating func version() throws(ClockMessageError) -> UInt16 {
        guard try integer(UInt32.self, "magic") == ClockMessage.magic else { throw .notAClock }
        return try integer(UInt16.self, "version")
    }

    private mutating func hello() throws(ClockMessageError) -> ClockMessage {
        let version = try version()
        guard version == ClockMessage.version else {
            ignoresRest = true
            return .hello(.init(version: version, identity: ClockIdentity(rawValue: 0)))
        }
        return .hello(.init(identity: try identity()))
    }

    private mutating func welcome() throws(ClockMessageError) -> ClockMessage {
        guard try version() == ClockMessage.version else { throw .outOfRange(field: "version") }
        let identity = try identity()
        let reading = try someTime("reading")
        let term = Int64(bitPattern: try integer(UInt64.self, "term"))
        guard (1...SharedLease.lastTerm).contains(term) else { throw .outOfRange(field: "term") }
        let count = try integer(UInt8.self, "sockets")
        guard count >= 2, count <= ClockMessage.mostSockets, count.isMultiple(of: 2) else {
            throw .outOfRange(field: "sockets")
        }
        return .welcome(
            .init(
                identity: identity, reading: reading, term: term, socketCount: count,
                stampsDepartures: try flag("stamps")))
    }

    private mutating func refusal() throws(ClockMessageError) -> ClockMessage {
        let version = try version()
        guard version == ClockMessage.version else {
            ignoresRest = true
            return .refusal(.otherVersion(version))
        }
        switch try integer(UInt8.self, "reason") {
        case 0: return .refusal(.otherVersion(version))
        case 1: return .refusal(.otherIdentity(try identity()))
        case 2: return .refusal(.tooManyPrograms)
        default: throw .outOfRange(field: "reason")
        }
    }

    private mutating func command(_ kind: UInt8) throws(ClockMessageError) -> ClockCommand {
        if kind == 17 { return .restorePeer(try record()) }
        let address = try someAddress("address")
        switch kind {
        case 10:
            return .addPeer(
                address, try behaviour(), pathDelay: try duration("path delay"),
                localAddress: try self.address("local address"))
        case 11: return .removePeer(address)
        case 12: return .setBehaviour(try behaviour(), of: address)
        case 13: return .restartServing(address)
        case 14: return .setPathDelay(try duration("path delay"), of: address)
        case 15:
            return .follow(
                address, localAddress: try self.address("local address"), isOwn: try flag("own"))
        case 16: return .unfollow(address)
        case 18:
            return .yield(
                address, localAddress: try self.address("local address"), isOwn: try flag("own"))
        default: return .endYield(address)
        }
    }

    private mutating func record() throws(ClockMessageError) -> ClockPeerRecord {
        let address = try someAddress("address")
        let localAddress = try self.address("local address")
        let uses = Int(try integer(UInt16.self, "uses"))
        guard (1...ClockLedger.mostUses).contains(uses) else { throw .outOfRange(field: "uses") }
        return ClockPeerRecord(
            address: address, localAddress: localAddress, uses: uses, behaviour: try behaviour(),
            servedDelay: try duration("served delay"), measuresPath: try flag("measures"),
            firstFollowUp: try time("first Follow_Up"),
            announceSequence: try integer(UInt16.self, "Announce"),
            syncSequence: try integer(UInt16.self, "Sync"),
            signalingSequence: try integer(UInt16.self, "Signaling"), state: try state(),
            questionCount: try integer(UInt32.self, "questions"),
            streakCount: try integer(UInt32.self, "streak"), restartedAt: try someTime("restart"),
            firstSync: try time("first Sync"), lastQuestion: try time("last question"),
            exchangeReadyTime: try time("ready"))
    }

    // MARK: Fields

    private mutating func integer<Value: FixedWidthInteger & UnsignedInteger>(
        _ type: Value.Type, _ field: StaticString
    ) throws(ClockMessageError) -> Value {
        do throws(WireError) { return try reader.integer(type, field: field) } catch {
            throw .malformed(error)
        }
    }

    private mutating func flag(_ field: StaticString) throws(ClockMessageError) -> Bool {
        let value = try integer(UInt8.self, field)
        guard value <= 1 else { throw .outOfRange(field: "\(field)") }
        return value == 1
    }

    private mutating func identity() throws(ClockMessageError) -> ClockIdentity {
        ClockIdentity(rawValue: try integer(UInt64.self, "identity"))
    }

    private mutating func time(_ field: StaticString) throws(ClockMessageError) -> HostTime? {
        let value = Int64(bitPattern: try integer(UInt64.self, field))
        if value == .min { return nil }
        guard Self.sane.contains(value) else { throw .outOfRange(field: "\(field)") }
        return HostTime(nanoseconds: value)
    }

    private mutating func someTime(_ field: StaticString) throws(ClockMessageError) -> HostTime {
        guard let time = try time(field) else { throw .outOfRange(field: "\(field)") }
        return time
    }

    private mutating func duration(_ field: StaticString) throws(ClockMessageError) -> Duration {
        let value = Int64(bitPattern: try integer(UInt64.self, field))
        guard Self.sane.contains(value) else { throw .outOfRange(field: "\(field)") }
        return .nanoseconds(value)
    }

    private mutating func address(_ field: StaticString) throws(ClockMessageError) -> IPAddress? {
        let count = Int(try integer(UInt8.self, field))
        guard [0, 4, 16].contains(count) else { throw .outOfRange(field: "\(field)") }
        if count == 0 { return nil }
        let bytes: ArraySlice<UInt8>
        do throws(WireError) { bytes = try reader.slice(count: count, field: field) } catch {
            throw .malformed(error)
        }
        return IPAddress(bytes: bytes, scopeID: count == 16 ? try integer(UInt32.self, field) : 0)
    }

    private mutating func someAddress(_ field: StaticString) throws(ClockMessageError) -> IPAddress {
        guard let address = try address(field) else { throw .outOfRange(field: "\(field)") }
        return address
    }

    private mutating func behaviour() throws(ClockMessageError) -> ClockPeerBehaviour {
        switch try integer(UInt8.self, "behaviour") {
        case 0: return .unknown
        case 1:
            return .asks(
                exchanges: Int(try integer(UInt16.self, "exchanges")), then: try duration("then"))
        case 2: return .neverAsks(readyAfter: try duration("ready after"))
        default: throw .outOfRange(field: "behaviour")
        }
    }

    private mutating func state() throws(ClockMessageError) -> PeerClockState {
        switch try integer(UInt8.self, "state") {
        case 0: return .waiting
        case 1: return .ready
        case 2: return .stalled
        default: throw .outOfRange(field: "state")
        }
    }
}
