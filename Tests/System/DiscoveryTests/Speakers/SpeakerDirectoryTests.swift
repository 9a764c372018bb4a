import Testing
import TuttiTestSupport

@testable import TuttiDiscovery

@Suite("Services merged into speakers")
struct SpeakerDirectoryTests {
    @Test("four recorded services are two speakers, whatever the order")
    func recorded() throws {
        let services = try Sample.recorded()
        var random = SeededGenerator(seed: 1)
        for _ in 0..<10 {
            var directory = SpeakerDirectory()
            for service in services.shuffled(using: &random) { _ = directory.apply(.appeared(service)) }
            let speakers = directory.speakers
            #expect(speakers.map(\.name) == ["Golden 1", "Golden 2"])
            #expect(speakers.map(\.id) == [.device("020000AA0001"), .device("020000AA0002")])
            #expect(speakers.allSatisfy { $0.airplay != nil && $0.raop != nil && $0.port == 7000 })
            #expect(speakers[0].model == "ShairportSync")
            #expect(speakers[0].addresses.map(\.description) == ["10.77.0.11", "fe80::ff:feaa:1"])
            #expect(speakers[0].host == "vm.local.")
        }
    }

    @Test("a speaker may have one record only, of either kind")
    func oneRecord() throws {
        var directory = SpeakerDirectory()
        let old = try Sample.raop("Old", device: "020000AA0009", port: 5000)
        let new = try Sample.airplay("New", device: "02:00:00:AA:00:08")
        _ = directory.apply(.appeared(old))
        _ = directory.apply(.appeared(new))
        let speakers = directory.speakers
        #expect(speakers.map(\.name) == ["New", "Old"])
        #expect(speakers.map(\.port) == [7000, 5000])
        #expect(speakers.map(\.model) == ["Model,1", "Model,0"])
        #expect(speakers[0].raop == nil && speakers[1].airplay == nil)
    }

    @Test("the second record is an update, and so is its loss")
    func lossOfOne() throws {
        var directory = SpeakerDirectory()
        let airplay = try Sample.airplay("Kitchen")
        let raop = try Sample.raop("Kitchen")
        let events = [
            directory.apply(.appeared(raop)), directory.apply(.appeared(airplay)),
            directory.apply(.vanished(airplay)), directory.apply(.vanished(raop)),
        ]
        #expect(events.map { $0.map(Self.word) } == [["appeared"], ["updated"], ["updated"], ["vanished"]])
        #expect(events[1].first?.speaker.airplay == airplay)
        #expect(events[2].first?.speaker.airplay == nil)
        #expect(events[3].first?.speaker.raop == raop)
        #expect(directory.speakers.isEmpty)
        #expect(directory.apply(.vanished(raop)).isEmpty)
    }

    @Test("an update without a change is no event; a new address is one")
    func updates() throws {
        var directory = SpeakerDirectory()
        _ = directory.apply(.appeared(try Sample.airplay("Kitchen")))
        #expect(directory.apply(.updated(try Sample.airplay("Kitchen"))).isEmpty)
        let moved = directory.apply(.updated(try Sample.airplay("Kitchen", address: 12)))
        #expect(moved.first?.speaker.addresses == [Sample.address(12)])
    }

    @Test("two speakers of one name stay two")
    func sameName() throws {
        var directory = SpeakerDirectory()
        _ = directory.apply(.appeared(try Sample.raop("Kitchen", device: "020000AA0001")))
        _ = directory.apply(.appeared(try Sample.raop("Kitchen", device: "020000AA0002", address: 12)))
        #expect(directory.speakers.map(\.addresses) == [[Sample.address(11)], [Sample.address(12)]])
    }

    @Test("a renamed speaker is one speaker, under its new name at once")
    func renamed() throws {
        var directory = SpeakerDirectory()
        _ = directory.apply(.appeared(try Sample.airplay("Kitchen")))
        let events = directory.apply(.appeared(try Sample.airplay("Study")))
        #expect(events.map(Self.word) == ["updated"])
        #expect(directory.speakers.map(\.name) == ["Study"])
        #expect(directory.apply(.vanished(try Sample.airplay("Kitchen"))).isEmpty)
        #expect(directory.speakers.map(\.name) == ["Study"])
    }

    @Test("a service that moves to another device leaves the first one")
    func moved() throws {
        var directory = SpeakerDirectory()
        _ = directory.apply(.appeared(try Sample.airplay("Kitchen", device: "02:00:00:aa:00:01")))
        let events = directory.apply(.updated(try Sample.airplay("Kitchen", device: "02:00:00:aa:00:02")))
        #expect(events.map(Self.word) == ["vanished", "appeared"])
        #expect(directory.speakers.map(\.id) == [.device("020000AA0002")])
    }

    static let identities: [(String?, SpeakerID)] = [
        ("02:00:00:aa:00:01", .device("020000AA0001")),
        ("02-00-00-AA-00-01", .device("020000AA0001")),
        ("020000aa0001", .device("020000AA0001")),
        (nil, .name("Kitchen")),
        ("", .name("Kitchen")),
        ("02:00:00:aa:00", .name("Kitchen")),
        ("02:00:00:aa:00:0g", .name("Kitchen")),
        ("02:00:00:aa:00:0é", .name("Kitchen")),
    ]

    @Test("the device id is accepted in any spelling, or the name without one", arguments: identities)
    func identity(device: String?, expected: SpeakerID) throws {
        #expect(SpeakerID(of: try Sample.airplay("Kitchen", device: device)) == expected)
    }

    static let raopNames: [(String, SpeakerID, String)] = [
        ("020000AA0001@Kitchen", .device("020000AA0001"), "Kitchen"),
        ("020000aa0001@me@home", .device("020000AA0001"), "me@home"),
        ("020000AA0001@", .device("020000AA0001"), ""),
        ("Kitchen", .name("Kitchen"), "Kitchen"),
        ("me@home", .name("me@home"), "me@home"),
        ("@", .name("@"), "@"),
        ("", .name(""), ""),
    ]

    @Test("a RAOP name has two parts", arguments: raopNames)
    func raopName(name: String, id: SpeakerID, shown: String) throws {
        let service = try #require(
            DiscoveredService(
                id: ServiceID(kind: .raop, name: name), host: "h", addresses: [Sample.address(1)], port: 5000,
                txt: []))
        #expect(SpeakerID(of: service) == id)
        #expect(SpeakerID.displayName(of: service) == shown)
    }

    @Test("an id is written with colons")
    func description() {
        #expect(SpeakerID.device("020000AA0001").description == "02:00:00:AA:00:01")
        #expect(SpeakerID.name("Kitchen").description == "Kitchen")
    }

    private static func word(_ event: SpeakerDirectoryEvent) -> String {
        switch event {
        case .appeared: "appeared"
        case .updated: "updated"
        case .vanished: "vanished"
        }
    }
}
