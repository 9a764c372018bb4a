import Testing
import TuttiSystemIO

@Suite("Interfaces and names of this machine")
struct NetworkInterfacesTests {
    @Test("the loopback interface is present, up, and without a hardware address")
    func loopback() throws {
        let loopback = try #require(NetworkInterfaces.addresses().first { $0.address == .loopbackV4 })
        #expect(loopback.isLoopback && loopback.isUp && loopback.index > 0 && !loopback.name.isEmpty)
        #expect(loopback.hardwareAddress == nil)
    }

    @Test("the machine's identifiers are stable")
    func stable() {
        #expect(NetworkInterfaces.firstHardwareAddress() == NetworkInterfaces.firstHardwareAddress())
        #expect(NetworkInterfaces.firstHardwareAddress()?.count ?? 6 == 6)
        #expect(MachineIdentity.text() == MachineIdentity.text())
        #expect(SystemMachine().hardwareAddress() == NetworkInterfaces.firstHardwareAddress())
        #expect(SystemMachine().identityText() == MachineIdentity.text())
    }

    @Test("an address resolves to itself")
    func literal() async throws {
        let addresses = try await HostName.resolve("192.0.2.7", port: 7000)
        #expect(addresses == [SocketAddress(IPAddress(192, 0, 2, 7), port: 7000)])
    }

    @Test("localhost resolves, IPv4 first")
    func localhost() async throws {
        let addresses = try await HostName.resolve("localhost", port: 1)
        #expect(addresses.first?.address.isLoopback == true)
        let families = addresses.map(\.address.family)
        #expect(families == families.filter { $0 == .v4 } + families.filter { $0 == .v6 })
        #expect(addresses.allSatisfy { $0.port == 1 })
    }

    @Test("an invalid name is an error that names it")
    func impossible() async {
        let error = await #expect(throws: ResolveError.self) {
            try await HostName.resolve("no such name.invalid", port: 1)
        }
        #expect(error?.name == "no such name.invalid")
    }
}
