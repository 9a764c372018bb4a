import AirPlayMessages
import HomeKitPairing
import TuttiRTSP

/// The conversation on one control connection, for a sender of either kind.
///
/// A connection belongs to an AirPlay 1 sender once it announces a stream without having paired. Until then each
/// request alone decides, and only the pairing is kept from one request to the next.
struct SenderConversation: Sendable {
    private enum Kind: Sendable {
        case airPlay2(ReceiverSession)
        case airPlay1(RAOPSession)
    }

    private var kind: Kind
    private let wantsPIN: Bool

    /// - Parameter wantsPIN: Whether unpaired AirPlay 2 senders get 470 instead of 403.
    init(pairing: any PairingService, wantsPIN: Bool) {
        self.wantsPIN = wantsPIN
        kind = .airPlay2(ReceiverSession(pairing: pairing, wantsPIN: wantsPIN))
    }

    // MARK: Requests

    mutating func receive(_ request: RTSPRequest, in context: ReceiverSession.Context) {
        choose(request)
        change({ $0.receive(request, in: context) }, { $0.receive(request, in: context) })
    }

    /// Returns the next task; `nil` if there is none for now.
    mutating func nextOutput() -> ReceiverSession.Output? {
        change({ $0.nextOutput() }, { $0.nextOutput() })
    }

    private mutating func choose(_ request: RTSPRequest) {
        switch kind {
        case .airPlay2(let session):
            guard session.isStranger, Self.isOfAirPlay1(request) else { return }
            kind = .airPlay1(RAOPSession(pairing: session.gate.pairing))
        case .airPlay1(let session):
            guard session.isUndecided, !Self.isOfAirPlay1(request) else { return }
            kind = .airPlay2(ReceiverSession(pairing: session.pairing, wantsPIN: wantsPIN))
        }
    }

    /// Whether an unpaired sender's request comes from an AirPlay 1 sender. Its first request is OPTIONS, and names
    /// the sender; a password is demanded there, because some senders answer a challenge nowhere else
    /// (*observed*: PipeWire and OwnTone).
    private static func isOfAirPlay1(_ request: RTSPRequest) -> Bool {
        switch request.method {
        case .announce: true
        case .options:
            request.headers["Apple-Challenge"] != nil || request.headers["Client-Instance"] != nil
        default: false
        }
    }

    // MARK: From the driver

    /// Answers the session's SETUP after the driver has opened what it needs.
    ///
    /// - Parameters:
    ///   - eventPort: The port of the event listener, for AirPlay 2.
    ///   - timingPort: The local port for timing requests to the sender, for AirPlay 1.
    mutating func sessionOpened(eventPort: UInt16?, timingPort: UInt16?, _ peer: TimingPeerInfo) {
        change({ $0.sessionOpened(eventPort: eventPort, peer) }, { $0.sessionOpened(timingPort: timingPort) })
    }

    mutating func sessionRefused() { change({ $0.sessionRefused() }, { $0.sessionRefused() }) }

    mutating func streamOpened(_ ports: StreamPorts?) {
        change({ $0.streamOpened(ports) }, { $0.streamOpened(ports) })
    }

    /// Takes over the stream that an earlier connection of an AirPlay 2 session left.
    mutating func continues(isPlaying: Bool) {
        change({ $0.continues(isPlaying: isPlaying) }, { _ in })
    }

    mutating func takenOver() { change({ $0.takenOver() }, { $0.takenOver() }) }

    /// Notes that packets of a paused realtime stream arrive again.
    ///
    /// - Returns: Whether the stream was paused.
    mutating func realtimeResumed() -> Bool {
        change({ $0.realtimeResumed() }, { $0.realtimeResumed() })
    }

    // MARK: State

    var session: SenderSession? { read({ $0.session }, { $0.session }) }
    var isPlaying: Bool { read({ $0.isPlaying }, { $0.isPlaying }) }
    /// Whether the sender has paired on this connection.
    var isPaired: Bool { read({ $0.isPaired }, { _ in false }) }
    /// The secret of the pairing; `nil` before pairing, and in AirPlay 1.
    var sharedSecret: SharedSecret? { read({ $0.sharedSecret }, { _ in nil }) }
    /// Whether the sender has paused an AirPlay 1 session, and may therefore be silent.
    var mayBeSilent: Bool { read({ _ in false }, { $0.isPaused }) }

    private func read<Value>(_ two: (ReceiverSession) -> Value, _ one: (RAOPSession) -> Value) -> Value {
        switch kind {
        case .airPlay2(let session): two(session)
        case .airPlay1(let session): one(session)
        }
    }

    private mutating func change<Value>(
        _ two: (inout ReceiverSession) -> Value, _ one: (inout RAOPSession) -> Value
    ) -> Value {
        switch kind {
        case .airPlay2(var session):
            defer { kind = .airPlay2(session) }
            return two(&session)
        case .airPlay1(var session):
            defer { kind = .airPlay1(session) }
            return one(&session)
        }
    }
}

extension ReceiverSession {
    /// Whether the sender has not paired, and nothing but pairing has happened.
    fileprivate var isStranger: Bool { if case .noSession = phase { !isPaired } else { false } }
}
