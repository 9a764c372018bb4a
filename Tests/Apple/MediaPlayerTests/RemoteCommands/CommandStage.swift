import Playback
import Synchronization
import TuttiMediaTime
import TuttiRouteTestSupport
import TuttiSystemIO

@testable import MediaPlayer

/// Host time that only the test advances.
final class StillClock: HostClock {
    private let time = Mutex(HostTime(nanoseconds: 1_000_000_000_000))

    var now: HostTime { time.withLock { $0 } }

    func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
}

/// A command center with its own hub, and a way to press its buttons.
struct CommandStage {
    let clock = StillClock()
    let hub: NowPlayingHub
    let info: MPNowPlayingInfoCenter
    let center: MPRemoteCommandCenter

    init() {
        hub = NowPlayingHub(machine: SystemMachine(clock: clock), routes: { FakeRoutes() })
        let info = MPNowPlayingInfoCenter(hub: hub, clock: clock)
        self.info = info
        center = MPRemoteCommandCenter(
            hub: hub, clock: clock, languageOption: { info.languageOption(identifier: $0) })
    }

    func press(_ command: RemoteCommand) async -> RemoteCommandOutcome {
        await hub.send(command, from: RemoteCommandOrigin(surface: "test"))
    }
}
