import Testing
import TuttiSystemIO

@testable import TuttiDiscovery

@Suite("Sightings merged into services")
struct ServiceTableTests {
    typealias Path = ServiceTable.Path
    typealias Sighting = ServiceTable.Sighting

    static let id = ServiceID(kind: .airplay, name: "Kitchen")
    static let v4 = Path(interface: 2, transport: .v4, family: .v4)
    static let v6 = Path(interface: 2, transport: .v4, family: .v6)
    static let v6Over6 = Path(interface: 2, transport: .v6, family: .v6)
    static let wireless = Path(interface: 3, transport: .v4, family: .v4)

    static let linkLocal =
        IPAddress(bytes: [0xFE, 0x80] + [UInt8](repeating: 1, count: 14), scopeID: 2) ?? .anyV6
    static let global = IPAddress(bytes: [0x20] + [UInt8](repeating: 1, count: 15)) ?? .anyV6

    static func sighting(
        _ address: IPAddress, port: UInt16 = 7000, flags: String = "0x4"
    ) -> Sighting {
        Sighting(
            host: "kitchen.local", address: address, port: port, txt: [TXTEntry(key: "flags", value: flags)])
    }

    @Test("the first sighting is an appearance, more addresses are updates, IPv4 comes first")
    func addresses() throws {
        var table = ServiceTable()
        let first = table.found(Self.id, on: Self.v6Over6, Self.sighting(Self.linkLocal))
        guard case .appeared(let service) = first else { throw SampleError.notAService }
        #expect(service.addresses == [Self.linkLocal])
        _ = table.found(Self.id, on: Self.v6, Self.sighting(Self.global))
        let third = table.found(Self.id, on: Self.v4, Self.sighting(Sample.address(11)))
        guard case .updated(let service) = third else { throw SampleError.notAService }
        #expect(service.addresses == [Sample.address(11), Self.global, Self.linkLocal])
        #expect(service.host == "kitchen.local")
    }

    @Test("a repeated sighting, on any path, is no event")
    func repetition() {
        var table = ServiceTable()
        #expect(table.found(Self.id, on: Self.v4, Self.sighting(Sample.address(11))) != nil)
        #expect(table.found(Self.id, on: Self.v4, Self.sighting(Sample.address(11))) == nil)
        #expect(table.found(Self.id, on: Self.wireless, Self.sighting(Sample.address(11))) == nil)
    }

    @Test("the newest TXT record counts, whichever path shows it")
    func newestWins() {
        var table = ServiceTable()
        _ = table.found(Self.id, on: Self.v4, Self.sighting(Sample.address(11)))
        _ = table.found(Self.id, on: Self.v6, Self.sighting(Self.global))
        let change = table.found(Self.id, on: Self.v4, Self.sighting(Sample.address(11), flags: "0x804"))
        #expect(change?.service.txt == [TXTEntry(key: "flags", value: "0x804")])
        #expect(table.found(Self.id, on: Self.v6, Self.sighting(Self.global, flags: "0x804")) == nil)
    }

    @Test("port 0 is never reported and does not affect what is known")
    func portZero() {
        var table = ServiceTable()
        #expect(table.found(Self.id, on: Self.v4, Self.sighting(Sample.address(11), port: 0)) == nil)
        #expect(table.found(Self.id, on: Self.v4, Self.sighting(Sample.address(11)))?.service.port == 7000)
        #expect(table.found(Self.id, on: Self.v4, Self.sighting(Sample.address(11), port: 0)) == nil)
        let moved = table.found(Self.id, on: Self.v4, Self.sighting(Sample.address(11), port: 7001))
        #expect(moved?.service.port == 7001)
    }

    @Test("a service is gone when its last path is")
    func vanishing() throws {
        var table = ServiceTable()
        _ = table.found(Self.id, on: Self.v4, Self.sighting(Sample.address(11)))
        _ = table.found(Self.id, on: Self.v6Over6, Self.sighting(Self.linkLocal))
        let half = table.removed(Self.id, interface: 2, transport: .v4)
        #expect(half?.service.addresses == [Self.linkLocal])
        let end = table.removed(Self.id, interface: 2, transport: .v6)
        guard case .vanished(let service) = end else { throw SampleError.notAService }
        #expect(service.addresses == [Self.linkLocal])
        #expect(table.removed(Self.id, interface: 2, transport: .v6) == nil)
    }

