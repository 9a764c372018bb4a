import AirPlayMessages
import TuttiCryptography
import TuttiMediaTime
import TuttiSystemIO

/// The opening of an AirPlay 1 session under way: moves the bytes of an ``AirPlay1Handshake``.
struct AirPlay1Opening: SpeakerOpening {
    typealias Handshake = AirPlay1Handshake
    typealias Opened = any SpeakerSession

    var connections: OpeningConnections
    /// The key of the packets; `nil` for sound in the clear.
    private var key: AirPlay1Key?
    private var opener: SpeakerOpener { connections.opener }
    private var request: SessionRequest { connections.request }

    init(opener: SpeakerOpener, request: SessionRequest) {
        connections = OpeningConnections(opener: opener, request: request)
    }

    mutating func open(_ choice: SessionChoice) async throws -> Opened {
        let sound: AirPlay1Sound
        do { sound = try AirPlay1Sound(request.target.raop, request.target.override.format) } catch {
            throw HandshakeRefusals(request.target).airPlay1(error)
        }
        let pairings = opener.identity.pairings
        // Another program may have paired meanwhile.
        pairings?.refresh()
        let receiver = ReceiverDescription(airPlay: request.target.record, raop: request.target.raop)
        let known = receiver.pairsAsBeforeHomeKit ? pairings?.credentials(for: receiver.deviceID) : nil
        key = sound.encryption == .rsa ? try AirPlay1Key() : nil
        let configuration = AirPlay1Handshake.Configuration(
            target: request.target, numbers: try opener.numbers(),
            authSetupKey: try Curve25519KeyAgreement().publicKey, choice: choice, sound: sound, key: key,
            credentials: known, timing: opener.timing)
        return try await run(AirPlay1Handshake(configuration))
    }

    mutating func perform(_ output: AirPlay1Handshake.Output) async throws -> PerformedTask<Opened> {
        switch output {
        case .connect(let address, let timeout):
            let headers = opener.headers + opener.remoteHeaders
            return .result(await connections.connect(to: address, timeout: timeout, headers: headers))
        case .bindPorts(let link): return .result(connections.bindPorts(link, isTiming: true))
        case .send(let message, let timeout):
            return .result(await connections.send(message, timeout: timeout))
        case .authorize(let credentials): connections.control?.authorize(with: credentials)
        case .describe(let receiver, let choice): await request.onDescribed(receiver, choice)
        case .awaitFormat: return .result(await connections.awaitFormat())
        case .opened(let opened):
            connections.endStep()
            return .opened(try session(opened))
        case .failed(let failure):
            connections.endStep(failure)
            connections.timing?.close()
            connections.control?.close()
            throw failure
        }
        return .done
    }

    private func session(_ opened: OpenedAirPlay1Session) throws -> any SpeakerSession {
        let control = try connections.sessionControl(url: opened.url, sessionHeader: opened.session)
        guard let sockets = connections.sockets, let timing = connections.timing else {
            throw SpeakerFailure.closed
        }
        let stream = RealtimeStream(
            RealtimeSender(
                opened.stream.traits, coding: try RealtimeSender.Coding(key), numbers: opened.numbers,
                stamp: opener.clock.stamp(at:)),
            sockets: sockets, data: opened.data, control: opened.stream.control,
            store: request.sound ?? opener.store, machine: opener.machine)
        return RealtimeSession(
            SessionTraits(
                realtime: opened.receiver, address: "\(control.channel.connection.peerAddress)",
                bufferBytes: opened.stream.traits.format.realtimeBufferBytes, isAirPlay1: true,
                latency: opened.stream.traits.format.sampleRate.duration(of: opened.latency),
                depth: request.target.override.depth),
            conversation: .airPlay1, control: control, stream: stream,
            clock: .ntp(timing, since: opener.machine.now), timing: opener.timing)
    }
}

extension RealtimeSender.Coding {
    /// - Parameter key: The key of the packets; `nil` for sound in the clear.
    fileprivate init(_ key: AirPlay1Key?) throws(CryptographyError) {
        if let key { self = .blocks(try key.cipher()) } else { self = .clear }
    }
}
