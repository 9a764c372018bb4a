public import Playback

/// An output to choose, as a presenter shows it. Not a name of Apple's.
public typealias TuttiRoute = RouteOption

/// How a host shows the outputs to choose from. Not a name of Apple's.
///
/// There is no system on Linux that presents the list of speakers, so a toolkit adopts this and sets itself as
/// ``TuttiRoutePicker/presenter``; every route button of AVKit and MediaPlayer then leads there. The built-in one is
/// ``TuttiTerminalPicker``.
@MainActor
public protocol TuttiRoutePresenter: AnyObject, Sendable {
    /// Shows the outputs until the user is done with them, and returns then.
    ///
    /// - Parameters:
    ///   - session: What there is to show, and what can be done. Looks for speakers as long as this runs.
    ///   - view: What was pressed; `nil` when nothing was.
    /// - Throws: when nothing can be shown, in words a user can act on.
    func presentRoutes(_ session: TuttiRouteSession, from view: UIView?) async throws(RouteError)

    /// Asks for the password or PIN of an output that was just chosen, while ``presentRoutes(_:from:)`` runs.
    ///
    /// - Returns: `nil` when the user gives up.
    func password(for route: TuttiRoute) async -> String?
}
