import Testing

@testable import TuttiCommandLineInterface
@testable import tutti

@Suite("Wrong command lines of commands for the house")
struct UsageMistakesTests {
    /// A service with no place to ask at: what reaches it fails with ``RemoteFailure/noOwnServiceHere``.
    private static func nowhere() throws -> RemoteService {
        try RemoteService(
            host: nil, config: nil, environment: ["HOME": "/home/none", "TUTTI_WEB_PORT": "x"]
        ).trusted
    }

    private static func perform(_ words: [String]) async throws {
        guard case .run(let command, let arguments) = Tutti.invocation(words),
            let remote = command as? any RemoteCommand.Type
        else { throw UsageError("the parser refused \(words)") }
        try await remote.perform(arguments, try nowhere())
    }

    static let mistakes: [([String], String)] = [
        (["queue", "add"], "queue add takes files, folders, web addresses or names"),
        (["queue", "play"], "queue play takes the number of an entry"),
        (["queue", "play", "1", "2"], "queue play takes the number of an entry"),
        (["queue", "remove"], "queue remove takes numbers of entries"),
        (["queue", "move", "1"], "queue move takes the number of an entry and its new number"),
        (["queue", "move", "1", "2", "3"], "queue move takes the number"),
        (["queue", "clear", "1"], "queue clear takes no numbers"),
        (["queue", "save"], "queue save takes one name"),
        (["queue", "save", "My", "list"], "queue save takes one name"),
        (["queue", "--next"], "--next is an option of queue add only"),
        (["queue", "play", "1", "--now"], "--now is an option of queue add only"),
        (["queue", "add", "x", "--replace", "--next"], "use only one of --next, --now and --replace"),
        (["zone", "new"], "zone new takes a name"), (["zone", "rename", "a"], "zone rename takes a zone"),
        (["zone", "remove"], "zone remove takes one zone"), (["zone", "remove", "a", "b"], "zone remove"),
        (["zone", "transfer", "a"], "zone transfer takes two zones"),
        (["zone", "levelling", "a"], "zone levelling takes a zone and a mode"),
        (["zone", "levelling", "a", "Album"], "the levelling must be off, track or album"),
        (["zone", "crossfade", "a"], "zone crossfade takes a zone and seconds"),
        (["zone", "crossfade", "a", "12.1"], "the crossfade must be a number of seconds from 0 to 12"),
        (["zone", "crossfade", "a", "-1"], "the crossfade must be"),
        (["zone", "crossfade", "a", "5s"], "the crossfade must be"),
        (["zone", "sleep-fade", "a", "30"], "write the time as 30s or 5m"),
        (["zone", "sleep-fade", "a", "601s"], "write the time as 30s or 5m, at most 10m"),
        (["zone", "input", "a"], "zone input takes a zone"),
        (["room", "a", "b", "c"], "room takes a room and a zone"),
        (["room", "move", "a"], "room takes a room"),
        (["room", "delay"], "room delay takes a room and milliseconds"),
        (["room", "delay", "a", "1000.5"], "the delay must be a number of milliseconds from -1000 to 1000"),
        (["room", "delay", "a", "-1001"], "the delay must be"),
        (["room", "delay", "a", "nan"], "the delay must"),
        (["room", "delay", "a", "10ms"], "the delay must be"),
        (["room", "night", "a"], "room night takes a room, and on or off"),
        (["room", "night", "a", "ON"], "room night takes a room, and on or off"),
        (["room", "maximum", "a", "0"], "the maximum volume must be a number from 1 to 100"),
        (["room", "maximum", "a", "+5"], "the maximum volume must be"),
        (["room", "maximum", "a"], "room maximum takes a room and a percentage"),
        (["room", "equalizer", "a"], "room equalizer takes a room and a sound"),
        (["room", "equalizer", "a", "rock"], "the sound must be flat, bass, treble, voice, loud, off,"),
        (["room", "equalizer", "a", "1,2,3,4,5,6,7,8,9,nan"], "the sound must be"),
        (["room", "password"], "room password takes only a room"),
        (["room", "password", "a", "secret"], "room password takes only a room"),
        (["room", "forget"], "room forget takes one room"),
        (["seek", "1:60"], "the time must be SECONDS, M:SS or H:MM:SS"), (["seek", "+"], "the time must be"),
        (["seek", "50%"], "the time must be"),
        (["sleep", "30"], "write 30m for minutes, or 30s for seconds"),
        (["sleep", "0m"], "write the time as 30m, 90s or 1h30m"),
        (["sleep", "-5m"], "write the time as 30m"),
        (["volume", "Kitchen", "loud"], "the volume must be a number from 0 to 100"),
        (["volume", "30", "Kitchen"], "the volume must be"), (["volume", "101"], "the volume must be"),
        (["volume", "+101"], "the volume must be"), (["volume", "-101%"], "the volume must be"),
        (["alarm", "add"], "alarm add takes a time such as 6:30"),
        (["alarm", "add", "noon"], "alarm add takes"),
        (["alarm", "add", "24:00"], "alarm add takes"),
        (["alarm", "on"], "alarm on takes the number of an alarm"),
        (["alarm", "change", "6:30"], "alarm change takes the number"),
        (["alarm", "remove", "x"], "alarm remove"),
        (["alarm", "add", "6:30", "--days", "someday"], "the days must be once, daily, weekdays"),
        (["alarm", "add", "6:30", "--volume", "+5"], "the volume must be a number from 0 to 100, or as-is"),
        (["alarm", "add", "6:30", "--fade", "30"], "the fade must be a time such as 30s or 5m"),
        (["alarm", "add", "6:30", "--fade", "11m"], "the fade must be a time"),
        (["say"], "say takes a file, a web address, or - for standard input"),
        (["say", "a", "--cancel", "1"], "--cancel takes no file"),
        (["say", "a", "--volume", "loud"], "the volume must be a number from 0 to 100"),
        (["say", "--cancel", "some"], "--cancel takes the number of an announcement, or all"),
        (["say", "--cancel", "0"], "--cancel takes the number of an announcement, or all"),
    ]

