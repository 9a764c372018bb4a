import Glibc
import Testing

@testable import TuttiSystemIO

@Suite("Addresses with unusual spellings")
struct OddAddressesTests {
    @Test(
        "a text that goes on behind an address is none",
        arguments: [
            "192.0.2.1\u{0}", "192.0.2.1\u{0}x", "::1\u{0}", "fe80::1%1\u{0}", " 192.0.2.1", "192.0.2.1\n",
            "01.2.3.4", "1.2.3.4.5", "0x1.2.3.4", "\u{FF11}.2.3.4", "[::1]", "::1/64", "1:2:3:4:5:6:7:8:9",
            "fe80::1%", "fe80::1%4294967296", "::%%1", String(repeating: "0", count: 70) + "::1",
        ])
    func rejects(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(
        "one address has one text, whatever the spelling",
        arguments: [
            ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"), ("0:0:0:0:0:0:0:0", "::"),
            ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("::ffff:192.0.2.7", "::ffff:192.0.2.7"),
            ("fe80::1%0", "fe80::1"), ("fe80::1%4294967295", "fe80::1%4294967295"),
        ])
    func spelling(text: String, expected: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.description == expected)
        #expect(IPAddress(address.description) == address)
        #expect(IPAddress(bytes: address.bytes, scopeID: address.scopeID) == address)
    }

    @Test("an address in the kernel's form is the same address; a short form and another family are none")
    func kernelForm() throws {
        let texts = ["0.0.0.0", "255.255.255.255", "::", "2001:db8::1", "fe80::1%7", "::ffff:192.0.2.7"]
        for text in texts {
            for port: UInt16 in [0, 1, 0x1234, .max] {
                let address = SocketAddress(try #require(IPAddress(text)), port: port)
                address.withSockaddr { pointer, length in
                    let form = UnsafeRawPointer(pointer)
                    #expect(SocketAddress(form, length: Int(length)) == address)
                    for short in [0, 1, 2, Int(length) - 1] {
                        #expect(SocketAddress(form, length: short) == nil)
                    }
                }
            }
        }
        var local = sockaddr_un()
        local.sun_family = sa_family_t(AF_UNIX)
        let other = SocketAddress(&local, length: MemoryLayout<sockaddr_un>.size)
        #expect(other == nil)
    }

    @Test("the block of an address keeps no zone unless the address is of one link")
    func blocks() throws {
        let global = try #require(IPAddress(bytes: [0x20] + [UInt8](repeating: 1, count: 15), scopeID: 3))
        #expect(
            global.block.scopeID == 0 && global.block.bytes.suffix(8) == ArraySlice(repeating: 0, count: 8))
        let local = try #require(IPAddress("fe80::1%3"))
        #expect(local.block == local)
        let mapped = try #require(IPAddress("::ffff:127.0.0.1"))
        #expect(mapped.block == .loopbackV4 && mapped.block.isLoopback && !mapped.isLoopback)
    }

    @Test(
        "a port has digits of ASCII alone",
        arguments: [
            "host:\u{FF17}\u{FF10}", "host: 80", "host:80 ", "[::1]:80 ", "[::1] :80", "host:0x50",
            "host:8_0",
            "[]:80", "[", ":",
        ])
    func ports(text: String) {
        #expect(EndpointText(text, defaultPort: 7000) == nil)
    }

    @Test("a host is taken as it was typed")
    func hosts() {
        for (text, host, port) in [
            ("Küche.local:80", "Küche.local", 80), ("a b", "a b", 7000), ("host:00080", "host", 80),
            ("::1:7000", "::1:7000", 7000), ("[a]", "a", 7000),
        ] as [(String, String, UInt16)] {
            let endpoint = EndpointText(text, defaultPort: 7000)
            #expect(endpoint?.host == host && endpoint?.port == port, "\(text)")
        }
    }
}
