import Foundation
import Testing
import TuttiSystemIO

@testable import TuttiDiscovery

/// Real multicast with a separate responder for each side, so only where `TUTTI_MDNS_TESTS` says that there is
/// a network for it; a network namespace with one interface will do.
@Suite(
    "Announcements on a real network", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: ProcessInfo.processInfo.environment["TUTTI_MDNS_TESTS"] != nil))
struct AdvertisedOnNetworkTests {
    static let services = [
        AdvertisedService(
            kind: .airplay, port: 7000,
            txt: [
                TXTEntry(key: "deviceid", value: "02:00:00:bb:00:01"), TXTEntry(key: "flags", value: "0x4"),
            ]),
        AdvertisedService(
            kind: .raop, namePrefix: "020000BB0001@", port: 7000, txt: [TXTEntry(key: "tp", value: "UDP")]),
    ]

    let name = "Tutti Test \(UInt32.random(in: 1 ... .max))"

    func speaker(
        _ responder: MulticastResponder, host: String = "tutti-020000bb0001", addresses: [IPAddress] = []
    ) -> ServiceAdvertiser {
        ServiceAdvertiser(
            name: name, services: Self.services, hostLabel: host, addresses: addresses, responder: responder)
    }

    /// Reads until an event matches.
    func wait(
        _ events: inout AsyncStream<DiscoveryEvent>.Iterator, _ fits: (DiscoveryEvent) -> Bool
    ) async -> DiscoveredService? {
        while let event = await events.next() {
            if event.service.name.hasSuffix(name), fits(event) { return event.service }
        }
        return nil
    }

    @Test("both services appear, are updated, and vanish")
    func life() async throws {
        let responder = try MulticastResponder(usesDaemon: false)
        let speaker = speaker(responder)
        var told = speaker.events.makeAsyncIterator()
        #expect(await told.next() == .registered(name: name))
        var events = try await ServiceBrowser().events(settling: .milliseconds(300)).makeAsyncIterator()
        var seen: [ServiceKind: DiscoveredService] = [:]
        while seen.count < 2, let service = await wait(&events, { _ in true }) {
            seen[service.kind] = service
        }
        let airplay = try #require(seen[.airplay])
        #expect(airplay.txt == Self.services[0].txt)
        #expect(airplay.port == 7000)
        #expect(airplay.host == "tutti-020000bb0001.local")
        let own = NetworkInterfaces.addresses().filter { $0.isUp && !$0.isLoopback }.map(\.address.bytes)
        #expect(airplay.addresses.allSatisfy { own.contains($0.bytes) })
        #expect(seen[.raop]?.name == "020000BB0001@\(name)")
        let changed = [
            TXTEntry(key: "deviceid", value: "02:00:00:bb:00:01"), TXTEntry(key: "flags", value: "0x20804"),
        ]
        speaker.update(txt: [.airplay: changed])
        let updated = await wait(&events) { $0.service.txt == changed }
        #expect(updated?.kind == .airplay)
        speaker.close()
        responder.close()
        let gone = await wait(&events) { if case .vanished = $0 { true } else { false } }
        #expect(gone != nil)
        #expect(await told.next() == nil)
    }

    @Test("a taken name gets a number, beside another program and within this one")
    func collision() async throws {
        let first = try MulticastResponder(usesDaemon: false)
        let second = try MulticastResponder(usesDaemon: false)
        let one = speaker(first)
        var told = one.events.makeAsyncIterator()
        #expect(await told.next() == .registered(name: name))
        let other = speaker(second, host: "tutti-020000bb0002")
        var others = other.events.makeAsyncIterator()
        #expect(await others.next() == .renamed(to: name + " #2"))
        #expect(await others.next() == .registered(name: name + " #2"))
        let third = speaker(first, host: "tutti-020000bb0003")
        var thirds = third.events.makeAsyncIterator()
        var last: AdvertiserEvent?
        while let event = await thirds.next() {
            last = event
            if case .registered = event { break }
        }
        #expect(last == .registered(name: name + " #3"))
        _ = (one, other, third)
    }

    @Test("a speaker with one address is announced with no other")
    func address() async throws {
        let own = try #require(
            NetworkInterfaces.addresses().first { $0.isUp && !$0.isLoopback && $0.address.family == .v4 })
        let responder = try MulticastResponder(usesDaemon: false)
        // A unique name: announcements of another one may still be cached.
        let speaker = speaker(responder, host: "tutti-020000bb0004", addresses: [own.address])
        var events = try await ServiceBrowser().events(settling: .milliseconds(300)).makeAsyncIterator()
        let service = await wait(&events) { _ in true }
        #expect(service?.addresses == [own.address])
        _ = speaker
    }

    @Test("a closed responder reports so")
    func closed() async throws {
        let responder = try MulticastResponder(usesDaemon: false)
        responder.close()
        responder.close()
        var told = speaker(responder).events.makeAsyncIterator()
        #expect(await told.next() == .failed(reason: "mDNS is closed"))
        #expect(await told.next() == nil)
    }
}
