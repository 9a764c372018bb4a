import AirPlayMessages
import TuttiCryptography
import TuttiMediaTime
import TuttiRTP
import TuttiSystemIO

/// Opens a session with one speaker, of the kind that ``SessionChoice`` names: moves the bytes of its handshake, and
/// waits for it.
struct SpeakerOpener: SessionOpener {
    let identity: SenderIdentity
    let clock: any SenderClock
    let store: PacketStore
    var timing = SenderTiming()
    let machine: any Machine

    /// Options with a small send buffer, because a seek cannot take back bytes in the kernel.
    static let audioOptions = TCPOptions(
        sendBufferBytes: 64 * 1024, maximumRetransmissionTimeout: .seconds(1), userTimeout: .seconds(600))
    /// Options with a long timeout: a speaker out of reach for minutes still plays its buffer.
    static let controlOptions = TCPOptions(
        maximumRetransmissionTimeout: .seconds(1), userTimeout: .seconds(600))

    func open(_ request: SessionRequest) async throws -> any SpeakerSession {
        let target = request.target
        if let local = target.local {
            let choice = SessionChoice(.local, .host, "a device of this machine")
            await request.onDescribed(ReceiverDescription(), choice)
            guard await request.format() != nil else { throw SpeakerFailure.closed }
            do { return try await local.open(request.sound ?? store) } catch {
                throw SpeakerFailure(.refused, "\(target.name): \(error)")
            }
        }
        if target.override.stream == .airPlay1 || (target.override.stream == nil && target.speaksAirPlay1Only)
        {
            let known = ReceiverDescription(airPlay: target.record, raop: target.raop)
            return try await openAirPlay1(request, SessionChoice(known, override: target.override))
        }
        if let failure = HandshakeRefusals(target).fixedStream { throw failure }
        var opening = AirPlay2Opening(opener: self, request: request)
        switch try await opening.open() {
        case .session(let session): return session
        case .takesAirPlay1(let choice): return try await openAirPlay1(request, choice)
        }
    }

    private func openAirPlay1(
        _ request: SessionRequest, _ choice: SessionChoice
    ) async throws -> any SpeakerSession {
        var opening = AirPlay1Opening(opener: self, request: request)
        return try await opening.open(choice)
    }

    /// Returns the numbers of a session: new ones, or those of the session that is resumed.
    func numbers(resuming kept: SessionNumbers? = nil) throws -> SessionNumbers {
        guard let key = kept?.key ?? AudioKey(SymmetricKey().bytes) else {
            throw SpeakerFailure(.closed, "no key")
        }
        var random = MachineRandom(machine)
        return SessionNumbers(
            session: UInt32.random(in: 1...UInt32.max, using: &random), timingPeerID: random.uuid(),
            sessionUUID: kept?.sessionUUID ?? random.uuid(),
            key: key,
            streamConnection: kept?.streamConnection
                ?? UInt64(UInt32.random(in: 1...UInt32.max, using: &random)),
            firstSequence: SequenceNumber(truncating: UInt32.random(in: 0..<(1 << 22), using: &random)),
            firstTime: RTPTime(rawValue: UInt32.random(in: 0...UInt32.max, using: &random)))
    }

    /// The headers of every request.
    var headers: [(String, String)] {
        [
            ("User-Agent", SenderIdentity.userAgent),
            ("X-Apple-Client-Name", identity.name),
        ]
    }

    /// Headers by which a speaker's buttons find us. AirPlay 2 has them encrypted, because anyone who reads them could
    /// send commands.
    var remoteHeaders: [(String, String)] {
        [
            ("DACP-ID", identity.dacpID), ("Active-Remote", String(identity.activeRemote)),
            ("Client-Instance", identity.dacpID),
        ]
    }
}
