import Testing

@testable import TuttiSystemIO

@Suite("An address with or without a port")
struct EndpointTextTests {
    static let valid: [(String, String, UInt16)] = [
        ("10.0.0.7", "10.0.0.7", 7000), ("10.0.0.7:5000", "10.0.0.7", 5000),
        ("kitchen.local", "kitchen.local", 7000),
        ("kitchen.local:1", "kitchen.local", 1), ("fe80::1%eth0", "fe80::1%eth0", 7000),
        ("[fe80::1%eth0]", "fe80::1%eth0", 7000), ("[2001:db8::1]:65535", "2001:db8::1", 65535),
    ]

    @Test("is understood", arguments: valid)
    func parses(text: String, host: String, port: UInt16) {
        let endpoint = EndpointText(text, defaultPort: 7000)
        #expect(endpoint?.host == host)
        #expect(endpoint?.port == port)
    }

    static let invalid = [
        "", ":7000", "host:", "host:0", "host:65536", "host:-1", "host:+1", "host:x", "[::1", "[]",
        "[::1]7000",
        "[::1]:", "[::1]:x",
    ]

    @Test("or refused", arguments: invalid)
    func refuses(text: String) {
        #expect(EndpointText(text, defaultPort: 7000) == nil)
    }

    @Test("a port that does not exist is told apart from a name")
    func excessivePort() {
        for (text, port) in [
            ("10.0.0.7:99999", "99999"), ("10.0.0.7:65536", "65536"), ("10.0.0.7:0", "0"),
            ("[fd00::1]:70000", "70000"),
        ] {
            #expect(EndpointText.excessivePort(of: text) == port)
        }
        for text in [
            "10.0.0.7:7000", "10.0.0.7", "10.0.0.7:x", "10.0.0.7:", "Kitchen:99999", "fd00::99999", "",
        ] {
            #expect(EndpointText.excessivePort(of: text) == nil)
        }
    }
}
