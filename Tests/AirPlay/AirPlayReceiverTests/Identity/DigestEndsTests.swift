import HomeKitPairing
import Testing
import TuttiCryptography
import TuttiRTSP

@testable import AirPlayReceiver

@Suite("HTTP Digest between our sender and our speaker")
struct DigestEndsTests {
    private static func request(
        _ challenge: DigestChallenge, password: String, uri: String = "rtsp://10.0.0.1/1"
    ) throws -> RTSPRequest {
        let header = try #require(challenge.response.headers[DigestCredentials.challengeHeader])
        let credentials = try #require(DigestCredentials(challenge: header, password: password))
        var request = RTSPRequest(.setup, "rtsp://10.0.0.1/1")
        request.headers[DigestCredentials.answerHeader] = credentials.header(method: "SETUP", uri: uri)
        return request
    }

    @Test("the right password is right and a wrong one wrong", arguments: ["airplay", "raop", "Kitchen (2)"])
    func passwords(realm: String) throws {
        let challenge = DigestChallenge(password: Array("open, sesame".utf8), realm: realm)
        #expect(try challenge.check(Self.request(challenge, password: "open, sesame")) == .right)
        #expect(try challenge.check(Self.request(challenge, password: "close")) == .wrong)
        let other = DigestChallenge(password: Array("open, sesame".utf8), realm: realm)
        #expect(try other.check(Self.request(challenge, password: "open, sesame")) == .missing)
        #expect(challenge.check(RTSPRequest(.setup, "x")) == .missing)
    }
}
