import Testing

@testable import TuttiSoundServers

@Suite struct ModuleArgumentsTests {
    private func text(name: String = "tutti", title: String) -> String {
        ModuleArguments(
            name: name, title: title, icon: "audio-speakers", hertz: 44_100, socket: "/run/x/socket"
        ).text
    }

    @Test("the tunnel gets the socket, the form and the title")
    func plain() {
        #expect(
            text(title: "Kitchen")
                == "server=unix:/run/x/socket sink_name=tutti format=float32ne channels=2 rate=44100 "
                + "channel_map=front-left,front-right "
                + "sink_properties='device.description=\"Kitchen\" device.icon_name=\"audio-speakers\"'")
    }

    @Test(
        "marks in a title stay in the title",
        arguments: [
            (#"it's"#, #"="it\'s" "#), (#"a "b""#, #"="a \"b\"" "#), (#"a\"#, #"="a\\" "#),
            ("a\nb", #"="a b" "#), ("e'\u{301}", "=\"e\\'\u{301}\" "),
        ])
    func marks(title: String, expected: String) {
        let text = text(title: title)
        #expect(text.contains(expected), "\(text)")
    }

    @Test("a name keeps only what servers accept in names")
    func names() {
        #expect(ModuleArguments.identifier("tutti.zone-1_A") == "tutti.zone-1_A")
        #expect(ModuleArguments.identifier("Küche & Bad' x=1") == "K_che___Bad__x_1")
        #expect(ModuleArguments.identifier("") == "tutti")
        #expect(ModuleArguments.identifier(String(repeating: "a", count: 5_000)).count == 100)
    }
}
