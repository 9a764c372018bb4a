import Testing

@testable import TuttiDiscovery

@Suite("The interface of an address")
struct NetworkInterfaceTests {
    @Test("loopback is found, in any spelling of its address")
    func loopback() throws {
        let interface = try NetworkInterface.having(address: "127.0.0.1")
        #expect(interface.index > 0)
        #expect(!interface.name.isEmpty)
    }

    @Test(
        "an address of another machine is refused",
        arguments: ["", "kitchen", "192.0.2.1", "1.2.3", "::2%lo"])
    func unknown(address: String) {
        #expect(throws: DiscoveryError.noInterface(address: address)) {
            try NetworkInterface.having(address: address)
        }
    }
}
