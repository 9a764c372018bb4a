import AirPlayMessages
import Synchronization
import TuttiClockService
import TuttiMediaTime
import TuttiRTSP
import TuttiSystemIO

/// The listeners and connections of one speaker, and the ownership of it.
///
/// Values decide (``Admission``, ``SpeakerOwnership``, ``ReceiverSession``); this type carries the decisions
/// out. Calls no connection and no sink while holding its lock.
final class ReceiverServer: Sendable {
    /// The parts that a speaker is assembled from.
    struct Parts: Sendable {
        var configuration: SpeakerConfiguration
        var identity: any SpeakerIdentifying
        var clock: any SpeakerClock
        var makeSink: @Sendable (StreamDescription) -> any StreamSink
        var makePairing: @Sendable (SocketAddress) -> any PairingService
        var makeTimingSource:
            @Sendable (_ peer: SocketAddress, _ local: IPAddress) throws -> (any TimingSource)?
        /// Tells a sender that another has the speaker, or that the speaker is free again.
        var setPreventsPlayback: @Sendable (SenderRemote, Bool) -> Void
        /// Sends a command to a sender without an event channel.
        var sendCommand: @Sendable (SenderRemote, DACPCommand) -> Void = { _, _ in }
    }

    struct State {
        var listeners: [TCPListener] = []
        var connections: [UInt64: ControlConnection] = [:]
        var nextID: UInt64 = 1
        var admission: Admission
        var budget: PairingBudget
        /// The budget of pair-verify, which is cheap for known controllers: a flood of pair-setup does not
        /// exhaust it.
        var verifyBudget: PairingBudget
        var known = KnownSenders()
        var pace: EventPace
        var ownership = SpeakerOwnership()
        /// The sender that has the speaker, for displays.
        var sender: SenderDescription?
        /// The stream of a session whose connection broke.
        var lingering: OrphanedStream?
        var sound: SoundSession?
        /// The sender that lost the speaker last, until the speaker is free again.
        var displaced: SenderRemote?
        var volume: Volume
        var isClosed = false
        var unheard = UnheardSound()
        /// Refused senders that the user has been warned of.
        var turnedAway: Set<String> = []
    }

    let parts: Parts
    let machine: any Machine
    private let emitter: @Sendable (SpeakerEvent) -> Void
    let state: Mutex<State>
    private let queue: SerialQueue
    /// Ends streams of AirPlay 1 when their last sound was heard.
    let soundEnding: SerialQueue

    private static let maintenanceInterval = Duration.seconds(1)
    /// Long timeouts: an unreachable sender may return after minutes, while its audio plays on. Strangers
    /// have their own limits of seconds. What was answered while a link was cut arrives a second after it is back.
    private static let controlOptions = TCPOptions(
        maximumRetransmissionTimeout: .seconds(1), userTimeout: .seconds(600),
        keepAlive: .init(idle: .seconds(60), interval: .seconds(15), probeCount: 40))

    init(_ parts: Parts, machine: any Machine, emit: @escaping @Sendable (SpeakerEvent) -> Void) {
        self.parts = parts
        self.machine = machine
        emitter = emit
        queue = machine.makeQueue("tutti.speaker")
        soundEnding = machine.makeQueue("tutti.sound.end")
        let now = machine.now
        state = Mutex(
            State(
                admission: Admission(limits: parts.configuration.limits),
                budget: PairingBudget(at: now), verifyBudget: PairingBudget(at: now),
                pace: EventPace(at: now),
                volume: parts.configuration.initialVolume))
    }

