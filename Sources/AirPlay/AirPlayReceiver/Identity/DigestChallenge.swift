import HomeKitPairing
import TuttiCryptography
import TuttiRTSP

/// HTTP Digest access authentication at one connection, without `qop`.
///
/// Accepts any user name: senders say `iTunes`, `AirPlay`, their own name or nothing (*observed*).
///
/// Source: RFC 2617, 3.2, as AirPlay uses it.
struct DigestChallenge: Sendable, Redacted {
    /// The result of checking one request.
    enum Verdict: Hashable, Sendable {
        case right
        case wrong
        /// The request has no credentials, or answers another challenge.
        case missing
    }

    private let password: [UInt8]
    private let realm: String
    private let nonce: String

    init(
        password: [UInt8], realm: String,
        nonce: String = DigestChallenge.hexText(SecureRandom.bytes(count: 16))
    ) {
        (self.password, self.realm, self.nonce) = (password, realm, nonce)
    }

    /// The 401 response for a request without the password.
    var response: RTSPResponse {
        var response = RTSPResponse(.unauthorized)
        response.headers["WWW-Authenticate"] = "Digest realm=\"\(realm)\", nonce=\"\(nonce)\""
        return response
    }

    func check(_ request: RTSPRequest) -> Verdict {
        guard let header = request.headers["Authorization"], let fields = DigestFields(header),
            let user = fields["username"], let uri = fields["uri"], let given = fields["response"],
            fields["realm"] == realm, fields["nonce"] == nonce
        else { return .missing }
        let secret = Array("\(user):\(realm):".utf8) + password
        let target = Array("\(request.method.rawValue):\(uri)".utf8)
        guard let first = MD5.hash(secret), let second = MD5.hash(target) else { return .wrong }
        let inner = (Self.hexText(first), Self.hexText(second))
        // Some senders write the inner digests in upper-case hexadecimal (*observed*).
        for (left, right) in [inner, (inner.0.uppercased(), inner.1.uppercased())] {
            guard let expected = MD5.hash(Array("\(left):\(nonce):\(right)".utf8)) else { return .wrong }
            if constantTimeEqual(Array(Self.hexText(expected).utf8), Array(given.lowercased().utf8)) {
                return .right
            }
        }
        return .wrong
    }

    static func hexText(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
