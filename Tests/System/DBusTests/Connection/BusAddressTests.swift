import Testing

@testable import TuttiDBus

@Suite struct BusAddressTests {
    private func resolve(_ address: BusAddress, _ variables: [String: String]) -> String? {
        address.resolved { variables[$0] }
    }

    @Test("the session's bus is that of the environment")
    func session() {
        let variables = ["DBUS_SESSION_BUS_ADDRESS": "unix:abstract=/x", "XDG_RUNTIME_DIR": "/run/user/1"]
        #expect(resolve(.session, variables) == "unix:abstract=/x")
    }

    @Test("without an address, the session's bus is in the user's runtime folder")
    func runtimeFolder() {
        #expect(resolve(.session, ["XDG_RUNTIME_DIR": "/run/user/1"]) == "unix:path=/run/user/1/bus")
        #expect(resolve(.session, ["XDG_RUNTIME_DIR": "/a b;c"]) == "unix:path=/a%20b%3Bc/bus")
        #expect(resolve(.session, ["XDG_RUNTIME_DIR": "relative"]) == nil)
        #expect(resolve(.session, [:]) == nil)
    }

    @Test("an address that would start a program or leave the machine is not used")
    func unsafe() {
        let address = "unixexec:path=/bin/sh;tcp:host=192.0.2.1,port=1;autolaunch:"
        #expect(resolve(.session, ["DBUS_SESSION_BUS_ADDRESS": address]) == nil)
        #expect(resolve(.address(address + ";unix:path=/a"), [:]) == "unix:path=/a")
    }

    @Test("the system's bus has its usual place unless the environment names another")
    func system() {
        #expect(resolve(.system, [:]) == "unix:path=/run/dbus/system_bus_socket")
        #expect(resolve(.system, ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/a"]) == "unix:path=/a")
    }

    @Test("a bus whose socket is missing cannot exist")
    func existence() {
        #expect(!BusAddress.address("unix:path=/nonexistent/bus").mayExist)
        #expect(BusAddress.address("unix:abstract=/x").mayExist)
        #expect(BusAddress.address("unix:path=/dev/nul%6c").mayExist)
        // A sign is no digit: this is no spelling of “/dev/null”.
        #expect(!BusAddress.address("unix:path=/dev%+/null").mayExist)
        #expect(!BusAddress.address("tcp:host=a").mayExist)
    }
}

@Suite struct RetryPolicyTests {
    @Test("pauses double up to half a minute, and begin again after a success")
    func pauses() {
        var policy = RetryPolicy()
        #expect((0..<7).map { _ in policy.pause() } == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
        policy.reset()
        #expect(policy.pause() == .seconds(1))
    }
}
