internal import AirPlayMessages
internal import ClockService
internal import Dispatch
internal import MediaTime
internal import RTSP
internal import Synchronization
internal import SystemIO

/// The listeners of one speaker, its connections, and who of them has it.
///
/// Decisions are the values' (``Admission``, ``SpeakerOwnership``, ``ReceiverSession``); this type carries them
/// out. No connection and no sink is called under its lock.
final class ReceiverServer: Sendable {
    /// What the speaker is made of.
    struct Parts: Sendable {
        var configuration: SpeakerConfiguration
        var identity: any SpeakerIdentifying
        var clock: any SpeakerClock
        var makeSink: @Sendable (StreamDescription) -> any StreamSink
        var makePairing: @Sendable (SocketAddress) -> any PairingService
        var makeTimingSource: @Sendable (_ peer: SocketAddress, _ local: IPAddress) -> (any TimingSource)?
        /// Tells a sender that another one has the speaker, or that it is free again.
        var setPreventsPlayback: @Sendable (SenderRemote, Bool) -> Void
    }

    private struct State {
        var listeners: [TCPListener] = []
        var connections: [UInt64: ControlConnection] = [:]
        var nextID: UInt64 = 1
        var admission: Admission
        var budget: PairingBudget
        /// Of controllers that the speaker knows, who prove themselves cheaply: a flood of pair-setup is none of theirs.
        var verifyBudget: PairingBudget
        var known = KnownSenders()
        var pace: EventPace
        var ownership = SpeakerOwnership()
        /// Who has it, for displays.
        var sender: SenderDescription?
        /// The sound of a session whose connection broke.
        var lingering: KeptSound?
        var sound: SoundSession?
        /// Whose place the sender has taken, until the speaker is free again.
        var displaced: SenderRemote?
        var volume: Volume
        var isClosed = false
        /// Refused senders that the user has been told of.
        var turnedAway: Set<String> = []
    }

