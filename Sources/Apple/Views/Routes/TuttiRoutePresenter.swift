import Playback

/// An output as shown by a presenter. Not an Apple API.
public typealias TuttiRoute = RouteOption

/// A type that lets a host show the outputs to choose from. Not an Apple API.
///
/// Linux has no system service that presents the list of speakers. A toolkit adopts this protocol and sets
/// itself as ``TuttiRoutePicker/presenter``; all route buttons of AVKit and MediaPlayer then use it. The
/// built-in presenter is ``TuttiTerminalPicker``.
@MainActor
public protocol TuttiRoutePresenter: AnyObject, Sendable {
    /// Shows the outputs, and returns when the user is done.
    ///
    /// - Parameters:
    ///   - session: The outputs and the available actions. Tutti searches for speakers during the call.
    ///   - view: The pressed view; `nil` if there is none.
    /// - Throws: `RouteError` if nothing can be shown, with a message that tells the user what to do.
    func presentRoutes(_ session: TuttiRouteSession, from view: UIView?) async throws(RouteError)

    /// Asks for the password or PIN of the output just chosen, while ``presentRoutes(_:from:)`` runs.
    ///
    /// - Returns: `nil` if the user cancels.
    func password(for route: TuttiRoute) async -> String?
}
