import Testing
import TuttiDiscovery
import TuttiSystemIO

@testable import Playback

@Suite("Speakers named by --to")
struct SpeakerResolutionTests {
    let resolution = SpeakerResolution(
        localAddress: nil, password: "word", interface: nil, speakerAt: { _, _ in nil })

    static let addresses: [(String, String)] = [
        ("10.0.0.7", "10.0.0.7:7000"), ("10.0.0.7:5000", "10.0.0.7:5000"),
        ("127.0.0.1:65535", "127.0.0.1:65535"),
        ("fd00::1", "[fd00::1]:7000"), ("[fd00::1]", "[fd00::1]:7000"), ("[fd00::1]:1", "[fd00::1]:1"),
    ]

    @Test("addresses", arguments: addresses)
    func address(word: String, address: String) throws {
        let target = try #require(resolution.target(at: word))
        #expect(target.addresses.map { "\($0)" } == [address])
        #expect(target.name == word)
        #expect(target.password == "word")
    }

    static let names = [
        "", "Kitchen", "Living Room", "10.0.0", "10.0.0.7:", "10.0.0.7:0", "10.0.0.7:65536", "10.0.0.7:x",
        "10.0.0.7:-1", "Kitchen:7000", "[fd00::1", "[fd00::1]7000", "[fd00::1]:", "[]:7000", "]", "[", ":",
        "::::",
        "256.0.0.1",
    ]

    @Test("names", arguments: names)
    func name(word: String) { #expect(resolution.target(at: word) == nil) }

    @Test("a catalogue resolves addresses without a search, for the interface of the given address")
    func catalogue() async throws {
        let catalogue = RouteCatalogue.shared
        let local = IPAddress("127.0.0.1")
        let targets = try await catalogue.targets(
            for: ["10.0.0.9", "fd00::1"], password: "word", localAddress: local)
        #expect(targets.map { "\($0.addresses)" } == ["[10.0.0.9:7000]", "[[fd00::1]:7000]"])
        #expect(targets.allSatisfy { $0.password == "word" && $0.localAddress == local })
        #expect(try await catalogue.targets(for: []).isEmpty)
        // An address for documentation, which no interface has (RFC 5737).
        await #expect(throws: DiscoveryError.noInterface(address: "203.0.113.9")) {
            try await catalogue.targets(for: ["10.0.0.9"], localAddress: IPAddress("203.0.113.9"))
        }
    }

    @Test("a speaker named twice comes once, in the order of the words")
    func twice() async throws {
        let targets = try await resolution.targets(for: ["10.0.0.9", "10.0.0.7:1", "10.0.0.9"])
        #expect(targets.map(\.name) == ["10.0.0.9", "10.0.0.7:1"])
    }

    @Test("the records of several addresses are looked up at the same time, each once")
    func together() async throws {
        let lookups = Lookups(expected: 3)
        var resolution = resolution
        resolution.speakerAt = { address, _ in
            await lookups.run(address)
            return nil
        }
        let words = ["10.0.0.7:5000", "10.0.0.8", "10.0.0.9:5000", "10.0.0.7:5001", "10.0.0.7:5000"]
        let targets = try await resolution.targets(for: words)
        #expect(targets.map(\.name) == ["10.0.0.7:5000", "10.0.0.8", "10.0.0.9:5000", "10.0.0.7:5001"])
        let begun = await lookups.begun.map { "\($0)" }.sorted()
        #expect(begun == ["10.0.0.7:5000", "10.0.0.7:5001", "10.0.0.9:5000"])
        #expect(await lookups.mostAtOnce == 3)
    }

    /// Lookups that end once as many as expected run, or after many turns of the other tasks.
    private actor Lookups {
        let expected: Int
        private(set) var begun: [SocketAddress] = []
        private(set) var mostAtOnce = 0
        private var running = 0

        init(expected: Int) { self.expected = expected }

        func run(_ address: SocketAddress) async {
            begun.append(address)
            running += 1
            mostAtOnce = max(mostAtOnce, running)
            for _ in 0..<10_000 where mostAtOnce < expected { await Task.yield() }
            running -= 1
        }
    }

    @Test("an address whose port does not exist is no name, and says so at once")
    func noSuchPort() async throws {
        let error = SpeakerLookupError.noSuchPort(word: "10.78.0.11:99999", port: "99999")
        await #expect(throws: error) { try await resolution.targets(for: ["10.78.0.11:99999"]) }
        #expect("\(error)".contains("ports are 1 to 65535"))
    }

    @Test("a name that the settings give to two speakers is told ambiguous, with their ids")
    func namedTwice() async {
        let text = #"{"02:00:00:AA:00:01": {"name": "Den"}, "02:00:00:AA:00:02": {"name": "Den"}}"#
        let resolution = SpeakerResolution(
            localAddress: nil, password: nil, interface: nil,
            settings: SpeakerSettingsBook.reading(Array(text.utf8)).book)
        let candidates = ["020000AA0001", "020000AA0002"].map { digits in
            SpeakerLookupError.Candidate(name: "den", id: .device(digits))
        }
        await #expect(throws: SpeakerLookupError.ambiguous(name: "den", candidates: candidates)) {
            try await resolution.targets(for: ["den"])
        }
    }
}
