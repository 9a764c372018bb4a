import Testing
import TuttiSystemIO

@Suite("IP addresses")
struct IPAddressTests {
    static let valid: [(text: String, bytes: [UInt8])] = [
        ("0.0.0.0", [0, 0, 0, 0]),
        ("192.0.2.17", [192, 0, 2, 17]),
        ("255.255.255.255", [255, 255, 255, 255]),
        ("::", [UInt8](repeating: 0, count: 16)),
        ("::1", [UInt8](repeating: 0, count: 15) + [1]),
        ("2001:db8::ff00:42", [0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0, 0, 0x42]),
        ("fe80::1", [0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
    ]

    @Test("text and bytes round-trip", arguments: valid)
    func roundTrip(text: String, bytes: [UInt8]) throws {
        let address = try #require(IPAddress(text))
        #expect(address.bytes == bytes)
        #expect(address.description == text)
        #expect(IPAddress(bytes: bytes) == address)
    }

    @Test(
        "invalid addresses are refused",
        arguments: [
            "", "1.2.3", "256.1.1.1", "1.2.3.4%lo", ":::", "fe80::1%no-such-interface", "host", "1.2.3.4 ",
        ])
    func rejects(text: String) { #expect(IPAddress(text) == nil) }

    @Test("byte counts other than 4 and 16 are refused", arguments: [0, 1, 3, 5, 15, 17])
    func rejectsCount(count: Int) { #expect(IPAddress(bytes: [UInt8](repeating: 1, count: count)) == nil) }

    @Test("a zone is a name or number; the text for peers omits it")
    func zone() throws {
        let byNumber = try #require(IPAddress("fe80::2%1"))
        #expect(byNumber.scopeID == 1)
        #expect(byNumber == IPAddress("fe80::2%lo"))
        #expect(byNumber.description == "fe80::2%lo")
        #expect(byNumber.textWithoutZone == "fe80::2")
        #expect(byNumber != IPAddress("fe80::2"))
    }

    @Test("addresses are classified")
    func kinds() {
        #expect(IPAddress(127, 9, 9, 9).isLoopback && IPAddress.loopbackV6.isLoopback)
        #expect(!IPAddress(128, 0, 0, 1).isLoopback)
        #expect(IPAddress(169, 254, 0, 1).isLinkLocal && !IPAddress(169, 253, 0, 1).isLinkLocal)
        #expect(IPAddress("febf::1")?.isLinkLocal == true && IPAddress("fec0::1")?.isLinkLocal == false)
        #expect(IPAddress.anyV4.isUnspecified && IPAddress.anyV6.isUnspecified)
    }

    @Test("an address is written with its port")
    func socketAddress() {
        #expect(SocketAddress(IPAddress(192, 0, 2, 1), port: 7000).description == "192.0.2.1:7000")
        #expect(SocketAddress(.loopbackV6, port: 319).description == "[::1]:319")
    }

    static let blocks = [
        ("192.0.2.7", "192.0.2.7"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"), ("fe80::1", "fe80::1"),
        ("::1", "::1"), ("::ffff:192.0.2.7", "192.0.2.7"),
    ]

    @Test("the addresses of one host are recognized", arguments: blocks)
    func block(text: String, block: String) throws {
        #expect(try #require(IPAddress(text)).block == IPAddress(block))
    }
}