    @Test("a wrong line is refused with a sentence, before the service is asked", arguments: mistakes)
    func refused(words: [String], beginning: String) async throws {
        let error = await #expect(throws: UsageError.self) { try await Self.perform(words) }
        #expect(error?.description.hasPrefix(beginning) == true, "\(error?.description ?? "")")
        #expect(error?.status == .usage)
    }

    @Test(
        "a right line asks the service, also for names that begin with numbers and signs",
        arguments: [
            ["volume", "2nd floor"], ["volume", "+1 Studio", "30"], ["volume", "30"],
            ["volume", "Bath", "-5%"],
            ["room", "5", "7"], ["room", "delay", "delay", "-120"], ["zone", "new", "-"],
            ["zone", "crossfade", "a", "12"],
            ["seek", "-0:30"], ["sleep", "1h30m"], ["queue", "move", "1", "last"], ["alarm", "off", "3"],
            ["say", "a.wav", "--volume", "40%"], ["room", "equalizer", "a", "-12,0,0,0,0,0,0,0,0,12"],
        ])
    func asked(words: [String]) async {
        await #expect(throws: RemoteFailure.noOwnServiceHere) { try await Self.perform(words) }
    }

    static let others: [([String], String)] = [
        (["play", "--json"], "missing FILE|FOLDER|URL"),
        (
            ["play", "--zone", "K", "--json", "a"],
            "--json is for playback in this program, and --zone for playback in the house; use only one of them"
        ),
        (
            ["play", "--host", "h", "--volume", "3", "--to", "x"],
            "--to is for playback in this program, and --host"
        ),
        (["play", "--code", "1", "a", "-v"], "--verbose is for playback in this program, and --code"),
        (["speakers", "--once", "--watch"], "--once and --watch exclude each other"),
        (["sink"], "name a speaker to play on: --to NAME"),
        (["sink", "--to", "K", "--volume", "100.1"], "--volume takes a number from 0 to 100"),
        (["sink", "--to", "K", "--format", "s16le/44100/2"], "--format is for --pipe"),
        (["sink", "--to", "K", "--clock-ports", "319"], "--clock-ports takes two different ports"),
        (["sink", "--to", "K", "--address", "here"], "--address takes an IP address of this machine"),
        (["sink", "--to", "K", "--output", "nothing:at:all"], "--output: "),
        (
            ["speaker", "--name", "K", "--volume-curve", "0"],
            "--volume-curve takes decibels, fixed, or a number"
        ),
        (["speaker", "--name", "K", "--volume-curve", "nan"], "--volume-curve takes"),
        (["speaker", "--name", "K", "--address", "here"], "--address takes an IP address"),
        (["doctor", "K", "--clock-ports", "1,1"], "--clock-ports takes two different ports"),
        (["doctor", "K", "--address", "256.1.1.1"], "--address takes an IP address"),
        (["info", "K", "--address", ":"], "--address takes an IP address"),
    ]

    @Test("a wrong line of another command is refused before anything is looked for", arguments: others)
    func otherCommands(words: [String], beginning: String) async throws {
        guard case .run(let command, let arguments) = Tutti.invocation(words) else {
            throw UsageError("the parser refused \(words)")
        }
        let error = await #expect(throws: UsageError.self) { try await command.run(arguments) }
        #expect(error?.description.hasPrefix(beginning) == true, "\(error?.description ?? "")")
        #expect(error?.status == .usage)
    }
}
