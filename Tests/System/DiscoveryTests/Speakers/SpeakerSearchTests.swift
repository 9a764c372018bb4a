import Testing

@testable import TuttiDiscovery

@Suite("A search for speakers by name")
struct SpeakerSearchTests {
    static let limit = Duration.seconds(4)
    static let soon = Duration.milliseconds(100)

    @Test("an exact name with both records is accepted at once")
    func exact() throws {
        var search = SpeakerSearch(names: ["Kitchen"], limit: Self.limit)
        #expect(search.answer(at: .zero) == .wait(until: Self.limit))
        search.apply(.appeared(try Sample.raop("Kitchen")), at: Self.soon)
        #expect(search.answer(at: Self.soon) == .wait(until: Self.soon + SpeakerSearch.completionTime))
        search.apply(.appeared(try Sample.airplay("Kitchen")), at: Self.soon)
        #expect(Self.names(search.answer(at: Self.soon)) == ["Kitchen"])
    }

    @Test(
        "a speaker with one record is accepted when the other does not arrive in time, which is more if it is told of",
        arguments: [("0x0,0x0", false), ("0x445D0A00,0x1C340", true)])
    func oneRecord(features: String, isAirPlay2: Bool) throws {
        var search = SpeakerSearch(names: ["Old"], limit: Self.limit)
        let record = try Sample.raop("Old", more: [TXTEntry(key: "ft", value: features)])
        search.apply(.appeared(record), at: Self.soon)
        let ready = Self.soon + (isAirPlay2 ? SpeakerSearch.airPlay2Time : SpeakerSearch.completionTime)
        #expect(search.answer(at: ready - .nanoseconds(1)) == .wait(until: ready))
        #expect(Self.names(search.answer(at: ready)) == ["Old"])
    }

    @Test("a name prefix waits for a better match, and accepts it")
    func prefix() throws {
        var search = SpeakerSearch(names: ["Bath"], limit: Self.limit)
        try Self.add("Bathroom", device: "020000AA0001", to: &search)
        #expect(search.answer(at: Self.soon) == .wait(until: SpeakerSearch.decisionTime))
        #expect(Self.names(search.answer(at: SpeakerSearch.decisionTime)) == ["Bathroom"])
        try Self.add("Bath", device: "020000AA0002", to: &search)
        #expect(Self.names(search.answer(at: Self.soon)) == ["Bath"])
    }

    @Test("an unknown name fails at the limit, not before")
    func nothing() throws {
        var search = SpeakerSearch(names: ["Kitchen", "Attic"], limit: Self.limit)
        try Self.add("Kitchen", device: "020000AA0001", to: &search)
        #expect(search.answer(at: Self.limit - .nanoseconds(1)) == .wait(until: Self.limit))
        #expect(search.answer(at: Self.limit) == .failed(.notFound(name: "Attic", known: ["Kitchen"])))
    }

    @Test("an ambiguous name waits for the exact one, then fails")
    func ambiguous() throws {
        var search = SpeakerSearch(names: ["Bath"], limit: Self.limit)
        try Self.add("Bathroom", device: "020000AA0001", to: &search)
        try Self.add("Bath 2", device: "020000AA0002", to: &search)
        #expect(search.answer(at: SpeakerSearch.decisionTime) == .wait(until: Self.limit))
        guard case .failed(.ambiguous) = search.answer(at: Self.limit) else { throw SampleError.notAService }
        try Self.add("Bath", device: "020000AA0003", to: &search)
        #expect(Self.names(search.answer(at: Self.limit)) == ["Bath"])
    }

    @Test("several names are returned in the requested order")
    func order() throws {
        var search = SpeakerSearch(names: ["C", "A", "B", "A"], limit: Self.limit)
        for (index, name) in ["A", "B", "C"].enumerated() {
            try Self.add(name, device: "020000AA000\(index)", to: &search)
        }
        #expect(Self.names(search.answer(at: Self.soon)) == ["C", "A", "B", "A"])
    }

    @Test("a limit before the settling time decides with what is known")
    func shortLimit() throws {
        var search = SpeakerSearch(names: ["kit"], limit: .milliseconds(500))
        try Self.add("Kitchen", device: "020000AA0001", to: &search)
        #expect(search.answer(at: Self.soon) == .wait(until: .milliseconds(500)))
        #expect(Self.names(search.answer(at: .milliseconds(500))) == ["Kitchen"])
    }

    @Test("a speaker that leaves before the decision is not found")
    func vanished() throws {
        var search = SpeakerSearch(names: ["Kitchen"], limit: Self.limit)
        search.apply(.appeared(try Sample.raop("Kitchen")), at: Self.soon)
        search.apply(.vanished(try Sample.raop("Kitchen")), at: Self.soon)
        #expect(search.answer(at: .seconds(1)) == .wait(until: Self.limit))
    }

    private static func add(_ name: String, device: String, to search: inout SpeakerSearch) throws {
        search.apply(.appeared(try Sample.airplay(name, device: device)), at: soon)
        search.apply(.appeared(try Sample.raop(name, device: device)), at: soon)
    }

    private static func names(_ answer: SpeakerSearch.Answer) -> [String]? {
        guard case .found(let speakers) = answer else { return nil }
        return speakers.map(\.name)
    }
}
