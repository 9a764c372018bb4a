import Testing

@testable import TuttiSoundServers

@Suite struct SinkOpenerTests {
    @Test(
        "the socket of PipeWire is beside that for PulseAudio's clients",
        arguments: [
            ("unix:/run/user/1000/pulse/native", "/run/user/1000/pipewire-0"),
            ("/run/user/1000/pulse/native", "/run/user/1000/pipewire-0"),
            ("{0a1b}unix:/run/user/1000/pulse/native", "/run/user/1000/pipewire-0"),
            ("unix:/run/pulse/socket", ""), ("tcp:10.0.0.7:4713", ""), ("unix:/pulse/native", "/pipewire-0"),
            ("", ""), ("{", ""), (nil, ""),
        ] as [(String?, String)])
    func remote(address: String?, expected: String) {
        #expect(SinkOpener.remote(besidePulse: address) == expected)
    }
}
