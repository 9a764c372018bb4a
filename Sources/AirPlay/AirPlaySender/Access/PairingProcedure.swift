import AirPlayMessages
import HomeKitPairing
import TuttiRTSP
import TuttiSystemIO

/// Pairing with a speaker once, with the PIN that it shows, without sockets: answers and the PIN go in;
/// requests, the question for the PIN and finally the speaker to store, or a failure, come out.
///
/// Opens no socket and reads no clock; draws the random numbers of pairing. After every call, carry out the
/// outputs in order.
struct PairingProcedure: Sendable {
    /// The results and answers that the driver delivers.
    enum Input: Sendable {
        case connected
        case notConnected(SystemError)
        /// The answer to the last request.
        case answered(RTSPResponse)
        /// The last request has no answer: the time-out passed or the connection ended.
        case unanswered(SpeakerFailure)
        /// The PIN, or the password of a speaker that takes one; `nil` if the user gives none.
        case secret(String?)
    }

    /// The tasks for the driver. Each but the last two waits for one input.
    enum Output: Equatable, Sendable {
        /// Open a connection, and close an earlier one. Waits for `connected` or `notConnected`.
        case connect(SocketAddress)
        /// Send this request. Waits for `answered` or `unanswered`.
        case send(RTSPRequest)
        /// Ask the user for the PIN that the speaker shows now. Waits for `secret`.
        case ask
        /// Store the speaker. The last output.
        case paired(PairedSpeaker)
        /// The last output.
        case failed(SpeakerFailure)
    }

    /// A speaker as it describes itself.
    private struct Device: Sendable {
        let address: SocketAddress
        let id: String
        let name: String
        /// The pairing that the speaker says it needs.
        let need: ReceiverDescription.PairingNeed
        /// Whether it pairs as Apple TVs before HomeKit do.
        let isOld: Bool
    }

    private enum Exchange: Sendable {
        case homeKit(PairSetupPINController)
        /// `hasProven`: the answer that is awaited is the one to our proof of the PIN.
        case old(FruitPairSetupController, hasProven: Bool)
    }

    private enum Phase: Sendable {
        case idle
        /// `rest` are the addresses to try next.
        case connecting(SocketAddress, rest: ArraySlice<SocketAddress>)
        case describing(SocketAddress)
        case startingPIN(Device)
        case asking(Device)
        case reconnecting(Device, secret: String)
        /// `retry`: the secret, for another connection, until the first answer.
        case pairing(Device, Exchange, retry: String?)
        case over
    }

    private let target: SpeakerTarget
    private let identity: PairingIdentity
    private var phase = Phase.idle

    /// - Parameter identity: Our identity, the same for all speakers.
    init(_ target: SpeakerTarget, identity: PairingIdentity) {
        (self.target, self.identity) = (target, identity)
    }

    private var refusals: HandshakeRefusals { HandshakeRefusals(target) }

    /// The pairing that the speaker says it needs, while the user is asked for the secret; otherwise `nil`.
    var askedNeed: ReceiverDescription.PairingNeed? {
        if case .asking(let device) = phase { device.need } else { nil }
    }

    /// Begins. Call it once.
    mutating func begin() -> Output {
        connect(to: target.addresses[...], after: nil)
    }

    /// Takes one result or answer; `nil` for an input that the phase does not wait for.
    mutating func receive(_ input: Input) -> Output? {
        switch (phase, input) {
        case (.connecting(let address, _), .connected): return describe(address)
        case (.connecting(_, let rest), .notConnected(let error)): return connect(to: rest, after: error)
        case (.describing(let address), .answered(let response)): return startPIN(address, response)
        case (.describing, .unanswered(let failure)): return fail(refusals.undescribed(failure))
        case (.startingPIN(let device), .answered(let response)): return ask(device, after: response)
        case (.asking(let device), .secret(let secret)): return begin(device, with: secret)
        case (.pairing(let device, .homeKit(let controller), _), .answered(let response)):
            return pair(device, controller, response)
        case (.pairing(let device, .old(let controller, let hasProven), _), .answered(let response)):
            return pair(device, controller, hasProven, response)
        // A person types slowly: meanwhile the speaker may have closed the connection, but its PIN is valid.
        case (.pairing(let device, _, let secret?), .unanswered(let failure)) where failure.code == .lost:
            phase = .reconnecting(device, secret: secret)
            return .connect(device.address)
        case (.reconnecting(let device, let secret), .connected):
            return begin(device, with: secret, isRetried: true)
        case (.reconnecting, .notConnected(let error)):
            return fail(refusals.unreachable(error, isResuming: false))
        case (.startingPIN, .unanswered(let failure)), (.pairing, .unanswered(let failure)):
            return fail(failure)
        default: return nil
        }
    }

