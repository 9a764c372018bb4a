import Synchronization
import TuttiCryptography
import TuttiHTTPService
import TuttiSystemIO

/// The devices that may control the house: by a token, which a device gets for a pairing code.
///
/// Tokens are 256 random bits. Any thread.
package final class AccessControl: Sendable {
    /// The name of the cookie with the token.
    package static let cookieName = "tutti-token"
    /// Digits of a token.
    static let tokenDigits = 64
    /// The most devices; a further one replaces the oldest.
    static let tokenLimit = 100

    private struct State {
        var tokens: [[UInt8]]
        var code = PairingCode()
        /// The listeners of the surfaces that ask for tokens.
        var hubs: [WeakReference<EventHub>] = []
    }

    private let file: PrivateFile?
    private let state: Mutex<State>

    /// Reads the stored tokens.
    ///
    /// - Parameter path: The file of the tokens, mode 0600; its folder must exist. `nil` keeps them in memory.
    /// - Throws: An error with a sentence for the user, if the file cannot be used.
    package init(path: String?) throws {
        file = path.map { PrivateFile(path: $0) }
        var tokens: [[UInt8]] = []
        if case .bytes(let bytes, _)? = try file?.read() {
            tokens = bytes.split(separator: 0x0A).map(Array.init).filter { $0.count == Self.tokenDigits }
        }
        state = Mutex(State(tokens: tokens))
    }

    /// The number of devices that have a token.
    package var deviceCount: Int { state.withLock { $0.tokens.count } }

    /// Makes a pairing code of six digits, valid once and for five minutes. Show it to the user; an earlier one ends.
    package func makeCode() -> String { makeCode(at: .now) }

    /// Takes all tokens back: every device needs a new code, and no longer gets events. Voids a code that was
    /// not used yet.
    ///
    /// A client that needs no token loses its stream of events too, and may open another one.
    ///
    /// - Throws: An error with a sentence for the user, if the file cannot be written.
    package func revokeAll() throws {
        let hubs = try state.withLock { state -> [EventHub] in
            try store([])
            state.tokens = []
            state.code.cancel()
            return state.hubs.compactMap { $0.object }
        }
        for hub in hubs { hub.endStreams() }
    }

    /// Ends the streams of a hub whenever the tokens are taken back, for as long as the hub exists.
    func register(_ hub: EventHub) {
        state.withLock { state in
            state.hubs = state.hubs.filter { $0.object != nil } + [WeakReference(hub)]
        }
    }

    func makeCode(at now: PairingCode.Instant) -> String {
        let code = PairingCode.random()
        state.withLock { $0.code.set(code, at: now) }
        return code
    }

    /// Returns a new token for a code.
    func token(for code: String, at now: PairingCode.Instant) throws(Problem) -> String {
        let outcome = state.withLock { $0.code.use(code, at: now) }
        switch outcome {
        case .accepted: return try addToken()
        case .wrong:
            throw Problem(
                status: 403, code: "wrongCode", detail: "The code is wrong. Check it, and try again.")
        case .needsNewCode:
            throw Problem(
                status: 403, code: "needsNewCode",
                detail:
                    "No code is valid at the moment. Make a new one with “tutti serve --code” on the machine of the service."
            )
        case .tooFast(let wait):
            let seconds = max(1, wait.components.seconds + 1)
            throw Problem(
                status: 429, code: "tooFast", detail: "Wait \(seconds) s before you try again.")
        }
    }

    /// Whether a request comes with a token of ours.
    func admits(_ request: HTTPRequest) -> Bool {
        guard let token = Self.token(of: request) else { return false }
        let bytes = Array(token.utf8)
        return state.withLock { state in
            // All of them, so that the time does not tell which.
            state.tokens.reduce(false) { constantTimeEqual($1, bytes) || $0 }
        }
    }

    private func addToken() throws(Problem) -> String {
        let token = Self.randomToken()
        do {
            try state.withLock { state in
                let tokens = (state.tokens + [Array(token.utf8)]).suffix(Self.tokenLimit)
                try store(Array(tokens))
                state.tokens = Array(tokens)
            }
        } catch {
            throw Problem(status: 503, code: "unavailable", detail: "The token cannot be stored. \(error)")
        }
        return token
    }

    /// Replaces the stored tokens, a line each.
    private func store(_ tokens: [[UInt8]]) throws(PrivateFileError) {
        try file?.write(Array(tokens.map { $0 + [0x0A] }.joined()))
    }

    private static func randomToken() -> String {
        SecureRandom.bytes(count: tokenDigits / 2).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    /// Returns the token in `Authorization: Bearer`, else in the cookie.
    static func token(of request: HTTPRequest) -> String? {
        if let field = request.headers["Authorization"] {
            let parts = field.split(separator: " ", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == "bearer" { return String(parts[1]) }
        }
        for pair in request.headers.all("Cookie").joined(separator: ";").split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            if parts.count == 2, parts[0].trimmingPrefix(while: { $0 == " " }) == Self.cookieName {
                return String(parts[1])
            }
        }
        return nil
    }

    /// Returns the field that gives the token to a browser, for 400 days, the longest that browsers keep it.
    static func cookie(_ token: String) -> String {
        "\(cookieName)=\(token); Path=/; Max-Age=34560000; HttpOnly; SameSite=Strict"
    }
}