    @Test("a path that fails removes only its own address")
    func failedPath() {
        var table = ServiceTable()
        _ = table.found(Self.id, on: Self.v4, Self.sighting(Sample.address(11)))
        _ = table.found(Self.id, on: Self.v6, Self.sighting(Self.global))
        #expect(table.lost(Self.id, on: Self.v6)?.service.addresses == [Sample.address(11)])
        #expect(table.lost(Self.id, on: Self.v6) == nil)
        #expect(table.lost(ServiceID(kind: .raop, name: "other"), on: Self.v6) == nil)
    }

    @Test("a reset reports every service gone once")
    func forgetting() {
        var table = ServiceTable()
        let first = table.found(Self.id, on: Self.v4, Self.sighting(Sample.address(11)))
        #expect(table.removeAll() == [.vanished(first?.service)].compactMap { $0 })
        #expect(table.removeAll().isEmpty)
    }

    @Test("a flood of services ends at the limit, and known services still change")
    func flood() {
        var table = ServiceTable()
        var appeared = 0
        for number in 0..<ServiceTable.serviceLimit + 100 {
            let id = ServiceID(kind: .airplay, name: "Speaker \(number)")
            if table.found(id, on: Self.v4, Self.sighting(Sample.address(11))) != nil { appeared += 1 }
        }
        #expect(appeared == ServiceTable.serviceLimit)
        let known = ServiceID(kind: .airplay, name: "Speaker 0")
        #expect(table.found(known, on: Self.v4, Self.sighting(Sample.address(12))) != nil)
        #expect(table.removeAll().count == ServiceTable.serviceLimit)
    }

    @Test("a service keeps a limited number of addresses, the best ones")
    func manyAddresses() {
        var table = ServiceTable()
        _ = table.found(Self.id, on: Self.v4, Self.sighting(Sample.address(11)))
        var last: DiscoveredService?
        for number in 0..<100 {
            let address = IPAddress(bytes: [UInt8](repeating: UInt8(number + 32), count: 16)) ?? .anyV6
            let path = Path(interface: Int32(10 + number), transport: .v6, family: .v6)
            last = table.found(Self.id, on: path, Self.sighting(address))?.service ?? last
        }
        #expect(last?.addresses.count == ServiceTable.addressLimit)
        #expect(last?.addresses.first == Sample.address(11))
    }

    @Test("a requested speaker is found in any flood")
    func preferred() {
        var table = ServiceTable(preferring: PreferredNames(["Kitchen", "02:00:00:aa:00:01"]))
        for number in 0..<ServiceTable.serviceLimit + 100 {
            _ = table.found(
                ServiceID(kind: .airplay, name: "Speaker \(number)"), on: Self.v4,
                Self.sighting(Sample.address(11)))
        }
        let wanted = [
            ServiceID(kind: .airplay, name: "kitchen"), ServiceID(kind: .raop, name: "020000BB0001@Kitchen"),
            ServiceID(kind: .raop, name: "020000AA0001@Bath"),
        ]
        for id in wanted { #expect(table.found(id, on: Self.v4, Self.sighting(Sample.address(12))) != nil) }
        let other = ServiceID(kind: .airplay, name: "Kitchen 2")
        #expect(table.found(other, on: Self.v4, Self.sighting(Sample.address(13))) == nil)
    }

    static let recordAddresses: [(String, isOwn: Bool, Bool)] = [
        ("192.0.2.1", false, true), ("169.254.1.1", false, true), ("fe80::1", false, true),
        ("127.0.0.1", false, false), ("127.9.9.9", false, false), ("::1", false, false),
        ("::ffff:127.0.0.1", false, false), ("127.0.0.1", true, true), ("::1", true, true),
        ("224.0.0.251", true, false), ("255.255.255.255", true, false), ("ff02::fb", true, false),
        ("0.0.0.0", true, false), ("::", true, false),
    ]

    @Test(
        "records of others cannot name loopback or multicast addresses",
        arguments: recordAddresses)
    func recordAddress(text: String, isOwn: Bool, isUsable: Bool) throws {
        #expect(try #require(IPAddress(text)).isUsableInRecord(isOwn: isOwn) == isUsable)
    }
}

extension DiscoveryEvent {
    fileprivate static func vanished(_ service: DiscoveredService?) -> DiscoveryEvent? {
        service.map { .vanished($0) }
    }
}
