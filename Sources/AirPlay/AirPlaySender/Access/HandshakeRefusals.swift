import AirPlayMessages
import HomeKitPairing
import TuttiRTSP
import TuttiSystemIO

/// The failures of a handshake with one speaker, in words that a user can act on.
struct HandshakeRefusals: Sendable {
    let target: SpeakerTarget

    init(_ target: SpeakerTarget) { self.target = target }

    /// - Parameter error: The error of the last address that was tried.
    func unreachable(_ error: SystemError?, isResuming: Bool) -> SpeakerFailure {
        if isResuming, error?.isConnectionRefused == true {
            return SpeakerFailure(.refused, "\(target.name) has ended")
        }
        let place = target.addresses.first.map { "\($0)" } ?? "an unknown address"
        guard error?.isConnectionRefused != true else {
            return SpeakerFailure(
                .unreachable,
                "\(target.name) does not answer: nothing listens at \(place); has its AirPlay program started, and is the port right?"
            )
        }
        let cause = error.map { ": \($0)" } ?? ""
        return SpeakerFailure(
            .unreachable,
            "\(target.name) does not answer at \(place)\(cause); is it switched on, and on this network?")
    }

    /// Returns the failure of a speaker that did not answer `/info`. A speaker that is starting, or behind a weak
    /// link, may be silent or hang up: the group retries.
    func undescribed(_ failure: SpeakerFailure) -> SpeakerFailure {
        guard failure.code == .refused else {
            return SpeakerFailure(
                failure.code,
                "\(target.name) accepts a connection, but does not answer; if it is not just starting, restart it"
            )
        }
        return SpeakerFailure(
            .notASpeaker,
            "\(target.name) answers, but not as an AirPlay speaker; restart it, and check whether another device has its address"
        )
    }

    var notASpeaker: SpeakerFailure {
        SpeakerFailure(
            .notASpeaker,
            "\(target.name) does not describe itself as an AirPlay 2 speaker; if it takes AirPlay 1, try --stream airplay1"
        )
    }

    /// Returns the failure that a response of AirPlay 1 means; `nil` for 200.
    func airPlay1(_ response: RTSPResponse, _ what: String) -> SpeakerFailure? {
        switch response.status {
        case .ok: nil
        case .notEnoughBandwidth: SpeakerFailure(.busy, "\(target.name) is busy with another sender")
        case .forbidden:
            SpeakerFailure(.forbidden, "\(target.name) does not let this sender play by AirPlay 1")
        default: refusal(what, response)
        }
    }

    /// A speaker of AirPlay 1 that does not know the request with which its sound begins (*observed*, UxPlay).
    var lacksAnnounce: SpeakerFailure {
        SpeakerFailure(
            .unsupported,
            "\(target.name) does not accept sound like an AirPlay 1 speaker: ANNOUNCE is not in its list of requests; it may accept only Apple's senders"
        )
    }

    /// The failure of a speaker of AirPlay 1 for which the user has fixed a stream of AirPlay 2; `nil` for others.
    /// shairport-sync without nqptp ends at such a session (*observed*).
    var fixedStream: SpeakerFailure? {
        let known = ReceiverDescription(airPlay: target.record, raop: target.raop)
        guard let stream = target.override.stream, stream == .buffered || stream == .realtime,
            target.speaksAirPlay1Only, !known.lacksAirPlay2Record
        else { return nil }
        return SpeakerFailure(
            .unsupported,
            "\(target.name) announces only AirPlay 1, so it has no \(stream.rawValue) stream of AirPlay 2; leave out --stream \(stream.rawValue)"
        )
    }

    /// Another sender has taken the speaker.
    var taken: SpeakerFailure { SpeakerFailure(takenFromUs: target.name) }

    /// The command that pairs with the speaker.
    private var pairCommand: String { "tutti pair \(ShellWord.quoted(target.name))" }

    var pinNeeded: SpeakerFailure {
        SpeakerFailure(
            .pinNeeded,
            "\(target.name) must be paired once, with the PIN that it shows: run \(pairCommand)")
    }

