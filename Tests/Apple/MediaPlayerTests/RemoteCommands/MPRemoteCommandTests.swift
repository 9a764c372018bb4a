import Foundation
import Playback
import Testing
import TuttiTestSupport

@testable import MediaPlayer

@Suite("Remote commands", .timeLimit(.minutes(10)))
struct MPRemoteCommandTests {
    let stage = CommandStage()
    let heard = Recorder<[String]>([])

    private func handler(
        _ name: String, _ status: MPRemoteCommandHandlerStatus = .success
    ) -> (MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus {
        { [heard] _ in
            dispatchPrecondition(condition: .onQueue(.main))
            heard.update { $0.append(name) }
            return status
        }
    }

    static let answers: [([MPRemoteCommandHandlerStatus], RemoteCommandOutcome)] = [
        ([.success], .success), ([.commandFailed], .failed), ([.noSuchContent], .noSuchContent),
        ([.noActionableNowPlayingItem], .noActionableItem), ([.deviceNotFound], .deviceNotFound),
        ([.commandFailed, .success], .success), ([.success, .commandFailed], .success),
        ([.noSuchContent, .commandFailed, .deviceNotFound], .noSuchContent),
        ([.commandFailed, .noSuchContent, .success], .success),
        ([], .unsupported),
    ]

    @Test("all handlers are called in order; one success is a success", arguments: answers)
    func outcomes(statuses: [MPRemoteCommandHandlerStatus], outcome: RemoteCommandOutcome) async {
        for (number, status) in statuses.enumerated() {
            stage.center.playCommand.addTarget(handler: handler("\(number)", status))
        }
        #expect(await stage.press(.play) == outcome)
        #expect(heard.value == statuses.indices.map(String.init))
    }

    @Test("a disabled command is unsupported, and can be enabled again")
    func enabled() async {
        let command = stage.center.pauseCommand
        command.addTarget(handler: handler("pause"))
        #expect(command.isEnabled)
        command.isEnabled = false
        #expect(await stage.press(.pause) == .unsupported)
        command.isEnabled = true
        #expect(await stage.press(.pause) == .success)
        #expect(heard.value == ["pause"])
    }

    @Test("a token removes its own handler, nil removes all, anything else nothing")
    func removing() async {
        let command = stage.center.nextTrackCommand
        let first = command.addTarget(handler: handler("1"))
        let second = command.addTarget(handler: handler("2"))
        command.addTarget(handler: handler("3"))
        command.removeTarget("something")
        command.removeTarget(stage.center.playCommand.addTarget(handler: handler("other")))
        command.removeTarget(first)
        command.removeTarget(first)
        #expect(await stage.press(.nextTrack) == .success)
        command.removeTarget(nil)
        command.removeTarget(second)
        #expect(await stage.press(.nextTrack) == .unsupported)
        #expect(heard.value == ["2", "3"])
    }

    @Test("a handler may remove other handlers, and itself")
    func removingInside() async {
        let command = stage.center.stopCommand
        let tokens = Recorder<[Int]>([])
        let heard = heard
        final class Box { var token: Any? }
        let (own, other) = (Box(), Box())
        own.token = command.addTarget { _ in
            heard.update { $0.append("1") }
            command.removeTarget(own.token)
            command.removeTarget(other.token)
            return .commandFailed
        }
        other.token = command.addTarget(handler: handler("2"))
        #expect(await stage.press(.stop) == .failed)
        #expect(await stage.press(.stop) == .unsupported)
        #expect(heard.value == ["1"] && tokens.value.isEmpty)
    }

    @Test("a removed handler is released")
    func lifetime() {
        final class Kept {}
        weak var weakly: Kept?
        let token: Any
        do {
            let kept = Kept()
            weakly = kept
            token = stage.center.playCommand.addTarget { _ in
                withExtendedLifetime(kept) {}
                return .success
            }
        }
        #expect(weakly != nil)
        stage.center.playCommand.removeTarget(token)
        #expect(weakly == nil)
    }

    @Test("a main actor handler runs on the main thread")
    @MainActor func mainActor() async {
        var count = 0
        stage.center.playCommand.addTarget { _ in
            MainActor.assumeIsolated { count += 1 }
            return .success
        }
        #expect(await stage.press(.play) == .success)
        #expect(count == 1)
    }

    @Test("commands run in the order they arrive")
    func order() async throws {
        let heard = heard
        stage.center.changePlaybackPositionCommand.addTarget { event in
            let position = (event as? MPChangePlaybackPositionCommandEvent)?.positionTime ?? -1
            heard.update { $0.append("\(Int(position))") }
            return .success
        }
        for number in 0..<50 {
            stage.hub.send(
                .changePosition(seconds: Double(number)), from: RemoteCommandOrigin(surface: "test")
            ) { _ in }
        }
        let all = try await heard.wait(for: "all") { $0.count == 50 ? $0 : nil }
        #expect(all == (0..<50).map(String.init))
    }

    @Test("handlers may change on any thread while commands arrive")
    func threads() async {
        let (stage, command) = (stage, stage.center.playCommand)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<50 {
                        let token = command.addTarget { _ in .success }
                        _ = await stage.press(.play)
                        command.isEnabled.toggle()
                        command.removeTarget(token)
                    }
                }
            }
        }
        command.isEnabled = true
        #expect(await stage.press(.play) == .unsupported)
    }
}
