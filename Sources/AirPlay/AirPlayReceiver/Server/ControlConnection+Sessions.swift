import AirPlayMessages
import HomeKitPairing
import Synchronization
import TuttiSystemIO

/// The ports, clocks and streams that a connection opens for its session.
extension ControlConnection {
    func openSession(_ session: SenderSession) {
        guard server.admits(session) else { return state.withLock { $0.session.sessionRefused() } }
        let local = connection.localAddress.address
        // `nil` if it cannot be opened; a source of no sender is none.
        let source: (any TimingSource)?? =
            if case .ntp(let port) = session.timing {
                opened { try server.parts.makeTimingSource(SocketAddress(peer.address, port: port), local) }
            } else {
                .some(nil)
            }
        let timing = server.makeTiming(local, source ?? nil)
        // Few clocks can be followed at once: a remote-control session has no audio to need one.
        if session.timing == .ptp, !session.isRemoteControlOnly { timing.follow(peer.address) }
        let kept = session.isRemoteControlOnly ? nil : server.claim(by: self, session)
        let secret = source == nil ? nil : state.withLock { $0.session.sharedSecret }
        let events = secret.flatMap { openEvents(at: local, $0) }
        let old = state.withLock { state in
            // Already finished: discard what was opened.
            guard !state.isFinished else { return (events, timing as SessionTiming?, kept) }
            let old = (state.events, state.timing, state.kept)
            (state.events, state.timing, state.kept) = (events, timing, kept)
            if let kept { state.session.continues(isPlaying: kept.isPlaying) }
            state.session.sessionOpened(
                eventPort: events?.port, timingPort: timing.sourcePort, server.timingPeer(at: local))
            if !session.isRemoteControlOnly { state.machine.setLimits(Self.sessionLimits) }
            return old
        }
        old.0?.close()
        old.1?.end()
        old.2?.end()
        server.note(session.isRemoteControlOnly ? .remoteControl : .inSession, id)
    }

    private func openEvents(at local: IPAddress, _ secret: SharedSecret) -> EventPort? {
        opened {
            try EventPort(
                at: local, peer: peer.address, ports: server.streamPorts, secret: secret, machine: machine
            ) { [server, weak self] in
                self?.eventsConnected()
                return .updateInfo(server.info(for: nil))
            }
        }
    }

    func openStream(_ stream: StreamRequest) {
        if stream.kind == .remoteControl { return openRemoteControl() }
        let (kept, timing, session, old) = state.withLock { state in
            (state.kept.take(), state.timing, state.session.session, state.sound.take())
        }
        old?.end()
        let local = connection.localAddress.address
        var (sound, ports): (SoundSession?, StreamPorts?)
        if let kept, kept.sound.continues(stream) {
            sound = kept.sound
            ports = open(kept.sound, at: local, isContinuing: true)
            // The sink keeps using its original timing, which now forwards to the new one.
            if let timing { kept.sound.timing.handOn(to: timing) }
            kept.timing.end()
        } else {
            kept?.end()
            sound = timing.flatMap { makeSound(stream, session, $0) }
            ports = sound.flatMap { open($0, at: local, isContinuing: false) }
        }
        if ports == nil {
            sound?.end()
            sound = nil
        }
        let isTooLate = state.withLock { state in
            guard !state.isFinished else { return true }
            state.sound = sound
            state.session.streamOpened(ports)
            return false
        }
        if isTooLate { sound?.end() } else { server.soundChanged(to: sound, of: id) }
    }

    private func makeSound(
        _ stream: StreamRequest, _ session: SenderSession?, _ timing: SessionTiming
    ) -> SoundSession? {
        let sender = SenderDescription(name: session?.name, model: session?.model, address: peer.address)
        let sink = server.parts.makeSink(
            StreamDescription(
                kind: stream.kind, format: stream.format, clock: timing, isNTP: timing.sourcePort != nil,
                sender: sender))
        sink.setVolume(server.volume)
        return opened {
            try SoundSession(
                stream, sender: sender, timing: timing, sink: sink,
                at: connection.localAddress.address, ending: server.soundEnding, machine: machine,
                onResume: { [weak self] in self?.realtimeResumed() })
        }
    }

    private func open(_ sound: SoundSession, at local: IPAddress, isContinuing: Bool) -> StreamPorts? {
        opened {
            try sound.open(
                at: local, oneOf: server.streamPorts, for: peer.address, isContinuing: isContinuing)
        }
    }

    /// Returns a part of the session; `nil` if it cannot be opened, and the session answers with an error.
    ///
    /// Warns if this machine is at fault, such as without a free port; other errors are the sender's.
    private func opened<Part>(_ open: () throws -> Part) -> Part? {
        do { return try open() } catch {
            if let error = error as? SystemError {
                server.warnOnce(TurnedAway(address: peer.address, because: error))
            }
            return nil
        }
    }

    /// Reports that a paused realtime stream plays again: senders resume without a request.
    private func realtimeResumed() {
        let hasChanged = state.withLock { $0.session.realtimeResumed() }
        if hasChanged, server.isHeard(id, .playing(true)) { server.emitPaced(.playing(true)) }
    }

    private func openRemoteControl() {
        let port = opened {
            try RemoteControlPort(
                at: connection.localAddress.address, peer: peer.address, machine: machine)
        }
        let old = state.withLock { state in
            defer { state.remoteControl = port }
            state.session.streamOpened(port.map { StreamPorts(data: $0.port) })
            return state.remoteControl
        }
        old?.close()
    }

    func endStream() {
        let sound = state.withLock { $0.sound.take() }
        sound?.endWhenHeard()
        server.soundChanged(to: nil, of: id)
    }

    /// Follows the named clocks: the clock of a group may be another member than the sender.
    func follow(_ addresses: [String]) {
        let (timing, session) = state.withLock { ($0.timing, $0.session.session) }
        guard let timing, let session, session.timing == .ptp, !session.isRemoteControlOnly else { return }
        let own = Set(machine.addresses().map(\.address))
        for text in addresses {
            guard let address = IPAddress(text), !address.isLoopback, !own.contains(address),
                address.family == connection.localAddress.address.family
            else { continue }
            timing.follow(address, isNamed: true)
        }
    }
}
