import AirPlayMessages
import HomeKitPairing
import Testing
import TuttiRTSP

@testable import AirPlaySender

@Suite("The way of a sender into a speaker")
struct SpeakerAccessTests {
    struct Row: Sendable {
        var name: String
        var need: AirPlayStatusFlags = []
        var password: String?
        var isPaired = false
        var transient = AccessSpeaker.Transient.takes("3939")
        var verify = AccessSpeaker.Verify.knows
        var trace: [String]
        /// `nil`: the sender gets in.
        var code: SpeakerFailure.Code?
        var retryDelay: Duration?
        var forgets = false
    }

    private static let setup = ["pair-setup", "pair-setup"]
    private static let verify = ["pair-verify", "pair-verify"]

    private static let orders: [Row] = [
        Row(name: "nothing needed", trace: setup + ["admitted"]),
        Row(name: "PIN needed", need: .pinRequired, trace: ["failed"], code: .pinNeeded),
        Row(name: "one-time pairing", need: .oneTimePairingRequired, trace: ["failed"], code: .pinNeeded),
        Row(
            name: "PIN needed, password given", need: .pinRequired, password: "x", trace: ["failed"],
            code: .pinNeeded),
        Row(name: "password needed", need: .passwordRequired, trace: ["failed"], code: .passwordNeeded),
        Row(name: "PIN needed, paired", need: .pinRequired, isPaired: true, trace: verify + ["admitted"]),
        Row(name: "nothing needed, paired", isPaired: true, trace: verify + ["admitted"]),
        Row(
            name: "password needed, paired", need: .passwordRequired, isPaired: true,
            trace: verify + ["admitted"]),
        Row(
            name: "the password as the transient secret", need: .passwordRequired, password: "x",
            transient: .takes("x"), trace: setup + ["admitted"]),
        Row(
            name: "the password first, even if paired", need: .passwordRequired, password: "x",
            isPaired: true,
            transient: .takes("x"), trace: setup + ["admitted"]),
        Row(
            name: "then the well-known secret", need: .passwordRequired, password: "x",
            trace: setup + ["reconnect"] + setup + ["admitted"]),
        Row(
            name: "then the credentials", need: .passwordRequired, password: "x", isPaired: true,
            trace: setup + ["reconnect"] + verify + ["admitted"]),
        Row(
            name: "a password that nobody needs", password: "x",
            trace: setup + ["reconnect"] + setup + ["admitted"]),
        Row(
            name: "transient pairing is disabled, paired", need: .passwordRequired, password: "x",
            isPaired: true, transient: .bareStatus(.connectionAuthorizationRequired),
            trace: ["pair-setup", "reconnect"] + verify + ["admitted"]),
        Row(
            name: "transient pairing is refused in the body, paired", password: "x", isPaired: true,
            transient: .refuses(.unavailable), trace: ["pair-setup", "reconnect"] + verify + ["admitted"]),
    ]

    private static let refusals: [Row] = [
        Row(
            name: "wrong password", need: .passwordRequired, password: "x", transient: .takes("y"),
            trace: setup + ["reconnect"] + setup + ["failed"], code: .passwordWrong),
        Row(
            name: "hidden password", transient: .takes("y"), trace: setup + ["failed"], code: .passwordNeeded),
        Row(
            name: "only paired senders", transient: .bareStatus(.connectionAuthorizationRequired),
            trace: ["pair-setup", "failed"], code: .pinNeeded),
        Row(
            name: "only the home", transient: .bareStatus(.forbidden), trace: ["pair-setup", "failed"],
            code: .forbidden),
        Row(
            name: "refused in the body", transient: .refuses(.unavailable), trace: ["pair-setup", "failed"],
            code: .forbidden),
        Row(
            name: "back-off", password: "x",
            transient: .refuses(.backOff(seconds: 32), .connectionAuthorizationRequired),
            trace: ["pair-setup", "failed"], code: .refused, retryDelay: .seconds(32)),
        Row(
            name: "too many tries", transient: .refuses(.tooManyTries), trace: ["pair-setup", "failed"],
            code: .refused, retryDelay: .seconds(600)),
        Row(
            name: "overloaded", transient: .bareStatus(.serviceUnavailable), trace: ["pair-setup", "failed"],
            code: .refused, retryDelay: .seconds(1)),
        Row(name: "hangs up", transient: .hangsUp, trace: ["pair-setup"]),
    ]

