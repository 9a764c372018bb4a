import AirPlayMessages
import CoreMedia
import Foundation
import Playback
import Testing
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlayReceiver
@testable import AirPlaySender
@testable import MediaPlayer

@Suite(
    "Published items appear on a speaker, and its buttons reach the program",
    .timeLimit(.minutes(10)), .tags(.machine))
struct PublishedItemsTests {
    /// A program that plays to our speaker: everything but the audio path.
    struct Program {
        let stage: SpeakerStage
        let group: SpeakerGroup
        let surface: SpeakerSurface
        let events = Recorder<[SpeakerGroupEvent]>([])
        let info: MPNowPlayingInfoCenter
        let commands: MPRemoteCommandCenter
        private static let format = AudioWireFormat.alac44100x16

        init() throws {
            stage = try SpeakerStage()
            let clock = StageSenderClock()
            let store = AirPlaySender.PacketStore()
            let group = SpeakerGroup(
                targets: [SpeakerTarget(name: "Stage", addresses: [stage.address])], store: store,
                identity: SenderIdentity(name: "Phone", clock: clock.identity), clock: clock,
                machine: SystemMachine())
            group.setFormat(Self.format)
            for number in 0..<200 {
                let frame = Int64(number * Self.format.framesPerPacket)
                [UInt8](repeating: 7, count: 400).withUnsafeBytes {
                    store.append(
                        frame: frame, frameCount: Self.format.framesPerPacket, format: Self.format,
                        payload: $0)
                }
            }
            let hub = NowPlayingHub(machine: SystemMachine(), routes: { nil })
            let surface = SpeakerSurface(hub: hub, machine: SystemMachine(), routes: { nil })
            surface.start { tracks in
                group.setTracks(
                    tracks.map { track in
                        ScheduledTrack(
                            frame: Int64(track.start.seconds * 44_100),
                            frameCount: track.duration.isNumeric
                                ? Int64(track.duration.seconds * 44_100) : 0,
                            metadata: track.metadata)
                    })
            }
            Task { [events] in
                for await event in group.events {
                    events.update { $0.append(event) }
                    surface.take(event)
                }
            }
            info = MPNowPlayingInfoCenter(hub: hub, clock: SystemClock())
            commands = MPRemoteCommandCenter(hub: hub, clock: SystemClock()) { _ in nil }
            (self.group, self.surface) = (group, surface)
        }

        /// Starts the audio; from then on audible frames are on the line.
        func start() {
            group.start(at: 0, host: nil) { [surface] instant in
                surface.lineDidChange(PresentationLine(time: .zero, host: instant, rate: 1))
            }
        }
    }

    private static let picture =
        Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]) + Data("IHDR".utf8)
        + Data([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0])

    @Test("text, picture and position are shown")
    func displays() async throws {
        let program = try Program()
        program.surface.lineDidChange(
            PresentationLine(time: .zero, host: HostTime(nanoseconds: 0), rate: 0))
        let image = try #require(UIImage(data: Self.picture))
        program.info.nowPlayingInfo = [
            MPMediaItemPropertyTitle: "Tïtle", MPMediaItemPropertyArtist: "Artist",
            MPMediaItemPropertyPlaybackDuration: 200, MPNowPlayingInfoPropertyElapsedPlaybackTime: 30.0,
            MPMediaItemPropertyArtwork: MPMediaItemArtwork(boundsSize: image.size) { _ in image },
        ]
        program.start()
        let events = program.stage.events
        let text = try await events.wait(for: "the text") { events in
            events.lazy.compactMap { if case .metadata(let text, _) = $0 { text } else { nil } }.first
        }
        #expect(text.title == "Tïtle" && text.artist == "Artist" && text.durationMilliseconds == 200_000)
        let picture = try await events.wait(for: "the picture") { events in
            events.lazy.compactMap { if case .artwork(.png, let bytes, _) = $0 { bytes } else { nil } }.first
        }
        #expect(picture == [UInt8](Self.picture))
        let progress = try await events.wait(for: "the place") { events in
            events.lazy.compactMap { if case .progress(let progress) = $0 { progress } else { nil } }.first
        }
        #expect(progress.end.frames(since: progress.start) == 200 * 44_100)
        let place = progress.current.frames(since: progress.start)
        #expect(place >= 30 * 44_100 && place < 40 * 44_100)

        // The next item has no artwork: the previous artwork is removed.
        program.info.nowPlayingInfo = [MPMediaItemPropertyTitle: "Next"]
        _ = try await events.wait(for: "no picture") { events in
            events.contains { if case .artwork(.cleared, _, _) = $0 { true } else { false } } ? 1 : nil
        }
        await program.group.close()
    }

    @Test("buttons reach the program")
    func buttons() async throws {
        let program = try Program()
        program.start()
        _ = try await program.stage.sink().log.wait(for: "an anchor") { $0.timelines.first }
        let pressed = Recorder<[String]>([])
        for (name, command) in [
            ("pause", program.commands.pauseCommand), ("play", program.commands.playCommand),
            ("next", program.commands.nextTrackCommand),
        ] {
            command.addTarget { _ in
                pressed.update { $0.append(name) }
                return .success
            }
        }
        // The speaker's first event: from then on its buttons work.
        _ = try await program.events.wait(for: "the greeting") { events in
            events.contains { if case .command(_, .updateInfo) = $0 { true } else { false } } ? 1 : nil
        }
        program.stage.server.press(.play)
        program.stage.server.press(.nextItem)
        let heard = try await pressed.wait(for: "both buttons") { $0.count == 2 ? $0 : nil }
        // Playback is running, so the play button can only mean pause.
        #expect(heard == ["pause", "next"])
        await program.group.close()
    }
}
