import Testing

@testable import Discovery

@Suite("Address of a service")
struct ServiceAddressTests {
    static let cases: [(ServiceAddress, String, String, Bool)] = [
        (ServiceAddress(family: .ipv4, digits: "10.0.0.7"), "10.0.0.7", "10.0.0.7:7000", false),
        (ServiceAddress(family: .ipv4, digits: "169.254.3.4"), "169.254.3.4", "169.254.3.4:7000", true),
        (ServiceAddress(family: .ipv6, digits: "2001:db8::1"), "2001:db8::1", "[2001:db8::1]:7000", false),
        (
            ServiceAddress(family: .ipv6, digits: "fe80::1", scope: "eth0"), "fe80::1%eth0",
            "[fe80::1%eth0]:7000", true
        ),
        (ServiceAddress(family: .ipv6, digits: "febf::1"), "febf::1", "[febf::1]:7000", true),
        (ServiceAddress(family: .ipv6, digits: "fec0::1"), "fec0::1", "[fec0::1]:7000", false),
        (ServiceAddress(family: .ipv6, digits: "fe8::1"), "fe8::1", "[fe8::1]:7000", false),
        (ServiceAddress(family: .ipv6, digits: ""), "", "[]:7000", false),
    ]

    @Test("as text, as endpoint, link-local or not", arguments: cases)
    func forms(address: ServiceAddress, text: String, endpoint: String, isLinkLocal: Bool) {
        #expect(address.text == text)
        #expect(address.endpoint(port: 7000) == endpoint)
        #expect(address.isLinkLocal == isLinkLocal)
    }

    @Test("port 0 or no address is no service")
    func unresolved() {
        let id = ServiceID(kind: .airplay, name: "Kitchen")
        let some = [Sample.address(1)]
        #expect(DiscoveredService(id: id, host: "h", addresses: some, port: 0, txt: []) == nil)
        #expect(DiscoveredService(id: id, host: "h", addresses: [], port: 7000, txt: []) == nil)
        #expect(DiscoveredService(id: id, host: "h", addresses: some, port: 7000, txt: []) != nil)
    }
}
