import Testing

@testable import tutti

@Suite("Lines of tutti speaker --json")
struct SpeakerDisplayTests {
    @Test(
        "an underrun warning names its cause",
        arguments: [
            (Duration?.some(.milliseconds(40)), "underrun"), (.some(.seconds(7)), "nothing-came"),
            (nil, "underrun"),
        ])
    func underrun(silence: Duration?, code: String) throws {
        let event = SpeakerStatusLine(silence: silence).underrunWarning
        let line = try #require(JSONSpeakerDisplay.line(event)).text
        #expect(line.contains("\"\(code)\""))
        #expect(line.contains("network is too slow") == (code == "underrun"))
        #expect(line.contains("for 7 s") == (code == "nothing-came"))
    }
}
