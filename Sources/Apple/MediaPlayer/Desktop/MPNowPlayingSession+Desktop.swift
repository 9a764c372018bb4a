import AVFoundation
import Playback
import TuttiSystemIO

extension MPNowPlayingSession {
    /// Returns a session that only the desktop shows, by MPRIS; `nil` where no desktop can be. Tutti's
    /// extension.
    ///
    /// The session's publications do not reach the speakers' displays, and its commands come from the desktop
    /// alone: for programs whose items say by `AVPlayerItem.tuttiSpeakerDisplay` what speakers show. Other
    /// programs need no session: the desktop shows what they publish for the speakers.
    public static func tuttiDesktop(_ players: [AVPlayer]) -> MPNowPlayingSession? {
        guard DesktopPlayers.isPossible else { return nil }
        let hub = NowPlayingHub(machine: SystemMachine(), routes: { CurrentRoutes.shared })
        DesktopPlayers.admit(hub)
        return MPNowPlayingSession(players: players, hub: hub, registry: .shared, clock: SystemClock())
    }
}
