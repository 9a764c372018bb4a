import Playback

/// The process's routes, for programs that know no others.
public enum SharedCatalogue {
    /// Nothing is selected from the first call on: a choice moves all audio of the process.
    public static let isSilent: Bool = {
        RouteCatalogue.shared.selectNothing()
        return true
    }()
}
