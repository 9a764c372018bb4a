import Foundation
import Playback
import Synchronization
import TuttiDBus
import TuttiMPRIS

/// The desktop's players of this process: one of the program, and one of each session that only the desktop
/// shows.
///
/// `TUTTI_MPRIS=off` in the environment turns them off.
enum DesktopPlayers {
    /// A hub that the desktop shows. The hub keeps its player, once something is published.
    private struct Admission {
        weak var hub: NowPlayingHub?
        var isShown = false
    }

    private static let admissions = Mutex([Admission(hub: .shared)])

    /// The folder of pictures, which is empty again when the process ends.
    private static let pictures: PictureFolder? = {
        let folder = PictureFolder.standard()
        if folder != nil { atexit { DesktopPlayers.removePictures() } }
        return folder
    }()

    /// Whether a session bus may exist. Asked once: a program does not wait for a desktop.
    static let isPossible = {
        getenv("TUTTI_MPRIS").map { String(cString: $0) } != "off" && BusAddress.session.mayExist
    }()

    /// Shows publications of a hub on the desktop, from the first one on.
    static func admit(_ hub: NowPlayingHub) {
        guard isPossible else { return }
        admissions.withLock { admissions in
            admissions.removeAll { $0.hub == nil }
            admissions.append(Admission(hub: hub))
        }
    }

    /// Takes notice of a publication. Never blocks on the bus.
    static func published(to hub: NowPlayingHub) {
        guard isPossible else { return }
        let isFirst = admissions.withLock { admissions in
            guard let index = admissions.firstIndex(where: { $0.hub === hub }) else { return false }
            defer { admissions[index].isShown = true }
            return !admissions[index].isShown
        }
        if isFirst { DesktopPlayer(hub, name: programName, on: .session, pictures: pictures).start() }
    }

    private static func removePictures() { pictures?.removeAll() }

    /// The name of the program's file.
    private static var programName: String {
        let path = CommandLine.arguments.first ?? "player"
        return path.split(separator: "/").last.map(String.init) ?? "player"
    }
}
