import HomeKitPairing
import Testing

@Suite("HTTP Digest")
struct DigestTests {
    /// RFC 2069's example, with the digest of its errata: no `qop`, as AirPlay.
    @Test("the published example gives the published header")
    func published() throws {
        let challenge =
            "Digest realm=\"testrealm@host.com\", nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\", "
            + "opaque=\"5ccc069c403ebaf9f0171e9517f40e41\""
        let credentials = try #require(
            DigestCredentials(challenge: challenge, password: "CircleOfLife", user: "Mufasa"))
        #expect(
            credentials.header(method: "GET", uri: "/dir/index.html")
                == "Digest username=\"Mufasa\", realm=\"testrealm@host.com\", "
                + "nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\", uri=\"/dir/index.html\", "
                + "response=\"1949323746fe6a43ef61f9606e7febea\", "
                + "opaque=\"5ccc069c403ebaf9f0171e9517f40e41\"")
        #expect(!credentials.isRenewal)
    }

    @Test("the realm raop gets the user and the digits of iTunes, and every request its own answer")
    func raop() throws {
        let challenge = "Digest realm=\"raop\", nonce=\"abc\""
        let credentials = try #require(DigestCredentials(challenge: challenge, password: "secret"))
        let header = credentials.header(method: "ANNOUNCE", uri: "rtsp://10.0.0.2/1")
        #expect(
            header == "Digest username=\"iTunes\", realm=\"raop\", nonce=\"abc\", "
                + "uri=\"rtsp://10.0.0.2/1\", response=\"0764260F5F98B2DBD224C11B5BC7BD22\"")
        #expect(header != credentials.header(method: "SETUP", uri: "rtsp://10.0.0.2/1"))
    }

    private static let challenges: [(String, accepted: Bool)] = [
        ("Digest realm=\"a\", nonce=\"b\"", true),
        ("digest nonce=b,realm=a", true),
        ("Digest realm=\"a\", nonce=\"b\", algorithm=MD5, stale=TRUE", true),
        ("Digest realm=\"a\", nonce=\"b\", algorithm=SHA-256", false),
        ("Digest realm=\"a\"", false),
        ("Digest nonce=\"b\"", false),
        ("Basic realm=\"a\"", false),
        ("", false),
        ("Digest ", false),
        ("Digest realm=\"a\", nonce=\"" + String(repeating: "n", count: 3000) + "\"", false),
        ("Digest =\"\"=,=\"", false),
    ]

    @Test("a challenge that is invalid, or needs another algorithm, is not answered", arguments: challenges)
    func accepted(challenge: String, accepted: Bool) {
        #expect((DigestCredentials(challenge: challenge, password: "x") != nil) == accepted)
    }

    @Test("an expired challenge says that the password was right")
    func renewal() throws {
        let challenge = "Digest realm=\"a\", nonce=\"b\", stale=true"
        #expect(try #require(DigestCredentials(challenge: challenge, password: "x")).isRenewal)
    }

    @Test("printing the credentials shows no password")
    func redacted() throws {
        let credentials = try #require(
            DigestCredentials(challenge: "Digest realm=\"a\", nonce=\"b\"", password: "hush"))
        #expect("\(credentials)" == "DigestCredentials(redacted)")
        var dumped = ""
        dump(credentials, to: &dumped)
        #expect(!dumped.contains("hush"))
    }
}
