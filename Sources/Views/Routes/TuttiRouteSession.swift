public import Playback

/// What a ``TuttiRoutePresenter`` shows, and what its user can do, from the opening of a picker to its end. Not
/// a name of Apple's.
///
/// Speakers are looked for while the session is there.
@MainActor
public final class TuttiRouteSession {
    /// All known outputs, with what is selected and how loud they are; local ones first, then by name.
    public private(set) var routes: [TuttiRoute]

    /// The outputs that play together now.
    public var group: [TuttiRoute] { routes.filter(\.isSelected) }

    /// Called after each change of ``routes``.
    public var onChange: (() -> Void)?

    private let chooser: any RouteChoosing
    private let search: RouteSearch
    private var observation: RouteObservation?

    init(_ chooser: any RouteChoosing) {
        self.chooser = chooser
        search = chooser.search()
        routes = chooser.options
        observation = chooser.observe { [weak self] _ in
            // What is there when the main actor comes to it, so that an older list never follows a newer one.
            Task { @MainActor in self?.refresh() }
        }
        refresh()
    }

    private func refresh() {
        let options = chooser.options
        guard options != routes else { return }
        routes = options
        onChange?()
    }

    /// Moves the sound to these outputs; what plays goes on there.
    ///
    /// - Parameter ids: One local output, or one or more speakers, which then are a group.
    /// - Throws: when one of them is not there, or they cannot play together; then nothing changes.
    public func select(_ ids: Set<TuttiRoute.ID>) async throws(RouteError) {
        try await chooser.choose(ids)
        refresh()
    }

    /// Takes an output into the group, or out of it.
    public func setSelected(_ isSelected: Bool, _ id: TuttiRoute.ID) async throws(RouteError) {
        var ids = Set(group.map(\.id))
        if isSelected { ids.insert(id) } else { ids.remove(id) }
        try await select(ids)
    }

    /// - Parameter percent: 0 ... 100; 0 is silence.
    public func setVolume(_ percent: Double, of id: TuttiRoute.ID) {
        guard percent.isFinite else { return }
        chooser.setVolume(max(0, min(percent, 100)), of: id)
    }
}
