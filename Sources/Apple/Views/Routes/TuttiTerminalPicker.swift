import Playback

/// The built-in presenter: lists the outputs on the program's terminal and reads a choice from it. Not an
/// Apple API.
///
/// Uses the controlling terminal, so standard input and output may be redirected.
@MainActor
public final class TuttiTerminalPicker: TuttiRoutePresenter {
    private let open: () -> (any PickerTerminal)?
    private var terminal: (any PickerTerminal)?

    /// Creates a picker that opens the program's controlling terminal for each presentation.
    public init() { open = { ControllingTerminal() } }

    init(open: @escaping () -> (any PickerTerminal)?) { self.open = open }

    /// Asks until playback has moved, the user leaves, or the terminal ends.
    ///
    /// - Throws: `RouteError` if the program has no terminal, or is in its background.
    public func presentRoutes(_ session: TuttiRouteSession, from view: UIView?) async throws(RouteError) {
        guard let terminal = open() else {
            throw RouteError("there is no terminal to choose an output on")
        }
        self.terminal = terminal
        defer {
            session.onChange = nil
            self.terminal = nil
        }
        var conversation = PickerConversation(session.routes)
        // Changes are printed only while the user is being asked.
        var isAsking = false
        session.onChange = {
            conversation.update(session.routes)
            if isAsking, let text = conversation.announcement() { terminal.write(text) }
        }
        terminal.write(conversation.greeting())
        while true {
            isAsking = true
            let line = await terminal.readLine(isSecret: false)
            isAsking = false
            guard let line else { return terminal.write("\n") }
            switch conversation.action(for: line) {
            case .leave:
                return
            case .say(let text):
                terminal.write(text)
            case .setVolumes(let percent, let ids):
                for id in ids { session.setVolume(percent, of: id) }
            case .select(let ids):
                if let problem = await select(ids, in: session) {
                    terminal.write(SafeText.text(problem, limit: 400) + "\n")
                } else {
                    return terminal.write(conversation.confirmation(of: ids))
                }
            }
            terminal.write(PickerConversation.prompt)
        }
    }

    /// - Returns: The error's text; `nil` on success.
    private func select(_ ids: Set<TuttiRoute.ID>, in session: TuttiRouteSession) async -> String? {
        do throws(RouteError) {
            try await session.select(ids)
            return nil
        } catch {
            return error.description
        }
    }

    /// Reads a password without echo. Empty input, Ctrl-C, Ctrl-D and the terminal's end cancel.
    public func password(for route: TuttiRoute) async -> String? {
        guard let terminal else { return nil }
        terminal.write("Password of \(SafeText.text(route.name)): ")
        let password = await terminal.readLine(isSecret: true)
        return password?.isEmpty == false ? password : nil
    }
}