    /// The speaker has refused credentials that it once accepted.
    var unknownThere: SpeakerFailure {
        SpeakerFailure(
            .pinNeeded, "\(target.name) no longer knows this sender: pair again with \(pairCommand)")
    }

    /// Another device, or the same one after a reset: it cannot prove to be the paired one.
    var otherDevice: SpeakerFailure {
        SpeakerFailure(
            .pinNeeded,
            "\(target.name) does not prove to be the device that was paired; if it was reset, pair again with \(pairCommand)"
        )
    }

    var pinWrong: SpeakerFailure {
        SpeakerFailure(
            .pinWrong,
            "the PIN is not the one that \(target.name) shows; run \(pairCommand) again for a new one")
    }

    var passwordNeeded: SpeakerFailure {
        SpeakerFailure(.passwordNeeded, "\(target.name) needs a password: give it with --password-file")
    }

    var passwordWrong: SpeakerFailure {
        SpeakerFailure(.passwordWrong, "the password of \(target.name) is wrong")
    }

    var noPIN: SpeakerFailure {
        SpeakerFailure(.pinNeeded, "no PIN was given; \(target.name) is not paired")
    }

    /// The speaker does not prove that it knows the PIN, but claims that ours is right.
    var pinNotKnown: SpeakerFailure {
        SpeakerFailure(
            .refused, "\(target.name) does not know the PIN itself; another device may have taken its name")
    }

    var notPairable: SpeakerFailure {
        SpeakerFailure(.unsupported, "\(target.name) does not pair with a PIN; play to it without pairing")
    }

    /// A speaker without a device id cannot be found again.
    var nameless: SpeakerFailure {
        SpeakerFailure(.unsupported, "\(target.name) does not state its device id, so it cannot be paired")
    }

    /// A wrong PIN, or password, for a speaker that announces no PIN.
    var secretWrong: SpeakerFailure {
        SpeakerFailure(
            .pinWrong,
            "\(target.name) cannot be paired with this PIN or password; a speaker that shows no PIN and has no password needs no pairing"
        )
    }

    /// Returns the failure that a response to a SETUP means; `nil` for 200.
    ///
    /// - Parameter clock: The clock that the SETUP of a session names.
    func setup(_ response: RTSPResponse, clock: SessionChoice.Clock? = nil) -> SpeakerFailure? {
        switch response.status {
        case .ok: nil
        case .badRequest where clock == .ntp:
            SpeakerFailure(
                .refused,
                "\(target.name) refused a session with NTP (status 400); it may accept only PTP: try --clock ptp"
            )
        case .unauthorized: passwordNeeded
        case .notEnoughBandwidth: SpeakerFailure(.busy, "\(target.name) is busy with another sender")
        default: refusal("a session", response)
        }
    }

    /// - Parameter choice: The kind of session: a speaker that takes only PTP answers like this, too (*observed*,
    ///   shairport-sync).
    func noEventPort(_ choice: SessionChoice) -> SpeakerFailure {
        let advice = choice.clock == .ntp ? "it may accept only PTP: try --clock ptp" : Self.advice
        return SpeakerFailure(
            .refused, "\(target.name) opened no session: its answer names no event port; \(advice)")
    }

    /// The advice against a speaker that does something that none should.
    private static let advice = "restart it; if that does not help, update it"

    func noEventConnection(_ error: SystemError) -> SpeakerFailure {
        SpeakerFailure(
            .refused, "\(target.name) does not accept the event connection: \(error); \(Self.advice)")
    }

    var noDataPort: SpeakerFailure {
        SpeakerFailure(
            .refused, "\(target.name) opened no stream: its answer names no data port; \(Self.advice)")
    }

    func noSoundConnection(_ cause: String) -> SpeakerFailure {
        SpeakerFailure(
            .refused, "\(target.name) does not accept the sound connection: \(cause); \(Self.advice)")
    }

    /// The store has evicted sound that the speaker lacks.
    var soundEvicted: SpeakerFailure {
        SpeakerFailure(.lost, "\(target.name) needs sound that is no longer in memory")
    }

    // MARK: Pairing

