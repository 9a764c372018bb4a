extension NowPlayingHub {
    /// The hub of this process.
    public static let shared = NowPlayingHub(routes: { CurrentRoutes.shared })
}
