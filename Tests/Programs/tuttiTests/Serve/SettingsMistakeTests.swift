import Testing
import TuttiServiceHost

@testable import tutti

@Suite("Texts of the configuration file with which the service does not start")
struct SettingsMistakeTests {
    @Test("are mistakes, in outputs and in inputs")
    func mistakes() throws {
        var settings = try HouseSettings.read(path: nil, environment: ["HOME": "/home/none"]).settings
        #expect(settings.mistake == nil)
        settings.inputs.pipes = ["run/radio"]
        #expect(settings.mistake?.hasPrefix("[inputs] pipes: ") == true)
        settings.inputs.pipes = []
        settings.rooms.outputs = ["nothing:like:that"]
        #expect(settings.mistake?.hasPrefix("[rooms] outputs: ") == true)
    }
}