    /// Starts listening.
    ///
    /// - Returns: The port, the same for all addresses.
    /// - Throws: ``SystemError`` if the port of an address is taken, or no address is available.
    func start() throws(SystemError) -> UInt16 {
        var port = parts.configuration.port
        var listeners: [TCPListener] = []
        var missing: SystemError?
        for address in parts.configuration.addresses {
            do throws(SystemError) {
                let listener = try machine.listen(
                    at: SocketAddress(address, port: port), options: Self.controlOptions, waitsForData: false)
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
        performMaintenance()
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

    func emit(_ event: SpeakerEvent) { emitter(event) }

    /// Warns of a sender that was refused, once for each address and reason.
    func warnOnce(_ warning: TurnedAway) {
        let isNew = state.withLock { state in
            // Stop warning after the limit: thousands of senders are an attack, not news.
            guard state.turnedAway.count < TurnedAway.limit else { return false }
            return state.turnedAway.insert(warning.key).inserted
        }
        if isNew { emit(.warning(code: warning.code, message: warning.message)) }
    }

    // MARK: For connections

    func info(for sender: SocketAddress?) -> ReceiverInfo {
        let (volume, isInUse) = state.withLock { state in
            let owner = state.ownership.owner
            // Hide a lost session from its own sender, which would take the session for another sender's.
            let isReturning = owner?.isConnected == false && sender?.address == state.known.owner
            return (state.volume, owner != nil && !isReturning)
        }
        return SpeakerInfo(configuration: parts.configuration, identity: parts.identity)
            .info(volume: volume, isInUse: isInUse, sender: sender)
    }

    /// Returns every address at which senders may see our clock, the connection's own first.
    func timingPeer(at local: IPAddress) -> TimingPeerInfo {
        let others = machine.addresses().filter { $0.isUp && !$0.isLoopback }.map(\.address)
        let addresses = [local] + others.filter { $0 != local }
        return TimingPeerInfo(
            id: local.textWithoutZone, addresses: addresses.map(\.textWithoutZone),
            clockIdentity: parts.clock.identity, deviceType: 0, supportsClockPortMatchingOverride: false)
    }

    func makeTiming(_ local: IPAddress, _ source: (any TimingSource)?) -> SessionTiming {
        SessionTiming(clock: parts.clock, localAddress: local, source: source)
    }

    func note(_ standing: Admission.Standing, _ id: UInt64) {
        let now = machine.now
        state.withLock { $0.admission.set(standing, of: id, at: now) }
    }

    /// Takes a token of the pairing budget for this stranger.
    ///
    /// - Parameter verifies: Whether the request is a pair-verify, which known controllers use.
    /// - Returns: Whether to handle the request.
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

    /// Whether to report an event: metadata and states only from the owner, a PIN from every sender.
    func isHeard(_ id: UInt64, _ event: SpeakerEvent) -> Bool {
        if case .pin = event { return true }
        return state.withLock { state in state.ownership.owner.map { $0.id == id } ?? true }
    }

    /// Sets the volume on a sender's request; ignores senders that do not have the speaker.
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

    /// Reports an event that a sender can cause without limit, within the rate limits of ``EventPace``.
    func emitPaced(_ event: SpeakerEvent) {
        let now = machine.now
        if let event = state.withLock({ $0.pace.take(event, at: now) }) { emit(event) }
    }

    func soundChanged(to sound: SoundSession?, of id: UInt64) {
        state.withLock { state in
            if state.ownership.isOwner(id) { state.sound = sound }
        }
    }

    /// Whether a session may open: one that only continues must not take the speaker from another.
    func admits(_ session: SenderSession) -> Bool {
        !session.isContinuing || state.withLock { $0.ownership.admits(continuing: session.uuid) }
    }

    /// Gives the speaker to this connection; ends the previous owner's connection first.
    ///
    /// - Returns: The stream of the same session's earlier connection.
    func claim(by connection: ControlConnection, _ session: SenderSession) -> OrphanedStream? {
        let (claim, old, lingering, oldSender) = state.withLock {
            state -> (SpeakerOwnership.Claim?, ControlConnection?, OrphanedStream?, SenderDescription?) in
            // The connection may have been closed meanwhile.
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
        var kept: OrphanedStream?
        switch claim {
        case nil: return nil
        case .first, .same: break
        case .continues:
            kept = old?.detach(keepsSound: true) ?? lingering
            emit(.senderReturned(sender))
        case .takesOver:
            _ = old?.detach(keepsSound: false)
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

    /// Tells the latest sender that lost the speaker, and remembers it until the speaker is free.
    private func setDisplaced(_ remote: SenderRemote?, by sender: SenderDescription) {
        let newlyDisplaced = remote == sender.remote ? nil : remote
        state.withLock {
            $0.displaced = newlyDisplaced ?? ($0.displaced == sender.remote ? nil : $0.displaced)
        }
        if let newlyDisplaced { parts.setPreventsPlayback(newlyDisplaced, true) }
    }

    private func releaseDisplaced() {
        let remote = state.withLock { state in
            state.ownership.owner == nil ? state.displaced.take() : nil
        }
        if let remote { parts.setPreventsPlayback(remote, false) }
    }

    /// Removes an ended connection; `lingering` is its stream, if that plays on.
    func ended(
        _ connection: ControlConnection, _ ending: ControlConnection.Ending, lingering: OrphanedStream?
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
        let now = machine.now
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

    private func performMaintenance() {
        queue.async(after: Self.maintenanceInterval) { [weak self] in
            guard let self, !self.state.withLock({ $0.isClosed }) else { return }
            self.performMaintenance(at: self.machine.now)
            self.performMaintenance()
        }
    }

    /// Closes expired connections, silent sessions and drained streams.
    func performMaintenance(at now: HostTime) {
        let limits = parts.configuration.limits
        let (expired, connections, drained, sender, late) = state.withLock { state in
            let expired = state.admission.expired(at: now).compactMap { state.connections[$0] }
            return (
                expired, Array(state.connections.values), takeDrained(&state, at: now, limits), state.sender,
                state.pace.due(at: now)
            )
        }
        for event in late { emit(event) }
        warnOfUnheardSound(at: now)
        for connection in expired { connection.close(because: "it did not pair in time") }
        for connection in connections { connection.checkEnd(at: now, limits) }
        guard let drained else { return }
        drained.end()
        state.withLock { state in
            guard state.ownership.owner == nil else { return }
            (state.sender, state.sound, state.known.owner) = (nil, nil, nil)
        }
        releaseDisplaced()
        if let sender { emit(.sessionEnded(sender, reason: "the sender did not return")) }
    }

    /// Takes the lingering stream if it has drained or timed out.
    private func takeDrained(
        _ state: inout State, at now: HostTime, _ limits: SessionLimits
    ) -> OrphanedStream? {
        guard let lingering = state.lingering, let owner = state.ownership.owner else { return nil }
        let status = lingering.sound.status
        let isPlaying = status.isPlaying && status.bufferedSeconds > 0
        guard !isPlaying, lingering.isPlaying || now.since(lingering.lostAt) >= limits.silentPausedSession
        else { return nil }
        state.ownership.release(owner.id)
        return state.lingering.take()
    }
}