    private mutating func fail(_ failure: SpeakerFailure) -> Output {
        phase = .over
        return .failed(failure)
    }

    private mutating func connect(to addresses: ArraySlice<SocketAddress>, after error: SystemError?)
        -> Output
    {
        guard let address = addresses.first else {
            return fail(refusals.unreachable(error, isResuming: false))
        }
        phase = .connecting(address, rest: addresses.dropFirst())
        return .connect(address)
    }

    /// An Apple TV before HomeKit has no `/info`; its record says enough.
    private mutating func describe(_ address: SocketAddress) -> Output {
        let announced = ReceiverDescription(airPlay: target.record, raop: target.raop)
        if announced.pairsAsBeforeHomeKit { return startPIN(address, announced, name: target.name) }
        phase = .describing(address)
        return .send(RTSPRequest(.get, "/info"))
    }

    private mutating func startPIN(_ address: SocketAddress, _ response: RTSPResponse) -> Output {
        guard response.status.isSuccess else { return fail(refusals.refusal("to describe itself", response)) }
        guard let info = try? ReceiverInfo(body: response.body) else { return fail(refusals.notASpeaker) }
        let receiver = ReceiverDescription(airPlay: target.record, info: info)
        guard receiver.supportsAirPlay2 || receiver.pairsAsBeforeHomeKit else {
            return fail(refusals.notPairable)
        }
        // A speaker that was found by its address has no other name.
        let name = target.record == nil ? info.name ?? target.name : target.name
        return startPIN(address, receiver, name: name)
    }

    private mutating func startPIN(
        _ address: SocketAddress, _ receiver: ReceiverDescription, name: String
    ) -> Output {
        guard let id = receiver.deviceID else { return fail(refusals.nameless) }
        phase = .startingPIN(
            Device(
                address: address, id: id, name: name, need: receiver.pairingNeed,
                isOld: receiver.pairsAsBeforeHomeKit))
        return .send(.pairing("/pair-pin-start", .lasting, []))
    }

    /// A speaker with a password but without a display may not know the request: pair-setup decides.
    private mutating func ask(_ device: Device, after response: RTSPResponse) -> Output {
        switch response.status {
        case .ok, .notFound, .notImplemented, .badRequest, .methodNotValidInThisState: break
        default: return fail(refusals.pairing(response))
        }
        phase = .asking(device)
        return .ask
    }

    private mutating func begin(_ device: Device, with secret: String?, isRetried: Bool = false) -> Output {
        guard let secret, !secret.isEmpty else { return fail(refusals.noPIN) }
        let retry = isRetried ? nil : secret
        if device.isOld {
            var controller = FruitPairSetupController(pin: secret, identity: identity)
            let message = controller.start()
            phase = .pairing(device, .old(controller, hasProven: false), retry: retry)
            return .send(.fruit(message))
        }
        var controller = PairSetupPINController(pin: secret, identity: identity)
        let body = controller.start()
        phase = .pairing(device, .homeKit(controller), retry: retry)
        return .send(.pairing("/pair-setup", .lasting, body))
    }

    private mutating func pair(
        _ device: Device, _ controller: FruitPairSetupController, _ hasProven: Bool, _ response: RTSPResponse
    ) -> Output {
        switch response.status {
        case .ok: break
        case .notEnoughBandwidth, .serviceUnavailable: return fail(refusals.pairing(response))
        default: return fail(hasProven ? refusals.pinWrong : refusals.pairing(response))
        }
        var controller = controller
        do {
            switch try controller.receive(FruitPairingMessage(body: response.body)) {
            case .send(let message):
                phase = .pairing(device, .old(controller, hasProven: message.proof != nil), retry: nil)
                return .send(.fruit(message))
            case .introduced:
                guard let speaker = PairedSpeaker(id: device.id, name: device.name, accessory: nil) else {
                    return fail(refusals.nameless)
                }
                phase = .over
                return .paired(speaker)
            }
        } catch PairingError.accessoryNotAuthentic {
            return fail(refusals.pinNotKnown)
        } catch {
            return fail((error as? PairingError).map(refusals.pairing) ?? refusals.notASpeaker)
        }
    }

