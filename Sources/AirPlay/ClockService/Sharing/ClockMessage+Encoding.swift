import TuttiMediaTime
import TuttiSystemIO
import TuttiWire

extension ClockMessage {
    var encoded: [UInt8] {
        var fields = FieldWriter()
        switch self {
        case .hello(let hello):
            fields.head(1, hello.version)
            fields.writer.integer(hello.identity.rawValue)
        case .welcome(let welcome):
            fields.head(2, Self.version)
            fields.writer.integer(welcome.identity.rawValue)
            fields.time(welcome.reading)
            fields.writer.integer(UInt64(bitPattern: welcome.term))
            fields.writer.integer(welcome.socketCount)
            fields.flag(welcome.stampsDepartures)
        case .refusal(.otherVersion(let version)):
            fields.head(3, version)
            fields.writer.integer(UInt8(0))
        case .refusal(.otherIdentity(let identity)):
            fields.head(3, Self.version)
            fields.writer.integer(UInt8(1))
            fields.writer.integer(identity.rawValue)
        case .refusal(.tooManyPrograms):
            fields.head(3, Self.version)
            fields.writer.integer(UInt8(2))
        case .command(let command): fields.command(command)
        case .received(let received):
            fields.writer.integer(UInt8(20))
            fields.address(received.source)
            fields.flag(received.port == .event)
            fields.time(received.receivedAt)
            fields.writer.append(received.bytes)
        case .asked(let address, let sequence, let departure):
            fields.writer.integer(UInt8(21))
            fields.address(address)
            fields.writer.integer(sequence)
            fields.time(departure)
        case .beat: fields.writer.integer(UInt8(22))
        }
        return fields.writer.bytes
    }
}

private struct FieldWriter {
    var writer = ByteWriter()

    mutating func head(_ kind: UInt8, _ version: UInt16) {
        writer.integer(kind)
        writer.integer(ClockMessage.magic)
        writer.integer(version)
    }

    mutating func flag(_ value: Bool) { writer.integer(UInt8(value ? 1 : 0)) }

    mutating func time(_ time: HostTime) { writer.integer(UInt64(bitPattern: time.nanoseconds)) }

    mutating func time(_ time: HostTime?) { self.time(time ?? HostTime(nanoseconds: .min)) }

    mutating func duration(_ duration: Duration) {
        writer.integer(UInt64(bitPattern: duration.wholeNanoseconds))
    }

    mutating func address(_ address: IPAddress?) {
        guard let address else { return writer.integer(UInt8(0)) }
        let bytes = address.bytes
        writer.integer(UInt8(bytes.count))
        writer.append(bytes)
        if address.family == .v6 { writer.integer(address.scopeID) }
    }

    mutating func behaviour(_ behaviour: ClockPeerBehaviour) {
        switch behaviour {
        case .unknown: writer.integer(UInt8(0))
        case .asks(let exchanges, let then):
            writer.integer(UInt8(1))
            writer.integer(UInt16(clamping: exchanges))
            duration(then)
        case .neverAsks(let readyAfter):
            writer.integer(UInt8(2))
            duration(readyAfter)
        }
    }

    mutating func command(_ command: ClockCommand) {
        switch command {
        case .addPeer(let address, let behaviour, let pathDelay, let localAddress):
            self.command(10, address)
            self.behaviour(behaviour)
            duration(pathDelay)
            self.address(localAddress)
        case .removePeer(let address): self.command(11, address)
        case .setBehaviour(let behaviour, let address):
            self.command(12, address)
            self.behaviour(behaviour)
        case .restartServing(let address): self.command(13, address)
        case .setPathDelay(let delay, let address):
            self.command(14, address)
            duration(delay)
        case .follow(let address, let localAddress, let isOwn):
            self.command(15, address)
            self.address(localAddress)
            flag(isOwn)
        case .unfollow(let address): self.command(16, address)
        case .yield(let address, let localAddress, let isOwn):
            self.command(18, address)
            self.address(localAddress)
            flag(isOwn)
        case .endYield(let address): self.command(19, address)
        case .restorePeer(let record):
            writer.integer(UInt8(17))
            self.record(record)
        }
    }

    private mutating func command(_ kind: UInt8, _ address: IPAddress) {
        writer.integer(kind)
        self.address(address)
    }

    private mutating func record(_ record: ClockPeerRecord) {
        address(record.address)
        address(record.localAddress)
        writer.integer(UInt16(clamping: record.uses))
        behaviour(record.behaviour)
        duration(record.servedDelay)
        flag(record.measuresPath)
        time(record.firstFollowUp)
        writer.integer(record.announceSequence)
        writer.integer(record.syncSequence)
        writer.integer(record.signalingSequence)
        writer.integer(record.state.code)
        writer.integer(record.questionCount)
        writer.integer(record.streakCount)
        time(record.restartedAt)
        time(record.firstSync)
        time(record.lastQuestion)
        time(record.exchangeReadyTime)
    }
}

extension PeerClockState {
    fileprivate var code: UInt8 {
        switch self {
        case .waiting: 0
        case .ready: 1
        case .stalled: 2
        }
    }
}
