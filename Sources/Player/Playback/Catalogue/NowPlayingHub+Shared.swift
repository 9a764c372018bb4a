import TuttiSystemIO

extension NowPlayingHub {
    /// The hub of this process.
    public static let shared = NowPlayingHub(machine: SystemMachine(), routes: { CurrentRoutes.shared })
}
