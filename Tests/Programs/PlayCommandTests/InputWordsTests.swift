import Glibc
import Playback
import Testing
import TuttiTestSupport

@testable import TuttiCommandLineInterface
@testable import TuttiPlayCommand

@Suite("Words for standard input, pipes and addresses")
struct InputWordsTests {
    private static func refusal(_ words: [String], isTerminal: Bool = false) -> String? {
        let error = #expect(throws: PlayInputError.self) {
            try PlayInputs.expand(words, isTerminal: isTerminal)
        }
        return error?.description
    }

    @Test("standard input is played once, and only if it is no terminal")
    func standardInput() throws {
        let input = PlayInput(path: "-", pipe: PlayInput.Pipe(format: nil))
        #expect(try PlayInputs.expand(["-"], isTerminal: false) == [input])
        #expect(Self.refusal(["-", "-"]) == "standard input (-) can be played only once")
        #expect(Self.refusal(["-"], isTerminal: true)?.hasPrefix("standard input is a terminal") == true)
        #expect(try PlayInputs.expand(["http://a.example/-"], isTerminal: true).map(\.pipe) == [nil])
    }

    @Test("a named pipe is read once, as a container or as samples, and is never opened to look at it")
    func pipe() throws {
        let folder = try MusicFolder()
        let path = folder.path + "/music.m3u"
        try #require(mkfifo(path, 0o600) == 0)
        let container = PlayInput(path: path, pipe: PlayInput.Pipe(format: nil))
        #expect(try PlayInputs.expand([path], isTerminal: false) == [container])
        let samples = PlayInput(path: path, pipe: PlayInput.Pipe(format: .standard))
        #expect(try PlayInputs.expand([path], format: .standard, isTerminal: false) == [samples])
    }

    @Test("hidden files and folders, such as those of a Mac, are no music of a folder")
    func hidden() throws {
        let folder = try MusicFolder()
        for name in [
            "a.flac", "._a.flac", ".hidden.mp3", "B/b.mp3", "B/._b.mp3", ".bin/c.mp3", "B/.x/y/d.mp3",
        ] {
            try folder.add(name)
        }
        #expect(
            try PlayInputs.expand([folder.path], isTerminal: false).map(\.path)
                == [folder.path + "/a.flac", folder.path + "/B/b.mp3"])
        // Named, they are played.
        for path in [folder.path + "/.hidden.mp3", folder.path + "/.bin/c.mp3"] {
            #expect(try PlayInputs.expand([path], isTerminal: false).map(\.path) == [path])
        }
        #expect(
            try PlayInputs.expand([folder.path + "/.bin"], isTerminal: false).map(\.path)
                == [folder.path + "/.bin/c.mp3"])
    }

    @Test("the first word that cannot be played is named, whatever stands before and behind it")
    func firstMistake() throws {
        let folder = try MusicFolder()
        let file = try folder.add("a.flac")
        #expect(
            Self.refusal([file, "/nonexistent/ä b", "/nonexistent/c"])
                == "there is no file '/nonexistent/ä b'")
        #expect(Self.refusal([""]) == "there is no file ''")
    }

    @Test(
        "an address begins with http or https, in any capitals",
        arguments: [
            ("http://a", true), ("HTTPS://a", true), ("https://", true), ("ftp://a", false),
            ("httpx://a", false), ("/http://a", false), ("http:/a", false), ("", false), ("-", false),
        ])
    func address(path: String, isAddress: Bool) {
        #expect(PlayInput(path: path).isAddress == isAddress)
    }
}

@Suite("Options for one speaker, with unusual words")
struct SpeakerOptionEdgesTests {
    private static func options(_ words: [(String, String)]) throws -> SpeakerOptions {
        var arguments = ParsedArguments()
        for (option, value) in words { arguments.append(value, toOption: option) }
        return try SpeakerOptions(arguments)
    }

    static let refusals: [(String, String, String)] = [
        ("volume", "=50", "--volume: =50 names no speaker"), ("delay", "=5", "--delay: =5 names no speaker"),
        ("volume", "100.1", "--volume: 100.1 is not a value"),
        ("volume", "A=-1", "--volume: -1 is not a value"),
        ("stream", "local", "--stream: local is not a value"),
        ("stream", "Buffered", "--stream: Buffered is"),
        ("clock", "host", "--clock: host is not a value"), ("clock", "A=NTP", "--clock: NTP is not a value"),
        ("format", "mp3", "--format: mp3 is not a value"), ("format", "A=s16le/44100/2", "--format: s16le"),
        ("delay", "A=1000.1", "--delay: 1000.1 is not a value"), ("delay", "5", "--delay takes a speaker"),
        ("format", "s16le/x/2", "--format: "), ("delay", "A=inf", "--delay: inf is not a value"),
    ]

    @Test("a value that is none is named with its option", arguments: refusals)
    func refuses(option: String, value: String, beginning: String) {
        let error = #expect(throws: UsageError.self) { try Self.options([(option, value)]) }
        #expect(error?.description.hasPrefix(beginning) == true, "\(error?.description ?? "")")
    }

    @Test("the last volume for all counts, and limits belong to the range")
    func volumes() throws {
        #expect(try Self.options([("volume", "10"), ("volume", "A=5"), ("volume", "0")]).volume == 0)
        #expect(try Self.options([("volume", "100")]).volume == 100)
        #expect(try Self.options([("volume", "A=5")]).volume == nil)
        #expect(try Self.options([]).volume == nil)
    }

    @Test("a format is one of raw samples, or one of a stream")
    func formats() throws {
        let options = try Self.options([
            ("format", "48/24"), ("format", "s24le/96000/2"), ("format", "A=pcm"),
        ])
        #expect(options.rawFormat.map { "\($0)" } == "s24le/96000/2")
        #expect(try Self.options([("format", "pcm")]).rawFormat == nil)
    }

    @Test("a warning about a speaker that does not play names it and the option")
    func warning() {
        let text = SpeakerOptions.Unmatched(option: "delay", name: "Attic").warning
        #expect(text.hasPrefix("--delay names Attic, which does not play"))
    }
}
