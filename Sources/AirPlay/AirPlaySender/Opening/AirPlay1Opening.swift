import AirPlayMessages
import TuttiCryptography
import TuttiMediaTime
import TuttiSystemIO

/// The opening of an AirPlay 1 session under way: moves the bytes of an ``AirPlay1Handshake``.
struct AirPlay1Opening {
    let opener: SpeakerOpener
    let request: SessionRequest
    private var control: ControlChannel?
    private var sockets: RealtimeSockets?
    private var timing: NTPResponder?
    private var steps = OpeningStepTimer()

    init(opener: SpeakerOpener, request: SessionRequest) { (self.opener, self.request) = (opener, request) }

    mutating func run(_ choice: SessionChoice) async throws -> any SpeakerSession {
        let sound: AirPlay1Sound
        do { sound = try AirPlay1Sound(request.target.raop, request.target.override.format) } catch {
            throw HandshakeRefusals(request.target).airPlay1(error)
        }
        let pairings = opener.identity.pairings
        // Another program may have paired meanwhile.
        pairings?.refresh()
        let receiver = ReceiverDescription(airPlay: request.target.record, raop: request.target.raop)
        let known = receiver.pairsAsBeforeHomeKit ? pairings?.credentials(for: receiver.deviceID) : nil
        let key = sound.encryption == .rsa ? try AirPlay1Key() : nil
        var handshake = AirPlay1Handshake(
            AirPlay1Handshake.Configuration(
                target: request.target, numbers: try opener.numbers(),
                authSetupKey: try Curve25519KeyAgreement().publicKey, choice: choice, sound: sound, key: key,
                credentials: known, timing: opener.timing))
        handshake.begin()
        steps.begin(handshake.step, at: SystemClock.now)
        while let output = handshake.nextOutput() {
            switch output {
            case .opened(let opened):
                steps.end(at: SystemClock.now).map(request.onStep)
                return try session(opened, key)
            case .failed(let failure):
                steps.end(failure, at: SystemClock.now).map(request.onStep)
                timing?.close()
                control?.close()
                throw failure
            default:
                guard let input = await perform(output) else { break }
                handshake.receive(input)
                steps.enter(handshake.step, at: SystemClock.now).map(request.onStep)
            }
        }
        preconditionFailure("a handshake waits for one result at a time, and ends with one")
    }

    /// Carries out one task; returns its result, if the handshake waits for one.
    private mutating func perform(_ output: AirPlay1Handshake.Output) async -> AirPlay1Handshake.Input? {
        switch output {
        case .connect(let address, let timeout):
            do throws(SystemError) {
                let connection = try await TCPConnection.connect(
                    to: address, from: request.target.localAddress, options: SpeakerOpener.controlOptions,
                    timeout: timeout)
                control = ControlChannel(
                    connection: connection, headers: opener.headers + opener.remoteHeaders)
                return .connected(
                    AirPlay1Handshake.Link(
                        own: connection.localAddress.address, peer: connection.peerAddress.address,
                        pathDelay: .zero))
            } catch {
                return .notConnected(error)
            }
        case .bindPorts(let link):
            do throws(SystemError) {
                let sockets = try RealtimeSockets(at: link.own)
                let timing = try NTPResponder(
                    at: link.own, peer: link.peer, networkTime: opener.clock.networkTime(at:))
                (self.sockets, self.timing) = (sockets, timing)
                return .portsBound(
                    BoundPorts(control: sockets.control.address.port, timing: timing.port))
            } catch {
                return .portsNotBound("\(error)")
            }
        case .send(let message, let timeout):
            guard let control else { return .cancelled }
            do { return .answered(try await control.request(message, timeout: timeout)) } catch {
                return .unanswered(SpeakerFailure(error))
            }
        case .authorize(let credentials): control?.authorize(with: credentials)
        case .describe(let receiver, let choice): await request.onDescribed(receiver, choice)
        case .awaitFormat:
            steps.end(at: SystemClock.now).map(request.onStep)
            return .format(await request.format())
        case .opened, .failed: break
        }
        return nil
    }

    private func session(_ opened: OpenedAirPlay1Session, _ key: AirPlay1Key?) throws -> any SpeakerSession {
        guard let control, let sockets, let timing else { throw SpeakerFailure(.closed, "closed") }
        let stream = RealtimeStream(
            RealtimeSender(
                opened.stream.traits, coding: try RealtimeSender.Coding(key), numbers: opened.numbers,
                stamp: opener.clock.stamp(at:)),
            sockets: sockets, data: opened.data, control: opened.stream.control,
            store: request.sound ?? opener.store)
        return RealtimeSession(
            SessionTraits(
                realtime: opened.receiver, address: "\(control.connection.peerAddress)",
                bufferBytes: opened.stream.traits.format.realtimeBufferBytes, isAirPlay1: true,
                latency: opened.stream.traits.format.sampleRate.duration(of: opened.latency),
                depth: request.target.override.depth),
            conversation: .airPlay1,
            control: SessionControl(
                control, url: opened.url, localAddress: request.target.localAddress, timing: opener.timing,
                sessionHeader: opened.session),
            stream: stream, clock: .ntp(timing, since: SystemClock.now), timing: opener.timing)
    }
}

extension RealtimeSender.Coding {
    /// - Parameter key: The key of the packets; `nil` for sound in the clear.
    fileprivate init(_ key: AirPlay1Key?) throws(CryptographyError) {
        if let key { self = .blocks(try key.cipher()) } else { self = .clear }
    }
}
