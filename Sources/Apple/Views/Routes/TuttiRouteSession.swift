import Playback

/// The outputs and actions for a ``TuttiRoutePresenter`` while its picker is open. Not an Apple API.
///
/// Tutti searches for speakers while the session exists.
@MainActor
public final class TuttiRouteSession {
    /// All known outputs, with selection and volume; local outputs first, then by name.
    public private(set) var routes: [TuttiRoute]

    /// The outputs that currently play together.
    public var group: [TuttiRoute] { routes.filter(\.isSelected) }

    /// Called on the main actor after each change of ``routes``.
    public var onChange: (() -> Void)?

    private let chooser: any RouteChoosing
    private let search: RouteObservation
    private var observation: RouteObservation?

    init(_ chooser: any RouteChoosing) {
        self.chooser = chooser
        search = chooser.search()
        routes = chooser.options
        observation = chooser.observe { [weak self] _ in
            // Reads the current options on the main actor, so that an older list never replaces a newer one.
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

    /// Moves playback to these outputs without stopping it.
    ///
    /// - Parameter ids: One local output, or one or more speakers, which then form a group.
    /// - Throws: `RouteError` if an output is not available, or the outputs cannot play together; the
    ///   selection is then unchanged.
    public func select(_ ids: Set<TuttiRoute.ID>) async throws(RouteError) {
        try await chooser.choose(ids)
        refresh()
    }

    /// Adds an output to the group, or removes it.
    public func setSelected(_ isSelected: Bool, _ id: TuttiRoute.ID) async throws(RouteError) {
        var ids = Set(group.map(\.id))
        if isSelected { ids.insert(id) } else { ids.remove(id) }
        try await select(ids)
    }

    /// Sets an output's volume; ignores a non-finite value.
    ///
    /// - Parameter percent: The volume, clamped to 0 ... 100; 0 is silence.
    public func setVolume(_ percent: Double, of id: TuttiRoute.ID) {
        guard percent.isFinite else { return }
        chooser.setVolume(max(0, min(percent, 100)), of: id)
    }
}
