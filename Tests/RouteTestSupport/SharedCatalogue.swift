import Playback

/// The routes of the process, for programs that know no others.
public enum SharedCatalogue {
    /// Nothing is chosen, from the first call on: a choice moves all that plays in the process.
    public static let isSilent: Bool = {
        RouteCatalogue.shared.selectNothing()
        return true
    }()
}
