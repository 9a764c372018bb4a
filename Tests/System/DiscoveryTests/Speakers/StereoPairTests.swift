import Testing
import TuttiSystemIO

@testable import TuttiDiscovery

@Suite("Stereo pairs")
struct StereoPairTests {
    private static func half(
        _ name: String, _ number: Int, tsid: String = "T", gid: String = "G", gpn: String = "Bedroom"
    ) throws -> DiscoveredService {
        try Sample.airplay(
            name, device: "02:00:00:aa:00:0\(number)", address: number,
            more: [
                TXTEntry(key: "tsid", value: tsid), TXTEntry(key: "gid", value: gid),
                TXTEntry(key: "gpn", value: gpn),
            ])
    }

    @Test("two halves are one entry with the pair's name, until one is gone")
    func joins() throws {
        var directory = SpeakerDirectory()
        let (left, right) = (try Self.half("Bedroom", 1), try Self.half("Bedroom (2)", 2))
        #expect(Sample.words(directory.apply(.appeared(left))) == ["+ Bedroom"])
        #expect(Sample.words(directory.apply(.appeared(right))) == ["- Bedroom", "+ Bedroom"])
        let pair = try #require(directory.speakers.first)
        #expect(directory.speakers.count == 1 && pair.id == .pair("T") && pair.name == "Bedroom")
        #expect(pair.players.map(\.name) == ["Bedroom", "Bedroom (2)"])
        #expect(directory.speaker(pair.id) == pair)
        #expect(Sample.words(directory.apply(.updated(right))).isEmpty)
        #expect(Sample.words(directory.apply(.vanished(left))) == ["- Bedroom", "+ Bedroom (2)"])
        #expect(directory.speakers.map(\.id) == [.device("020000AA0002")])
    }

    @Test("the pair is found by its name, a half's name or id; an address finds the half")
    func lookup() throws {
        var directory = SpeakerDirectory()
        for service in [
            try Self.half("L", 1), try Self.half("R", 2), try Sample.airplay("Bath", device: nil),
        ] {
            _ = directory.apply(.appeared(service))
        }
        for name in ["Bedroom", "bedroom", "l", "R", "02:00:00:aa:00:02", "bed"] {
            #expect(try directory.speaker(named: name).id == .pair("T"), "\(name)")
        }
        #expect(directory.speaker(at: SocketAddress(Sample.address(2), port: 7000))?.name == "R")
    }

    @Test("a half alone is found by the pair's name, but only after its other half had time to answer")
    func lone() throws {
        var search = SpeakerSearch(names: ["Bedroom"], limit: .seconds(4))
        search.apply(.appeared(try Self.half("Bedroom", 1)), at: .milliseconds(100))
        search.apply(.appeared(try Sample.raop("Bedroom", device: "020000AA0001")), at: .milliseconds(100))
        #expect(search.answer(at: .milliseconds(200)) == .wait(until: SpeakerSearch.decisionTime))
        let answer = search.answer(at: SpeakerSearch.decisionTime)
        guard case .found(let alone) = answer else { throw SampleError.notAService }
        #expect(alone.map(\.id) == [.device("020000AA0001")])
        search.apply(.appeared(try Self.half("Bedroom (2)", 2)), at: .milliseconds(300))
        guard case .found(let both) = search.answer(at: SpeakerSearch.decisionTime) else {
            throw SampleError.notAService
        }
        #expect(both.map(\.id) == [.pair("T")] && both.first?.players.count == 2)
    }

    @Test("other groups, other names, or three speakers are no pair")
    func none() throws {
        for third in [
            [try Self.half("A", 1), try Self.half("B", 2, gid: "H")],
            [try Self.half("A", 1), try Self.half("B", 2, gpn: "Other")],
            [try Self.half("A", 1), try Self.half("B", 2, tsid: "U")],
            [try Self.half("A", 1), try Self.half("B", 2, tsid: "")],
            [try Self.half("A", 1), try Self.half("B", 2), try Self.half("C", 3)],
        ] {
            var directory = SpeakerDirectory()
            for service in third { _ = directory.apply(.appeared(service)) }
            #expect(directory.speakers.count == third.count)
            #expect(directory.speakers.allSatisfy { $0.halves.isEmpty })
            for service in third { _ = directory.apply(.vanished(service)) }
            #expect(directory.speakers.isEmpty)
        }
    }
}
