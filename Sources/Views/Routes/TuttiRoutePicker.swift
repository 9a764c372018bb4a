public import Playback

/// Where route buttons lead. Not a name of Apple's.
@MainActor
public enum TuttiRoutePicker {
    /// Shows the outputs; a host toolkit sets its own.
    public static var presenter: any TuttiRoutePresenter = TuttiTerminalPicker()

    /// Whether a picker is open.
    public private(set) static var isPresenting = false

    /// Shows the outputs that the program can play to, and returns when the user is done. Does nothing while
    /// a picker is open.
    ///
    /// - Throws: when nothing can be shown, or there is nothing to choose.
    public static func present(from view: UIView? = nil) async throws(RouteError) {
        try await present(CurrentRoutes.shared, with: presenter, from: view)
    }

    static func present(
        _ routes: any RouteChoosing, with presenter: any TuttiRoutePresenter, from view: UIView?
    ) async throws(RouteError) {
        guard !isPresenting else { return }
        isPresenting = true
        routes.setPasswordPrompt { [weak presenter] route in await presenter?.password(for: route) }
        defer {
            routes.setPasswordPrompt(nil)
            isPresenting = false
        }
        try await presenter.presentRoutes(TuttiRouteSession(routes), from: view)
    }
}