    /// The cap, in seconds, of the retry delay that a speaker requests.
    private static let longestRetryDelay: UInt64 = 600
    /// The retry delay, in seconds, when a speaker is too busy to pair and requests none.
    private static let usualRetryDelay: UInt64 = 1

    func refusal(_ what: String, _ response: RTSPResponse) -> SpeakerFailure {
        SpeakerFailure(.refused, "\(target.name) refused \(what) (status \(response.status)); \(Self.advice)")
    }

    /// - Parameter receiver: The speaker's description, which says whether it can be paired with a PIN.
    func pairing(_ response: RTSPResponse, of receiver: ReceiverDescription? = nil) -> SpeakerFailure {
        switch response.status {
        case .connectionAuthorizationRequired where receiver?.features.contains(.homeKitPairing) == true:
            return SpeakerFailure(
                .pinNeeded, "\(target.name) accepts only paired senders: run \(pairCommand)")
        case .forbidden, .connectionAuthorizationRequired: return accessLimited
        // Here the speaker lacks time for pairing; a speaker busy with another session says so at SETUP.
        case .notEnoughBandwidth, .serviceUnavailable:
            let named = response.headers[RetryDelay.headerName].flatMap(RetryDelay.seconds(headerValue:))
            let seconds = min(max(1, named ?? Self.usualRetryDelay), Self.longestRetryDelay)
            return SpeakerFailure(
                .refused,
                "too many senders want to pair with \(target.name) at the moment; it can be tried again in \(seconds) s",
                retryDelay: .seconds(seconds))
        default:
            return SpeakerFailure(
                .refused,
                "\(target.name) refused to pair (status \(response.status)); \(Self.advice)")
        }
    }

    private var accessLimited: SpeakerFailure {
        SpeakerFailure(
            .forbidden,
            "\(target.name) accepts only known controllers: allow everyone on the network in the Home app, or run \(pairCommand)"
        )
    }

    func pairing(_ error: PairingError) -> SpeakerFailure {
        switch error {
        case .authenticationFailed where target.password != nil:
            passwordWrong
        case .authenticationFailed:
            passwordNeeded
        case .unavailable: accessLimited
        case .backOff(let seconds):
            SpeakerFailure(
                .refused, backOffWords(seconds),
                retryDelay: .seconds(min(seconds ?? 0, Self.longestRetryDelay)))
        case .tooManyTries:
            SpeakerFailure(
                .refused,
                "\(target.name) accepts no more attempts after too many wrong ones: restart it, or wait an hour",
                retryDelay: .seconds(Self.longestRetryDelay))
        case .tooManyPeers:
            SpeakerFailure(
                .refused, "\(target.name) has the maximum number of controllers: remove one in the Home app")
        case .busy:
            SpeakerFailure(
                .refused,
                "\(target.name) is pairing with another controller; it can be tried again in a moment",
                retryDelay: .seconds(Self.usualRetryDelay))
        case .accessoryNotAuthentic:
            SpeakerFailure(
                .refused,
                "\(target.name) does not know the password it has; another device may have taken its name")
        case .refused(let code):
            SpeakerFailure(
                .refused, "\(target.name) refused to pair (error \(code)); \(Self.advice)")
        case .emptyBody, .malformed, .missing, .unexpectedState, .invalidPublicKey, .unsupportedProcedure,
            .notInProgress:
            SpeakerFailure(
                .refused,
                "\(target.name) does not pair as AirPlay speakers do; restart it; if that does not help, update it"
            )
        }
    }

    /// Returns a message for a speaker that accepts no attempts for some time.
    private func backOffWords(_ seconds: UInt64?) -> String {
        let time = seconds.map { "for \(min($0, Self.longestRetryDelay)) s" } ?? "for now"
        let words = "\(target.name) accepts no pairing \(time) after too many wrong attempts"
        // Apple TVs double the wait with each wrong PIN (1, 16, 32, 64 s), and name none (*reported*).
        return seconds == nil
            ? words + "; the wait grows to a minute or more; a restart of the speaker ends it" : words
    }
}
