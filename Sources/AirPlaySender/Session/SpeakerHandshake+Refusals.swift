import AirPlayMessages
import HomeKitPairing
import RTSP

/// Translation of a speaker's refusals into messages that a user can act on.
extension SpeakerHandshake {
    /// The cap, in seconds, of the retry delay that a speaker requests.
    private static let longestRetryDelay: UInt64 = 600
    /// The retry delay, in seconds, when a speaker is too busy to pair and requests none.
    private static let usualRetryDelay: UInt64 = 1

    func refusal(_ what: String, _ response: RTSPResponse) -> SpeakerFailure {
        SpeakerFailure(.refused, "\(target.name) refused \(what) (status \(response.status))")
    }

    func pairingRefusal(_ response: RTSPResponse) -> SpeakerFailure {
        switch response.status {
        case .forbidden, .connectionAuthorizationRequired: return accessLimited
        // Here the speaker lacks time for pairing; a speaker busy with another session says so at SETUP.
        case .notEnoughBandwidth, .serviceUnavailable:
            let named = response.headers[RetryDelay.headerName].flatMap(RetryDelay.seconds(headerValue:))
            let seconds = min(max(1, named ?? Self.usualRetryDelay), Self.longestRetryDelay)
            return SpeakerFailure(
                .refused,
                "too many senders want to pair with \(target.name) at this moment; it is asked again in \(seconds) s",
                retryDelay: .seconds(seconds))
        default:
            return SpeakerFailure(
                .refused,
                "\(target.name) refused to pair (status \(response.status)); restart it if it stays so")
        }
    }

    private var accessLimited: SpeakerFailure {
        SpeakerFailure(
            .forbidden,
            "\(target.name) lets only known controllers in: allow everyone on the network in the Home app")
    }

    func pairingFailure(_ error: PairingError) -> SpeakerFailure {
        switch error {
        case .authenticationFailed where target.password != nil:
            SpeakerFailure(.passwordWrong, "the password is not the one of \(target.name)")
        case .authenticationFailed:
            SpeakerFailure(.passwordNeeded, "\(target.name) wants a password: give it with --password")
        case .unavailable: accessLimited
        case .backOff(let seconds):
            SpeakerFailure(
                .refused, backOffWords(seconds),
                retryDelay: .seconds(min(seconds ?? 0, Self.longestRetryDelay)))
        case .tooManyTries:
            SpeakerFailure(
                .refused,
                "\(target.name) takes no more attempts, after too many wrong ones: restart it, or wait an hour",
                retryDelay: .seconds(Self.longestRetryDelay))
        case .tooManyPeers:
            SpeakerFailure(
                .refused, "\(target.name) knows as many controllers as it can: remove one in the Home app")
        case .busy:
            SpeakerFailure(
                .refused, "\(target.name) is pairing with another controller; it is asked again",
                retryDelay: .seconds(Self.usualRetryDelay))
        case .accessoryNotAuthentic:
            SpeakerFailure(
                .refused,
                "\(target.name) does not know the password it has; another device may have taken its name")
        case .refused(let code):
            SpeakerFailure(
                .refused, "\(target.name) refused to pair (error \(code)); restart it if it stays so")
        case .emptyBody, .malformed, .missing, .unexpectedState, .invalidPublicKey, .unsupportedProcedure,
            .notInProgress:
            SpeakerFailure(
                .refused,
                "\(target.name) does not pair as AirPlay speakers do; restart it, and update it if it stays so"
            )
        }
    }

    /// Returns a message for a speaker that accepts no attempts for some time.
    private func backOffWords(_ seconds: UInt64?) -> String {
        let time = seconds.map { "for \(min($0, Self.longestRetryDelay)) s" } ?? "for now"
        return "\(target.name) lets nobody pair \(time), after too many wrong attempts"
    }
}