    let parts: Parts
    let clock: any HostClock
    private let emitter: @Sendable (SpeakerEvent) -> Void
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "speaker housekeeping")

    private static let housekeepingInterval = DispatchTimeInterval.seconds(1)
    /// A sender out of reach for minutes is still the same sender, and what it has sent plays on; strangers are
    /// gone after seconds.
    private static let controlOptions = TCPOptions(
        userTimeout: .seconds(600),
        keepAlive: .init(idle: .seconds(60), interval: .seconds(15), probeCount: 40))

    init(
        _ parts: Parts, clock: any HostClock = SystemClock(),
        emit: @escaping @Sendable (SpeakerEvent) -> Void
    ) {
        self.parts = parts
        self.clock = clock
        emitter = emit
        state = Mutex(
            State(
                admission: Admission(limits: parts.configuration.limits),
                budget: PairingBudget(at: clock.now), verifyBudget: PairingBudget(at: clock.now),
                pace: EventPace(at: clock.now),
                volume: parts.configuration.initialVolume))
    }

    /// Begins to listen.
    ///
    /// - Returns: The port, the same for all addresses.
    /// - Throws: When no address can be listened at, or one of those that the machine has is taken.
    func start() throws(SystemError) -> UInt16 {
        var port = parts.configuration.port
        var listeners: [TCPListener] = []
        var missing: SystemError?
        for address in parts.configuration.addresses {
            do throws(SystemError) {
                let listener = try TCPListener(
                    at: SocketAddress(address, port: port), options: Self.controlOptions)
                port = listener.address.port
                listeners.append(listener)
            } catch {
                guard error.isAddressUnavailable else { throw error }
                missing = error
            }
        }
        if listeners.isEmpty, let missing { throw missing }
        state.withLock { $0.listeners = listeners }
        for listener in listeners {
            listener.start { [weak self] connection in self?.accept(connection) }
        }
        keepHouse()
        return port
    }

    func close() {
        let (listeners, connections, lingering) = state.withLock { state in
            state.isClosed = true
            defer { state.listeners = [] }
            return (state.listeners, Array(state.connections.values), state.lingering.take())
        }
        for listener in listeners { listener.close() }
        for connection in connections { connection.close(because: "the speaker was switched off") }
        lingering?.end()
    }

    // MARK: For programs

    var streamPorts: ClosedRange<UInt16>? { parts.configuration.streamPorts }
    var volume: Volume { state.withLock { $0.volume } }
    var sender: SenderDescription? { state.withLock { $0.sender } }
    var sound: SoundSession? { state.withLock { $0.sound } }
    var connectionCount: Int { state.withLock { $0.connections.count } }

    /// From this side: the sender is told.
    func setVolume(_ volume: Volume) {
        let (sound, owner) = state.withLock { state in
            state.volume = volume
            return (state.sound, state.ownership.owner.flatMap { state.connections[$0.id] })
        }
        sound?.setVolume(volume)
        emit(.volume(volume))
        owner?.tell(.updateInfo(info(for: nil)))
    }

    /// A button of this speaker.
    func press(_ command: MediaRemoteCommand) {
        let owner = state.withLock { state in
            state.ownership.owner.flatMap { state.connections[$0.id] }
        }
        owner?.tell(.mediaRemote(command))
    }

    func emit(_ event: SpeakerEvent) { emitter(event) }

    /// Warns of a sender that was refused, once for each address and reason.
    func noteTurnedAway(_ address: IPAddress, _ refusal: ReceiverSession.Refusal) {
        let warning = TurnedAway(address: address, refusal)
        let isNew = state.withLock { state in
            // Senders by the thousand are no news.
            guard state.turnedAway.count < TurnedAway.limit else { return false }
            return state.turnedAway.insert(warning.key).inserted
        }
        if isNew { emit(.warning(code: warning.code, message: warning.message)) }
    }

    // MARK: For connections

    func info(for sender: SocketAddress?) -> ReceiverInfo {
        let (volume, isInUse) = state.withLock { state in
            let owner = state.ownership.owner
            // A sender that comes back after its link broke is not to take its own session for somebody else's.
            let isReturning = owner?.isConnected == false && sender?.address == state.known.owner
            return (state.volume, owner != nil && !isReturning)
        }
        return SpeakerInfo(configuration: parts.configuration, identity: parts.identity)
            .info(volume: volume, isInUse: isInUse, sender: sender)
    }

    /// Every address at which senders may see our clock, the one of the connection first.
    func timingPeer(at local: IPAddress) -> TimingPeerInfo {
        let others = NetworkInterfaces.addresses().filter { $0.isUp && !$0.isLoopback }.map(\.address)
        let addresses = [local] + others.filter { $0 != local }
        return TimingPeerInfo(
            id: local.textWithoutZone, addresses: addresses.map(\.textWithoutZone),
            clockIdentity: parts.clock.identity, deviceType: 0, supportsClockPortMatchingOverride: false)
    }

    func makeTiming(_ local: IPAddress, _ ntp: SocketAddress?) -> SessionTiming {
        SessionTiming(
            clock: parts.clock, localAddress: local, source: ntp.flatMap { parts.makeTimingSource($0, local) }
        )
    }

    func note(_ standing: Admission.Standing, _ id: UInt64) {
        let now = clock.now
        state.withLock { $0.admission.set(standing, of: id, at: now) }
    }

    /// Whether there is time to calculate for this stranger.
    ///
    /// - Parameter verifies: It proves an identity that the speaker may know.
    func mayPair(_ id: UInt64, from address: IPAddress, verifies: Bool, at now: HostTime) -> Bool {
        state.withLock { state in
            state.admission.set(.pairing, of: id, at: now)
            let sender: PairingBudget.Sender =
                address == state.known.owner
                ? .owner : state.known.contains(address) ? .known : .stranger
            return verifies
                ? state.verifyBudget.take(for: address, sender, at: now)
                : state.budget.take(for: address, sender, at: now)
        }
    }

    /// Metadata and states count from the sender that has the speaker; a PIN from everyone.
    func isHeard(_ id: UInt64, _ event: SpeakerEvent) -> Bool {
        if case .pin = event { return true }
        return state.withLock { state in state.ownership.owner.map { $0.id == id } ?? true }
    }

    /// From a sender, for its own sound: another one's volume is not its business.
    func setVolume(_ volume: Volume, from id: UInt64) {
        let (isOwn, sound) = state.withLock { state -> (Bool, SoundSession?) in
            guard state.ownership.owner.map({ $0.id == id }) ?? true else { return (false, nil) }
            state.volume = volume
            return (true, state.sound)
        }
        guard isOwn else { return }
        sound?.setVolume(volume)
        emitPaced(.volume(volume))
    }

    /// Emits an event that a sender may cause without limit, at the pace of ``EventPace``.
    func emitPaced(_ event: SpeakerEvent) {
        let now = clock.now
        if let event = state.withLock({ $0.pace.take(event, at: now) }) { emit(event) }
    }

    func soundChanged(to sound: SoundSession?, of id: UInt64) {
        state.withLock { state in
            if state.ownership.isOwner(id) { state.sound = sound }
        }
    }

    /// Whether a session may be opened: one that only goes on takes the speaker from nobody.
    func admits(_ session: SenderSession) -> Bool {
        !session.isContinuing || state.withLock { $0.ownership.admits(continuing: session.uuid) }
    }

    /// Gives the speaker to this connection; whoever had it is told to go first.
    ///
    /// - Returns: The sound of the same session's earlier connection.
    func claim(by connection: ControlConnection, _ session: SenderSession) -> KeptSound? {
        let (claim, old, lingering, oldSender) = state.withLock {
            state -> (SpeakerOwnership.Claim?, ControlConnection?, KeptSound?, SenderDescription?) in
            // It may have been told to go while it asked.
            guard state.connections[connection.id] != nil else { return (nil, nil, nil, nil) }
            state.known.own(connection.peer.address)
            state.pace.forgetWhatWaits()
            let old = state.ownership.owner.flatMap { state.connections[$0.id] }
            let claim = state.ownership.claim(by: connection.id, sessionUUID: session.uuid)
            return (claim, old, state.lingering.take(), state.sender)
        }
        let sender = SenderDescription(
            name: session.name, model: session.model, address: connection.peer.address,
            remote: SenderRemote(dacpID: session.dacpID, activeRemote: session.activeRemote))
        var kept: KeptSound?
        switch claim {
        case nil: return nil
        case .first, .same: break
        case .continues:
            kept = old?.giveUp(keepsSound: true) ?? lingering
            emit(.senderReturned(sender))
        case .takesOver:
            _ = old?.giveUp(keepsSound: false)
            lingering?.end()
            setDisplaced(oldSender?.remote, by: sender)
            if let oldSender {
                emit(.sessionEnded(oldSender, reason: "another sender has taken the speaker"))
            }
        }
        state.withLock { state in
            state.sender = sender
            state.sound = kept?.sound
        }
        if case .continues? = claim {} else { emit(.sessionStarted(sender)) }
        return kept
    }

    /// The newest of those who lost the speaker is told so, and told again when it is free.
    private func setDisplaced(_ remote: SenderRemote?, by sender: SenderDescription) {
        let told = remote == sender.remote ? nil : remote
        state.withLock { $0.displaced = told ?? ($0.displaced == sender.remote ? nil : $0.displaced) }
        if let told { parts.setPreventsPlayback(told, true) }
    }

    private func releaseDisplaced() {
        let remote = state.withLock { state in
            state.ownership.owner == nil ? state.displaced.take() : nil
        }
        if let remote { parts.setPreventsPlayback(remote, false) }
    }

    /// The connection is over; its sound may be left.
    func ended(
        _ connection: ControlConnection, _ ending: ControlConnection.Ending, lingering: KeptSound?
    ) {
        let reason =
            switch ending {
            case .orderly(let words), .lost(let words): words
            }
        let (isOwner, sender, isRefused) = state.withLock { state in
            state.connections.removeValue(forKey: connection.id)
            state.admission.remove(connection.id)
            let sender = state.sender
            guard state.ownership.isOwner(connection.id) else { return (false, sender, true) }
            guard let lingering, !state.isClosed else {
                state.ownership.release(connection.id)
                (state.sender, state.sound, state.known.owner) = (nil, nil, nil)
                state.pace.forgetWhatWaits()
                return (true, sender, true)
            }
            _ = state.ownership.lose(connection.id)
            state.lingering = lingering
            return (true, sender, false)
        }
        if isRefused { lingering?.end() }
        releaseDisplaced()
        guard isOwner, let sender else { return }
        emit(isRefused ? .sessionEnded(sender, reason: reason) : .senderLost(sender))
    }

    // MARK: Connections come and go

    private func accept(_ connection: TCPConnection) {
        let now = clock.now
        let id = state.withLock { state in
            defer { state.nextID += 1 }
            return state.nextID
        }
        let control = ControlConnection(connection, id: id, server: self)
        let (isAdmitted, dropped) = state.withLock { state -> (Bool, ControlConnection?) in
            guard !state.isClosed else { return (false, nil) }
            let address = connection.peerAddress.address
            let decision = state.admission.admit(
                id, from: address, isKnown: state.known.contains(address), at: now)
            guard decision != .refused else { return (false, nil) }
            state.connections[id] = control
            guard case .admittedInsteadOf(let other) = decision else { return (true, nil) }
            return (true, state.connections.removeValue(forKey: other))
        }
        dropped?.close(because: "too many connections")
        guard isAdmitted else { return connection.close() }
        control.start()
    }

    private func keepHouse() {
        queue.asyncAfter(deadline: .now() + Self.housekeepingInterval) { [weak self] in
            guard let self, !self.state.withLock({ $0.isClosed }) else { return }
            self.keepHouse(at: self.clock.now)
            self.keepHouse()
        }
    }

    /// Ends what has had its time.
    func keepHouse(at now: HostTime) {
        let limits = parts.configuration.limits
        let (expired, connections, drained, sender, late) = state.withLock { state in
            let expired = state.admission.expired(at: now).compactMap { state.connections[$0] }
            return (
                expired, Array(state.connections.values), takeDrained(&state, at: now, limits), state.sender,
                state.pace.due(at: now)
            )
        }
        for event in late { emit(event) }
        for connection in expired { connection.close(because: "it did not pair in time") }
        for connection in connections { connection.checkSilence(at: now, limits) }
        guard let drained else { return }
        drained.end()
        state.withLock { state in
            guard state.ownership.owner == nil else { return }
            (state.sender, state.sound, state.known.owner) = (nil, nil, nil)
        }
        releaseDisplaced()
        if let sender { emit(.sessionEnded(sender, reason: "the sender did not come back")) }
    }

    /// The sound that was left, when it is over.
    private func takeDrained(
        _ state: inout State, at now: HostTime, _ limits: SessionLimits
    ) -> KeptSound? {
        guard let lingering = state.lingering, let owner = state.ownership.owner else { return nil }
        let status = lingering.sound.status
        let isPlaying = status.isPlaying && status.bufferedSeconds > 0
        guard !isPlaying, lingering.isPlaying || now.since(lingering.lostAt) >= limits.silentPausedSession
        else { return nil }
        state.ownership.release(owner.id)
        return state.lingering.take()
    }
}