    private mutating func pair(
        _ device: Device, _ controller: PairSetupPINController, _ response: RTSPResponse
    ) -> Output {
        if !response.status.isSuccess, response.body.isEmpty {
            // Apple TVs have answered the right PIN this way, too (*reported*, tvOS 26.5).
            return fail(refusals.pairing(response))
        }
        var controller = controller
        do throws(PairingError) {
            switch try controller.receive(response.body) {
            case .send(let body):
                guard response.status.isSuccess else { return fail(refusals.pairing(response)) }
                phase = .pairing(device, .homeKit(controller), retry: nil)
                return .send(.pairing("/pair-setup", .lasting, body))
            case .introduced(let accessory):
                guard let speaker = PairedSpeaker(id: device.id, name: device.name, accessory: accessory)
                else {
                    return fail(refusals.nameless)
                }
                phase = .over
                return .paired(speaker)
            }
        } catch {
            switch error {
            case .authenticationFailed:
                return fail(device.need == .pin ? refusals.pinWrong : refusals.secretWrong)
            case .accessoryNotAuthentic: return fail(refusals.pinNotKnown)
            case .unavailable, .unsupportedProcedure: return fail(refusals.notPairable)
            default: return fail(refusals.pairing(error))
            }
        }
    }
}

/// The end of a pairing at the speaker, without sockets: verifies, and has the speaker remove us.
struct UnpairingProcedure: Sendable {
    /// The tasks for the driver. Those marked *waits* are answered by one input of ``PairingProcedure``.
    enum Output: Sendable {
        /// Waits for `connected` or `notConnected`.
        case connect(SocketAddress)
        /// Waits for `answered` or `unanswered`.
        case send(RTSPRequest)
        /// Encrypt the connection from the next byte on.
        case encrypt(SharedSecret)
        /// The speaker does not know us any more. The last output.
        case removed
        /// The last output.
        case failed(SpeakerFailure)
    }

    private enum Phase: Sendable {
        case connecting(rest: ArraySlice<SocketAddress>)
        case verifying(SpeakerAccess)
        case removing
        case over
    }

    private let target: SpeakerTarget
    private let credentials: SpeakerAccess.Credentials
    private var phase = Phase.over

    init(_ target: SpeakerTarget, _ credentials: SpeakerAccess.Credentials) {
        (self.target, self.credentials) = (target, credentials)
    }

    private var refusals: HandshakeRefusals { HandshakeRefusals(target) }

    /// Begins. Call it once.
    mutating func begin() -> [Output] { connect(to: target.addresses[...], after: nil) }

    /// Takes one result or answer; an input that the phase does not wait for changes nothing.
    mutating func receive(_ input: PairingProcedure.Input) -> [Output] {
        switch (phase, input) {
        case (.connecting, .connected):
            var access = SpeakerAccess(target, verifying: credentials)
            return perform(access.begin(), access)
        case (.connecting(let rest), .notConnected(let error)): return connect(to: rest, after: error)
        case (.verifying(var access), .answered(let response)):
            return perform(access.receive(response), access)
        case (.removing, .answered(let response)): return finish(response)
        case (.verifying, .unanswered(let failure)), (.removing, .unanswered(let failure)):
            return fail(failure)
        default: return []
        }
    }

    private mutating func fail(_ failure: SpeakerFailure) -> [Output] {
        phase = .over
        return [.failed(failure)]
    }

    private mutating func connect(
        to addresses: ArraySlice<SocketAddress>, after error: SystemError?
    ) -> [Output] {
        guard let address = addresses.first else {
            return fail(refusals.unreachable(error, isResuming: false))
        }
        phase = .connecting(rest: addresses.dropFirst())
        return [.connect(address)]
    }

    private mutating func perform(_ steps: [SpeakerAccess.Step], _ access: SpeakerAccess) -> [Output] {
        var outputs: [Output] = []
        for step in steps {
            switch step {
            case .send(let request):
                phase = .verifying(access)
                outputs.append(.send(request))
            case .admitted(let secret):
                phase = .removing
                let body = PairingsRequest.remove(identifier: credentials.identity.identifier).encoded
                outputs += [.encrypt(secret), .send(.pairing("/pair-remove", .lasting, body))]
            case .forget:
                // The speaker does not know us: there is nothing left to do there.
                phase = .over
                return outputs + [.removed]
            case .failed(let failure): outputs += fail(failure)
            case .reconnect: break
            }
        }
        return outputs
    }

    private mutating func finish(_ response: RTSPResponse) -> [Output] {
        guard response.status.isSuccess, !PairingsRequest.isRefusal(response.body) else {
            return fail(refusals.refusal("to forget this sender", response))
        }
        phase = .over
        return [.removed]
    }
}