    private static let verifications: [Row] = [
        Row(
            name: "not known any more", need: .pinRequired, isPaired: true, verify: .unknown,
            trace: verify + ["forget", "failed"], code: .pinNeeded, forgets: true),
        Row(
            name: "not known any more, open to all", isPaired: true, verify: .unknown,
            trace: verify + ["forget", "reconnect"] + setup + ["admitted"], forgets: true),
        Row(
            name: "not known any more, in the status", need: .pinRequired, isPaired: true,
            verify: .bareStatus(.connectionAuthorizationRequired, atFinish: true),
            trace: verify + ["forget", "failed"], code: .pinNeeded, forgets: true),
        Row(
            name: "refused before it proves anything", need: .pinRequired, isPaired: true,
            verify: .impostor(refusesAtOnce: true), trace: ["pair-verify", "failed"], code: .pinNeeded),
        Row(
            name: "an impostor", need: .pinRequired, isPaired: true, verify: .impostor(refusesAtOnce: false),
            trace: ["pair-verify", "failed"], code: .pinNeeded),
        Row(
            name: "an impostor of a speaker open to all", isPaired: true,
            verify: .impostor(refusesAtOnce: false), trace: ["pair-verify", "failed"], code: .pinNeeded),
        Row(
            name: "refused in the first status", need: .pinRequired, isPaired: true,
            verify: .bareStatus(.connectionAuthorizationRequired, atFinish: false),
            trace: ["pair-verify", "failed"], code: .forbidden),
        Row(
            name: "no such request", need: .pinRequired, isPaired: true,
            verify: .bareStatus(.notFound, atFinish: false), trace: ["pair-verify", "failed"], code: .refused),
        Row(
            name: "verification backs off", need: .pinRequired, isPaired: true,
            verify: .refusesFinish(.backOff(seconds: 16)), trace: verify + ["failed"], code: .refused,
            retryDelay: .seconds(16)),
        Row(
            name: "busy with another controller", need: .pinRequired, isPaired: true,
            verify: .refusesFinish(.busy), trace: verify + ["failed"], code: .refused,
            retryDelay: .seconds(1)),
        Row(
            name: "overloaded at the end", need: .pinRequired, isPaired: true,
            verify: .bareStatus(.notEnoughBandwidth, atFinish: true), trace: verify + ["failed"],
            code: .refused, retryDelay: .seconds(1)),
        Row(
            name: "hangs up", need: .pinRequired, isPaired: true, verify: .hangsUp, trace: ["pair-verify"]),
    ]

    static let rows = orders + refusals + verifications

    @Test("each speaker is entered in one order, and each refusal has one meaning", arguments: rows.indices)
    func row(index: Int) {
        let row = Self.rows[index]
        var speaker = AccessSpeaker(transient: row.transient, verify: row.verify)
        let run = AccessRun(
            &speaker, status: row.need, password: row.password,
            credentials: row.isPaired ? AccessSpeaker.credentials : nil)
        #expect(run.trace == row.trace, "\(row.name)")
        #expect(run.failure?.code == row.code, "\(row.name): \(run.failure?.message ?? "")")
        #expect(run.failure?.retryDelay == row.retryDelay, "\(row.name)")
        #expect(run.forgotten == (row.forgets ? [AccessSpeaker.paired] : []), "\(row.name)")
        #expect(run.secret == speaker.secret, "\(row.name): both ends have the same secret")
        #expect((run.secret != nil) == row.trace.contains("admitted"), "\(row.name)")
        #expect(run.failure?.message.contains("Kitchen") != false, "\(row.name)")
        for request in run.requests {
            let kind = request.path == "/pair-verify" ? "3" : "4"
            #expect(request.headers["X-Apple-HKP"] == kind, "\(row.name)")
        }
    }

