import Testing
import TuttiSystemIO

@testable import TuttiAudioOutput

@Suite("OutputSpecification")
struct OutputSpecificationTests {
    static let table: [(String, OutputSpecification, String)] = [
        ("alsa", OutputSpecification(.alsa(device: "default")), "alsa:default"),
        ("alsa:hw:1,0", OutputSpecification(.alsa(device: "hw:1,0")), "alsa:hw:1,0"),
        (
            "alsa:plughw:CARD=DAC,DEV=0", OutputSpecification(.alsa(device: "plughw:CARD=DAC,DEV=0")),
            "alsa:plughw:CARD=DAC,DEV=0"
        ),
        ("pulse", OutputSpecification(.pulse(sink: nil)), "pulse"),
        ("pulse:bluez.1", OutputSpecification(.pulse(sink: "bluez.1")), "pulse:bluez.1"),
        ("null", OutputSpecification(.null), "null"),
        ("null@-25ppm", OutputSpecification(.null, ppm: -25), "null@-25ppm"),
        ("wave:a.wav", OutputSpecification(.wave(path: "a.wav", depth: .int16)), "wave:a.wav"),
        (
            "wave:/tmp/a b:c.wav@+40ppm",
            OutputSpecification(.wave(path: "/tmp/a b:c.wav", depth: .int16), ppm: 40),
            "wave:/tmp/a b:c.wav@+40ppm"
        ),
        (
            "wave:a.wav@float@0.5ppm", OutputSpecification(.wave(path: "a.wav", depth: .float32), ppm: 0.5),
            "wave:a.wav@float@+0.5ppm"
        ),
        (
            "wave:a.wav@40ppm@float", OutputSpecification(.wave(path: "a.wav", depth: .float32), ppm: 40),
            "wave:a.wav@float@+40ppm"
        ),
        (
            "wave:me@home.wav", OutputSpecification(.wave(path: "me@home.wav", depth: .int16)),
            "wave:me@home.wav"
        ),
        (
            "wave:a@float@int16@0ppm", OutputSpecification(.wave(path: "a@float", depth: .int16)),
            "wave:a@float@int16@0ppm"
        ),
        (
            "wave:a@3ppm@int16@+7ppm", OutputSpecification(.wave(path: "a@3ppm", depth: .int16), ppm: 7),
            "wave:a@3ppm@int16@+7ppm"
        ),
    ]

    @Test("specifications round-trip", arguments: table)
    func parses(text: String, specification: OutputSpecification, spelled: String) throws {
        #expect(try OutputSpecification(parsing: text) == specification)
        #expect(specification.description == spelled)
        #expect(try OutputSpecification(parsing: spelled) == specification)
    }

    @Test(
        "an invalid specification is refused",
        arguments: [
            "", ":", "alsa:", "pulse:", "wave", "wave:", "wave:@40ppm", "wave:a@99999ppm", "null:x",
            "null@float",
            "null@", "null@40", "nullx", "Alsa", "alsa hw", "-", "wave:a\0b", "null@40ppm@3ppm",
        ])
    func refuses(text: String) {
        let error = #expect(throws: OutputSpecificationError.self) { try OutputSpecification(parsing: text) }
        #expect(error?.description.isEmpty == false)
    }

    @Test("a specification makes the output it names")
    func makes() throws {
        let null = try OutputSpecification(.null).makeOutput(
            preferredRate: .hz48000, periodFrames: 128, machine: SystemMachine())
        #expect(null is NullOutput)
        #expect(null.periodFrames == 128)
        #expect(null.format.sampleRate == .hz48000)
        #expect(
            try OutputSpecification(.wave(path: "x", depth: .int16)).makeOutput(machine: SystemMachine())
                is WaveOutput)
        #expect(
            try OutputSpecification(.alsa(device: "null")).makeOutput(machine: SystemMachine()) is ALSAOutput)
    }

    @Test("the default is the sound server, else ALSA, else an error with advice")
    func preferred() throws {
        func choose(_ pulse: Int32, _ alsa: Int32) throws(OutputError) -> OutputSpecification {
            func check(_ code: Int32) throws(OutputError) {
                if code != 0 {
                    throw OutputError(operation: "open", code: code, description: "error \(code)")
                }
            }
            return try .preferred(
                pulse: { () throws(OutputError) in try check(pulse) },
                alsa: { () throws(OutputError) in try check(alsa) })
        }
        #expect(try choose(0, 2) == OutputSpecification(.pulse(sink: nil)))
        #expect(try choose(6, 0) == OutputSpecification(.alsa(device: "default")))
        let neither = #expect(throws: OutputError.self) { _ = try choose(6, 2) }
        #expect(neither?.description.contains("--output wave:FILE") == true)
        let busy = #expect(throws: OutputError.self) { _ = try choose(6, 16) }
        #expect(busy?.description == "error 16")
    }

    @Test("ALSA always lists its null device")
    func listing() {
        let names = OutputListing.alsa().map(\.specification)
        #expect(names.contains(OutputSpecification(.alsa(device: "null"))))
    }
}
