import AirPlayMessages
import HomeKitPairing
import TuttiRTSP
import TuttiSystemIO

// Pairing with speakers, and the end of a pairing.
extension SpeakerPairings {
    /// Pairs with a speaker once; from then on every connection to it is verified. A speaker that has paired
    /// before gets the place of its old pairing.
    ///
    /// - Parameters:
    ///   - target: The speaker.
    ///   - senderName: The name that the speaker shows for this sender.
    ///   - pin: Called when the speaker shows its PIN; returns what the user types, or the password of a speaker
    ///     that takes one, or `nil` to give up.
    /// - Returns: The speaker as it is stored now.
    /// - Throws: ``SpeakerFailure``: `.pinWrong`, `.pinNeeded` without a PIN, `.unreachable`, `.unsupported` for a
    ///   speaker that does not pair, `.notStored`, and others with a message for the user.
    public func pair(
        with target: SpeakerTarget, senderName: String, pin: @Sendable () async -> String?
    ) async throws -> PairedSpeaker {
        try await pair(with: target, senderName: senderName, secret: { _ in await pin() })
    }

    /// Pairs like ``pair(with:senderName:pin:)``, and says whether a PIN or a password is asked for.
    ///
    /// - Parameter secret: Called when the speaker waits for its secret, with the pairing that it says it
    ///   needs: `.pin` or `.password`; any other value leaves open which of the two the speaker takes.
    package func pair(
        with target: SpeakerTarget, senderName: String,
        secret: @Sendable (ReceiverDescription.PairingNeed) async -> String?
    ) async throws -> PairedSpeaker {
        let sender = SenderIdentity(name: senderName, clock: .ofHost(machine), machine: machine)
        let identity = try identity(createdBy: sender)
        var procedure = PairingProcedure(target, identity: identity.pairing)
        var link = PairingLink(target, sender, machine)
        defer { link.close() }
        var output = procedure.begin()
        while true {
            let input: PairingProcedure.Input
            switch output {
            case .connect(let address): input = await link.connect(to: address)
            case .send(let request): input = await link.send(request)
            case .ask: input = .secret(await secret(procedure.askedNeed ?? .notNeeded))
            case .paired(let speaker):
                try keep(speaker, createdBy: sender)
                return speaker
            case .failed(let failure): throw failure
            }
            guard let next = procedure.receive(input) else {
                preconditionFailure("a pairing waits for one result at a time")
            }
            output = next
        }
    }

    /// Ends a pairing: has the speaker remove this sender, and erases the credentials here in any case.
    ///
    /// - Parameters:
    ///   - target: The speaker with its addresses; `nil` if it cannot be found, and is not told.
    ///   - senderName: The name of this sender.
    /// - Returns: The reason why the speaker still knows this sender; `nil` if it does not.
    /// - Throws: ``SpeakerFailure/Code/notStored`` if the credentials cannot be erased.
    public func unpair(
        _ speaker: PairedSpeaker, at target: SpeakerTarget?, senderName: String
    ) async throws -> SpeakerFailure? {
        var failure: SpeakerFailure? = SpeakerFailure(
            .unreachable, "\(speaker.name) was not found on the network")
        if speaker.accessory == nil {
            failure = SpeakerFailure(
                .unsupported, "an Apple TV of this generation forgets senders only in its own settings")
        } else if let target, let credentials = credentials(for: speaker.id) {
            failure = await remove(credentials, at: target, senderName)
        }
        try forget(speaker)
        return failure
    }

    private func remove(
        _ credentials: SpeakerAccess.Credentials, at target: SpeakerTarget, _ senderName: String
    ) async -> SpeakerFailure? {
        var procedure = UnpairingProcedure(target, credentials)
        let sender = SenderIdentity(name: senderName, clock: .ofHost(machine), machine: machine)
        var link = PairingLink(target, sender, machine)
        defer { link.close() }
        var outputs = procedure.begin()[...]
        while let output = outputs.popFirst() {
            switch output {
            case .connect(let address): outputs += procedure.receive(await link.connect(to: address))
            case .send(let request): outputs += procedure.receive(await link.send(request))
            case .encrypt(let secret): link.encrypt(secret)
            case .removed: return nil
            case .failed(let failure): return failure
            }
        }
        preconditionFailure("the end of a pairing has a last output")
    }
}

/// The connection on which a pairing is made or ended.
private struct PairingLink {
    private let target: SpeakerTarget
    private let sender: SenderIdentity
    private let machine: any Machine
    private var control: ControlChannel?

    private static let connectTimeout = Duration.seconds(4)
    /// The limit of an answer: small speakers take seconds for SRP.
    private static let answerTimeout = Duration.seconds(15)

    init(_ target: SpeakerTarget, _ sender: SenderIdentity, _ machine: any Machine) {
        (self.target, self.sender, self.machine) = (target, sender, machine)
    }

    mutating func connect(to address: SocketAddress) async -> PairingProcedure.Input {
        control?.close()
        do throws(SystemError) {
            let connection = try await machine.connect(
                to: address, from: target.localAddress, options: TCPOptions(), timeout: Self.connectTimeout)
            // Without the first, receivers of OS 27 answer 403; without the second they show no PIN (*reported*).
            control = ControlChannel(
                connection: connection,
                headers: [
                    ("User-Agent", SenderIdentity.userAgent), ("X-Apple-Client-Name", sender.name),
                ], clock: machine)
            return .connected
        } catch {
            return .notConnected(error)
        }
    }

    func send(_ request: RTSPRequest) async -> PairingProcedure.Input {
        guard let control else { return .unanswered(.closed) }
        do { return .answered(try await control.request(request, timeout: Self.answerTimeout)) } catch {
            return .unanswered(SpeakerFailure(error))
        }
    }

    func encrypt(_ secret: SharedSecret) {
        control?.encrypt(with: SecureChannel(keys: secret.controlKeys(for: .controller)))
    }

    func close() { control?.close() }
}