    @Test("a failure that needs a pairing names the command, with the speaker's name quoted")
    func command() {
        var speaker = AccessSpeaker(transient: .takes("3939"), verify: .knows)
        let run = AccessRun(&speaker, status: .pinRequired)
        #expect(
            run.failure?.message
                == "Kitchen must be paired once, with the PIN that it shows: run tutti pair \"Kitchen\"")
    }

    @Test("the messages of every failure contain no secret")
    func noSecrets() {
        for row in Self.rows {
            var speaker = AccessSpeaker(transient: row.transient, verify: row.verify)
            let run = AccessRun(
                &speaker, status: row.need, password: row.password.map { _ in "open-sesame" },
                credentials: row.isPaired ? AccessSpeaker.credentials : nil)
            #expect(run.failure?.message.contains("sesame") != true, "\(row.name)")
        }
        #expect("\(AccessSpeaker.controller)" == "PairingIdentity(redacted)")
    }

    @Test("an answer that the phase does not wait for changes nothing")
    func outOfOrder() {
        let receiver = ReceiverDescription(info: HandshakeRun.info())
        let target = SpeakerTarget(name: "Kitchen", addresses: [])
        var access = SpeakerAccess(target, receiver, credentials: nil)
        #expect(access.receive(RTSPResponse()).isEmpty && access.connected().isEmpty)
        #expect(access.begin().count == 1 && access.begin().isEmpty && access.connected().isEmpty)
        // An empty body ends the attempt; nothing follows.
        #expect(access.receive(RTSPResponse()).count == 1)
        #expect(access.receive(RTSPResponse()).isEmpty && access.connected().isEmpty)
    }

    @Test("an answer truncated at any byte, or with any byte changed, lets nobody in and erases nothing")
    func hostileAnswers() {
        let receiver = ReceiverDescription(info: HandshakeRun.info(status: .pinRequired))
        let target = SpeakerTarget(name: "Kitchen", addresses: [])
        var speaker = AccessSpeaker(transient: .takes("3939"), verify: .knows)
        var access = SpeakerAccess(target, receiver, credentials: AccessSpeaker.credentials)
        guard case .send(let request)? = access.begin().first, let answer = speaker.answer(request) else {
            Issue.record("no answer")
            return
        }
        for index in answer.body.indices {
            var (cut, changed) = (access, access)
            let short = RTSPResponse(contentType: "x", body: Array(answer.body[..<index]))
            var body = answer.body
            body[index] ^= 0x55
            let other = RTSPResponse(contentType: "x", body: body)
            for steps in [cut.receive(short), changed.receive(other)] {
                guard case .failed? = steps.first, steps.count == 1 else {
                    Issue.record("\(steps) at byte \(index)")
                    return
                }
            }
        }
    }
}

@Suite("A password by HTTP Digest")
struct DigestAccessTests {
    private static func challenge(_ text: String?) -> RTSPResponse {
        var response = RTSPResponse(.unauthorized)
        response.headers["WWW-Authenticate"] = text
        return response
    }

    private static let usual = "Digest realm=\"airplay\", nonce=\"1\""

    @Test("without a password it is needed; with one it is sent once, and a second challenge means wrong")
    func once() {
        var without = DigestAccess(password: nil)
        #expect(without.receive(Self.challenge(Self.usual)) == .needed)
        var access = DigestAccess(password: "x")
        let credentials = DigestCredentials(challenge: Self.usual, password: "x")
        #expect(access.receive(Self.challenge(Self.usual)) == credentials.map { .authorize($0) })
        #expect(access.receive(Self.challenge(Self.usual)) == .wrong)
    }

    @Test("a challenge that expired is answered again, but not for ever")
    func expired() {
        var access = DigestAccess(password: "x")
        let stale = Self.challenge(Self.usual + ", stale=true")
        for _ in 0..<3 {
            guard case .authorize = access.receive(stale) else {
                Issue.record("no answer")
                return
            }
        }
        #expect(access.receive(stale) == .wrong)
    }

    @Test(
        "a 401 without a usable challenge is no chance for the password",
        arguments: [nil, "", "Basic realm=\"a\"", "Digest realm=\"a\""])
    func noChallenge(text: String?) {
        var access = DigestAccess(password: "x")
        #expect(access.receive(Self.challenge(text)) == .needed)
    }
}
