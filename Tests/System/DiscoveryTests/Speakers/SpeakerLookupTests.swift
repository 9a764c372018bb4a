import Testing
import TuttiSystemIO

@testable import TuttiDiscovery

@Suite("Speakers by name")
struct SpeakerLookupTests {
    static let names = ["Kitchen", "Kids Room", "kids room", "Living Room", "Küche", "Bath", "Bathroom"]

    static func directory() throws -> SpeakerDirectory {
        var directory = SpeakerDirectory()
        for (index, name) in names.enumerated() {
            _ = directory.apply(
                .appeared(try Sample.airplay(name, device: "02:00:00:aa:00:0\(index)", address: index + 1)))
        }
        return directory
    }

    static let found: [(String, String)] = [
        ("Kitchen", "Kitchen"),
        ("KITCHEN", "Kitchen"),
        ("kit", "Kitchen"),
        ("Kids Room", "Kids Room"),
        ("kids room", "kids room"),
        ("KÜCHE", "Küche"),
        ("l", "Living Room"),
        ("Bath", "Bath"),
        ("bath", "Bath"),
        ("bathr", "Bathroom"),
        ("02:00:00:AA:00:03", "Living Room"),
        ("020000aa0003", "Living Room"),
    ]

    @Test("a name finds one speaker", arguments: found)
    func leads(name: String, expected: String) throws {
        #expect(try Self.directory().speaker(named: name).name == expected)
    }

    static let ambiguous: [(String, [String])] = [
        ("KIDS ROOM", ["Kids Room", "kids room"]),
        ("K", ["Kids Room", "kids room", "Kitchen", "Küche"]),
        ("ba", ["Bath", "Bathroom"]),
    ]

    @Test("an ambiguous name lists the candidates", arguments: ambiguous)
    func ambiguity(name: String, candidates: [String]) throws {
        let directory = try Self.directory()
        let error = #expect(throws: SpeakerLookupError.self) { try directory.speaker(named: name) }
        guard case .ambiguous(let asked, let offered) = error else { throw SampleError.notAService }
        #expect(asked == name)
        #expect(offered.map(\.name) == candidates)
    }

    @Test(
        "an unknown name lists the known speakers",
        arguments: ["", "x", "itchen", "Kitchen ", "02:00:00:AA:00:0F"])
    func nothing(name: String) throws {
        let directory = try Self.directory()
        #expect(throws: SpeakerLookupError.notFound(name: name, known: directory.speakers.map(\.name))) {
            try directory.speaker(named: name)
        }
    }

    @Test("two speakers of the same name are distinguished by their ids")
    func sameName() throws {
        var directory = SpeakerDirectory()
        _ = directory.apply(.appeared(try Sample.raop("Kitchen", device: "020000AA0001")))
        _ = directory.apply(.appeared(try Sample.raop("Kitchen", device: "020000AA0002")))
        let error = #expect(throws: SpeakerLookupError.self) { try directory.speaker(named: "Kitchen") }
        #expect(
            error?.description
                == "'Kitchen' is ambiguous: 'Kitchen' (02:00:00:AA:00:01) or 'Kitchen' (02:00:00:AA:00:02)")
        #expect(try directory.speaker(named: "02:00:00:AA:00:02").id == .device("020000AA0002"))
    }

    @Test("errors give advice in full sentences")
    func descriptions() {
        #expect(
            SpeakerLookupError.notFound(name: "x", known: []).description
                == "no speaker is called 'x': no speakers found")
        #expect(
            SpeakerLookupError.notFound(name: "x", known: ["A", "B"]).description
                == "no speaker is called 'x'; found: A, B")
    }

    @Test("an address finds the speaker whose service has it, with its port")
    func byAddress() throws {
        var directory = try Self.directory()
        _ = directory.apply(
            .appeared(try Sample.raop("Attic", device: "020000AA0009", address: 30, port: 5000)))
        let old = try #require(directory.speaker(at: SocketAddress(Sample.address(30), port: 5000)))
        #expect(old.name == "Attic")
        #expect(!old.traits.speaksAirPlay2)
        #expect(directory.speaker(at: SocketAddress(Sample.address(1), port: 7000))?.name == "Kitchen")
        #expect(directory.speaker(at: SocketAddress(Sample.address(1), port: 5000)) == nil)
        #expect(directory.speaker(at: SocketAddress(Sample.address(99), port: 7000)) == nil)
    }
}
