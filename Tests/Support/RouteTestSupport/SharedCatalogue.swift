import Playback

/// The process's routes, for programs that know no others.
package enum SharedCatalogue {
    /// Nothing is selected from the first call on: a choice moves all audio of the process.
    package static let isSilent: Bool = {
        RouteCatalogue.shared.selectNothing()
        return true
    }()
}
