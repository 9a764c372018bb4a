import AirPlaySender
import Playback
import Testing

@testable import TuttiCommandLineInterface
@testable import TuttiPlayCommand

@Suite("Options for one speaker")
struct SpeakerOptionsTests {
    private static func options(_ words: [(String, String)]) throws -> SpeakerOptions {
        var arguments = ParsedArguments()
        for (option, value) in words { arguments.append(value, toOption: option) }
        return try SpeakerOptions(arguments)
    }

    private static func targets() -> [SpeakerTarget] {
        ["Kitchen", "Living = Room"].enumerated().map { index, name in
            let address = SocketAddress(IPAddress(10, 0, 0, UInt8(index + 1)), port: 7000)
            return SpeakerTarget(name: name, addresses: [address])
        }
    }

    @Test("an option is for one speaker, by name or address, or for all")
    func applies() throws {
        var targets = Self.targets()
        let options = try Self.options([
            ("stream", "realtime"), ("stream", "kitchen=buffered"), ("delay", "Living = Room=-120"),
            ("volume", "50"), ("volume", "10.0.0.1=20"), ("format", "48/24"), ("format", "Kitchen=pcm"),
        ])
        #expect(options.apply(to: &targets).isEmpty)
        #expect(targets.map(\.override.stream) == [.buffered, .realtime])
        #expect(targets.map(\.override.format) == [.pcm, .alac48000x24])
        #expect(targets.map(\.delay.milliseconds) == [0, -120])
        #expect(targets.map(\.volume) == [20, nil])
        #expect(options.volume == 50)
    }

    @Test("an option for a speaker that is not there is returned, and the others count")
    func unmatched() throws {
        var targets = Self.targets()
        let options = try Self.options([("delay", "Bath=100"), ("delay", "Kitchen=7")])
        #expect(options.apply(to: &targets) == [SpeakerOptions.Unmatched(option: "delay", name: "Bath")])
        #expect(targets[0].delay.milliseconds == 7)
    }

    static let bad = [
        ("delay", "100"), ("delay", "Kitchen="), ("delay", "Kitchen=x"), ("delay", "Kitchen=1001"),
        ("volume", "Kitchen=101"), ("volume", "x"), ("volume", "-1"), ("volume", "nan"),
        ("stream", "Kitchen=tape"),
    ]

    @Test("an invalid value is wrong usage", arguments: bad)
    func refuses(option: String, value: String) {
        #expect(throws: UsageError.self) { try Self.options([(option, value)]) }
    }

    @Test("an option for a name that two speakers have is returned as ambiguous, and has no effect")
    func ambiguous() throws {
        var targets = Self.targets()
        for index in targets.indices {
            (targets[index].name, targets[index].id) = ("Kitchen", "02:00:00:AA:00:0\(index + 1)")
        }
        let options = try Self.options([("volume", "kitchen=20"), ("delay", "02:00:00:aa:00:02=7")])
        let words =
            "'kitchen' is ambiguous: 'Kitchen' (02:00:00:AA:00:01) or 'Kitchen' (02:00:00:AA:00:02); "
            + "name one by its id or its address"
        #expect(
            options.apply(to: &targets) == [
                SpeakerOptions.Unmatched(option: "volume", name: "kitchen", ambiguity: words)
            ])
        #expect(targets.map(\.volume) == [nil, nil])
        #expect(targets.map(\.delay.milliseconds) == [0, 7])
    }
}
