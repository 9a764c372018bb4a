import Playback

/// The picker that route buttons open. Not an Apple API.
@MainActor
public enum TuttiRoutePicker {
    /// The presenter that shows the outputs; a host toolkit sets its own.
    public static var presenter: any TuttiRoutePresenter = TuttiTerminalPicker()

    /// Whether a picker is open.
    public private(set) static var isPresenting = false

    /// Shows the available outputs and returns when the user is done. Does nothing while a picker is open.
    ///
    /// - Throws: `RouteError` if the presenter cannot show anything.
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
