import Testing

@testable import tutti

@Suite("Pipes in the configuration")
struct PipeInputTests {
    @Test("a pipe is read with its zone, name and format, as Snapcast spells it too")
    func spelling() throws {
        let plain = try PipeInput("/run/tutti/radio")
        #expect(plain.path == "/run/tutti/radio" && plain.name == "radio" && plain.zone == nil)
        #expect("\(plain.format)" == "s16le/44100/2")
        let full = try PipeInput("pipe:///tmp/a?zone=Living%20Room&name=Spotify&sampleformat=48000:16:2")
        #expect(full.zone == "Living Room" && full.name == "Spotify" && "\(full.format)" == "s16le/48000/2")
    }

    @Test(
        "a mistake is named",
        arguments: [
            ("", "absolute path"), ("radio", "absolute path"), ("/", "absolute path"), ("/a?zone", "zone=…"),
            ("/a?room=b", "zone=…"), ("/a?format=mp3", "not a format"), ("/a?name=%ZZ", "zone=…"),
        ])
    func mistakes(text: String, words: String) {
        let mistake = #expect(throws: PipeInput.Mistake.self) { try PipeInput(text) }
        #expect(mistake?.description.contains(words) == true)
    }
}
