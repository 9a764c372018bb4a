import Testing
import TuttiAudioOutput
import TuttiClockService
import TuttiCommandLineInterface
import TuttiSystemIO

@testable import tutti

@Suite("Reasons why tutti speaker cannot start")
struct SpeakerCommandTests {
    private static let errors: [(any Error, TuttiCommandLineInterface.ExitStatus)] = [
        (OutputError(operation: "snd_pcm_open", code: 2, description: "no such device"), .unavailable),
        (OutputError(operation: "snd_pcm_open", code: 16, description: "busy"), .busy),
        (OutputError(operation: "pa_context_connect", code: 16, description: "no data"), .unavailable),
        (ClockServiceError.portTaken(port: 319, holder: nil), .busy),
        (ClockServiceError.portForbidden(port: 319), .noAccess),
        (ClockServiceError.folderForbidden(folder: "/run/tutti", port: 319, holder: nil), .noAccess),
        (SystemError(operation: "bind", code: 98), .busy),
        (SystemError(operation: "bind", code: 13), .noAccess),
        (SystemError(operation: "socket", code: 24), .failure),
    ]

    @Test("each has the exit status of its kind", arguments: errors.indices)
    func status(index: Int) {
        let (error, status) = Self.errors[index]
        #expect(SpeakerCommand.status(of: error) == status, "\(error)")
    }

    @Test("an ALSA device that does not exist ends the command with the status of what is not there")
    func missingDevice() {
        let specification = OutputSpecification(.alsa(device: "nothere"))
        let error = #expect(throws: OutputError.self) {
            try specification.makeOutput(machine: SystemMachine())
        }
        #expect(error.map { SpeakerCommand.status(of: $0) } == .unavailable)
    }
}
