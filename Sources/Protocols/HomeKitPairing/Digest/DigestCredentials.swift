import TuttiCryptography

/// The sender's end of HTTP Digest access authentication, for receivers with a password that answer 401: the
/// challenge in, an `Authorization` header for each request out.
///
/// Without `qop`, as AirPlay uses it. Printing the value shows nothing of the password. Source: RFC 2617, 3.2;
/// the user names and the digits *observed* with AirPlay senders.
package struct DigestCredentials: Sendable, Redacted, Equatable {
    /// The name of the header that carries the challenge.
    package static let challengeHeader = "WWW-Authenticate"
    /// The name of the header that carries the answer.
    package static let answerHeader = "Authorization"

    /// Whether the receiver says that an earlier answer was right for a challenge that has expired.
    package let isRenewal: Bool
    private let user: String
    private let realm: String
    private let nonce: String
    private let opaque: String?
    private let password: [UInt8]
    private let digits: Digits

    private enum Digits: Sendable {
        case lower
        case upper
    }

    /// The realm of AirPlay 1 receivers.
    private static let raop = "raop"

    /// - Parameters:
    ///   - challenge: The value of ``challengeHeader`` in the 401 answer.
    ///   - password: The receiver's password.
    ///   - user: The user name; `nil` for the usual one of the realm, `iTunes` or `AirPlay`. Receivers accept
    ///     any.
    /// - Returns: `nil` if the challenge is not one of HTTP Digest with MD5.
    package init?(challenge: String, password: String, user: String? = nil) {
        guard let fields = DigestFields(challenge), let realm = fields["realm"],
            let nonce = fields["nonce"], fields["algorithm"].map({ $0.lowercased() == "md5" }) ?? true,
            MD5.hash([]) != nil
        else { return nil }
        let isRAOP = realm.lowercased() == Self.raop
        (self.realm, self.nonce, opaque) = (realm, nonce, fields["opaque"])
        self.user = user ?? (isRAOP ? "iTunes" : "AirPlay")
        self.password = Array(password.utf8)
        // AirPlay 1 receivers compare with the upper-case digits of iTunes.
        digits = isRAOP ? .upper : .lower
        isRenewal = fields["stale"]?.lowercased() == "true"
    }

    /// Returns the value of ``answerHeader`` for one request.
    ///
    /// - Parameters:
    ///   - method: The method of the request, e.g. `SETUP`.
    ///   - uri: The target of the request, as in its start line.
    package func header(method: String, uri: String) -> String {
        let first = hash(Array("\(user):\(realm):".utf8) + password)
        let second = hash(Array("\(method):\(uri)".utf8))
        let response = hash(Array("\(first):\(nonce):\(second)".utf8))
        var fields = [
            ("username", user), ("realm", realm), ("nonce", nonce), ("uri", uri), ("response", response),
        ]
        if let opaque { fields.append(("opaque", opaque)) }
        return "Digest " + fields.map { "\($0)=\"\($1)\"" }.joined(separator: ", ")
    }

    private func hash(_ bytes: [UInt8]) -> String {
        let text = (MD5.hash(bytes) ?? []).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return digits == .upper ? text.uppercased() : text
    }

    /// Compares all parts, the password in constant time.
    package static func == (left: DigestCredentials, right: DigestCredentials) -> Bool {
        (left.user, left.realm, left.nonce, left.opaque, left.isRenewal)
            == (right.user, right.realm, right.nonce, right.opaque, right.isRenewal)
            && constantTimeEqual(left.password, right.password)
    }
}
