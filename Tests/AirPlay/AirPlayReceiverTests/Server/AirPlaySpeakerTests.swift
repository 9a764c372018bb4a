import AirPlayMessages
import Testing
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlayReceiver

@Suite("A speaker from outside", .tags(.machine))
struct AirPlaySpeakerTests {
    @Test("the speaker listens, reports events, and stops")
    func life() async throws {
        var configuration = SpeakerConfiguration(name: "Kitchen")
        configuration.addresses = [.loopbackV4, .loopbackV6]
        configuration.port = 0
        configuration.limits = SpeakerStage.limits
        let speaker = AirPlaySpeaker(
            configuration: configuration, identity: StageIdentity(), clock: StageClock(),
            machine: SystemMachine(), makeSink: { _ in RecordingSink() })
        let port = try speaker.start()
        #expect(speaker.status.sender == nil)
        let sender = try await HandSender(SocketAddress(.loopbackV4, port: port))
        try await sender.pair()
        _ = try await sender.open(.stage(), try .stage())
        #expect(speaker.status.sender?.name == "Phone")
        #expect(speaker.status.stream != nil)
        speaker.setVolume(Volume(decibels: -3))
        #expect(speaker.status.volume == Volume(decibels: -3))
        await speaker.close()
        try await sender.waitForClose()
        var events: [SpeakerEvent] = []
        for await event in speaker.events { events.append(event) }
        let phone = SenderDescription(name: "Phone", model: nil, address: .loopbackV4)
        #expect(events.prefix(2) == [.sessionStarted(phone), .source(.buffered, .alac44100x16)])
        #expect(events.contains(.volume(Volume(decibels: -3))))
        #expect(speaker.status.sender == nil)
    }
}
