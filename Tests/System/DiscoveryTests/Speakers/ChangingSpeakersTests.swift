import Testing
import TuttiSystemIO
import TuttiTestSupport

@testable import TuttiDiscovery

@Suite("Speakers that change")
struct ChangingSpeakersTests {
    private static func half(_ number: Int, tsid: String, address: Int) throws -> DiscoveredService {
        try Sample.airplay(
            "S\(number)", device: "02:00:00:aa:00:0\(number)", address: address,
            more: [
                TXTEntry(key: "tsid", value: tsid), TXTEntry(key: "gid", value: "G"),
                TXTEntry(key: "gpn", value: "Bedroom"),
            ])
    }

    @Test("a service that vanishes before it appeared is no event, and one that is updated first appears")
    func outOfOrder() throws {
        var directory = SpeakerDirectory()
        let service = try Sample.airplay("Kitchen")
        #expect(directory.apply(.vanished(service)).isEmpty)
        #expect(Sample.words(directory.apply(.updated(service))) == ["+ Kitchen"])
        #expect(directory.apply(.appeared(service)).isEmpty)
        #expect(Sample.words(directory.apply(.vanished(service))) == ["- Kitchen"])
        #expect(directory.apply(.vanished(service)).isEmpty)
    }

    @Test("the newest of two services of one device counts, and the other one when it is gone")
    func twoServices() throws {
        var directory = SpeakerDirectory()
        let (old, new) = (try Sample.airplay("Old"), try Sample.airplay("New", address: 12))
        _ = directory.apply(.appeared(old))
        #expect(Sample.words(directory.apply(.appeared(new))) == ["= New"])
        // The old one is still behind the new one.
        #expect(directory.apply(.updated(try Sample.airplay("Old", address: 13))).isEmpty)
        #expect(Sample.words(directory.apply(.vanished(new))) == ["= Old"])
        #expect(directory.speakers.first?.addresses == [Sample.address(13)])
    }

    @Test("a third half breaks a pair, and its end joins the pair again")
    func third() throws {
        var directory = SpeakerDirectory()
        let halves = try (1...4).map { try Self.half($0, tsid: "T", address: $0) }
        _ = directory.apply(.appeared(halves[0]))
        #expect(Sample.words(directory.apply(.appeared(halves[1]))) == ["- S1", "+ Bedroom"])
        #expect(
            Sample.words(directory.apply(.appeared(halves[2]))) == ["- Bedroom", "+ S1", "+ S2", "+ S3"])
        #expect(Sample.words(directory.apply(.appeared(halves[3]))) == ["+ S4"])
        #expect(Sample.words(directory.apply(.vanished(halves[0]))) == ["- S1"])
        #expect(
            Sample.words(directory.apply(.vanished(halves[2]))) == ["- S2", "- S3", "- S4", "+ Bedroom"])
        #expect(directory.speakers.map { $0.players.map(\.name) } == [["S2", "S4"]])
    }

    @Test("a half that moves to another pair breaks the one and completes the other")
    func moved() throws {
        var directory = SpeakerDirectory()
        for (number, tsid) in [(1, "T"), (2, "T"), (3, "U")] {
            _ = directory.apply(.appeared(try Self.half(number, tsid: tsid, address: number)))
        }
        let events = directory.apply(.updated(try Self.half(2, tsid: "U", address: 2)))
        #expect(Set(Sample.words(events)) == ["- Bedroom", "- S3", "+ S1", "+ Bedroom"])
        #expect(directory.speaker(.pair("T")) == nil)
        #expect(directory.speaker(.pair("U"))?.players.map(\.name) == ["S2", "S3"])
    }

    @Test("a half whose AirPlay 2 record is gone is no half, though its other record is there")
    func otherRecord() throws {
        var directory = SpeakerDirectory()
        let halves = try (1...2).map { try Self.half($0, tsid: "T", address: $0) }
        for half in halves { _ = directory.apply(.appeared(half)) }
        _ = directory.apply(.appeared(try Sample.raop("S1", device: "020000AA0001")))
        #expect(directory.speakers.map(\.id) == [.pair("T")])
        _ = directory.apply(.vanished(halves[0]))
        #expect(directory.speakers.map(\.id) == [.device("020000AA0001"), .device("020000AA0002")])
    }

    @Test("events lead a listener to the speakers that are there", arguments: 1...5 as ClosedRange<UInt64>)
    func events(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var directory = SpeakerDirectory()
        var heard: [SpeakerID: DiscoveredSpeaker] = [:]
        for _ in 0..<400 {
            let number = Int.random(in: 0..<6, using: &random)
            let tsid = ["T", "U", ""][Int.random(in: 0..<3, using: &random)]
            let address = Int.random(in: 1...2, using: &random)
            let service = try Self.half(number, tsid: tsid, address: address)
            let leaves = Int.random(in: 0..<3, using: &random) == 0
            for event in directory.apply(leaves ? .vanished(service) : .updated(service)) {
                let id = event.speaker.id
                switch event {
                case .appeared: #expect(heard[id] == nil)
                case .updated: #expect(heard[id] != nil && heard[id] != event.speaker)
                case .vanished: #expect(heard[id] == event.speaker)
                }
                if case .vanished = event { heard[id] = nil } else { heard[id] = event.speaker }
            }
            #expect(Set(heard.values) == Set(directory.speakers))
            #expect(heard.count == directory.speakers.count)
        }
    }

    @Test("a search for nothing is over at once, and one name may be asked for twice")
    func search() throws {
        #expect(SpeakerSearch(names: [], limit: .seconds(4)).answer(at: .zero) == .found([]))
        var twice = SpeakerSearch(names: ["Kitchen", "Kitchen"], limit: .seconds(4))
        twice.apply(.appeared(try Sample.airplay("Kitchen")), at: .milliseconds(10))
        twice.apply(.appeared(try Sample.raop("Kitchen")), at: .milliseconds(20))
        guard case .found(let speakers) = twice.answer(at: .milliseconds(20)) else {
            throw SampleError.notAService
        }
        #expect(speakers.map(\.name) == ["Kitchen", "Kitchen"])
        let none = SpeakerSearch(names: ["Kitchen"], limit: .zero)
        let failure = SpeakerLookupError.notFound(name: "Kitchen", known: [])
        #expect(none.answer(at: .zero) == .failed(failure))
        #expect(none.answer(at: .seconds(9)) == .failed(failure))
    }

    @Test("a speaker that was away waits for its other record anew")
    func returned() throws {
        var search = SpeakerSearch(names: ["Kitchen"], limit: .seconds(4))
        let service = try Sample.airplay("Kitchen")
        search.apply(.appeared(service), at: .milliseconds(100))
        #expect(search.answer(at: .milliseconds(100)) == .wait(until: .milliseconds(500)))
        search.apply(.vanished(service), at: .milliseconds(300))
        #expect(search.answer(at: .milliseconds(300)) == .wait(until: .seconds(4)))
        search.apply(.appeared(service), at: .milliseconds(450))
        #expect(search.answer(at: .milliseconds(500)) == .wait(until: .milliseconds(850)))
        guard case .found(let speakers) = search.answer(at: .milliseconds(850)) else {
            throw SampleError.notAService
        }
        #expect(speakers.map(\.name) == ["Kitchen"])
    }
}
