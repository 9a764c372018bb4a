import Testing
import TuttiSystemIO

@testable import TuttiDiscovery

@Suite("A resolved service")
struct DiscoveredServiceTests {
    @Test("a service needs a port and an address")
    func unresolved() {
        let id = ServiceID(kind: .airplay, name: "Kitchen")
        let some = [Sample.address(1)]
        #expect(DiscoveredService(id: id, host: "h", addresses: some, port: 0, txt: []) == nil)
        #expect(DiscoveredService(id: id, host: "h", addresses: [], port: 7000, txt: []) == nil)
        #expect(DiscoveredService(id: id, host: "h", addresses: some, port: 7000, txt: []) != nil)
    }

    static let preferences: [(String, Int)] = [
        ("10.0.0.7", 0), ("169.254.3.4", 0), ("2001:db8::1", 1), ("fd00::1", 1), ("fe80::1", 2),
        ("febf::1", 2),
        ("fec0::1", 1), ("fe8::1", 1),
    ]

    @Test("IPv4 precedes IPv6, routable precedes link-local", arguments: preferences)
    func preference(text: String, expected: Int) throws {
        #expect(try #require(IPAddress(text)).preference == expected)
    }
}
