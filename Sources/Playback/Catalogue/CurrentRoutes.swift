import Synchronization

/// The outputs that pickers, detectors and volume views of this process show and choose from.
public enum CurrentRoutes {
    // The default of the process is set here, and nowhere else.
    private static let chooser = Mutex<any RouteChoosing>(NoRoutes())

    /// May be replaced at any time, from any thread; who looks already goes on with what it has.
    public static var shared: any RouteChoosing {
        get { chooser.withLock { $0 } }
        set {
            // The old one dies outside the lock.
            let old = chooser.withLock { chooser in
                defer { chooser = newValue }
                return chooser
            }
            withExtendedLifetime(old) {}
        }
    }
}

/// No outputs to choose from.
final class NoRoutes: RouteChoosing {
    var options: [RouteOption] { [] }

    func search() -> RouteSearch { RouteSearch {} }

    func observe(_ body: @escaping @Sendable ([RouteOption]) -> Void) -> RouteObservation {
        RouteObservation {}
    }

    func choose(_ ids: Set<RouteOption.ID>) async throws(RouteError) {
        throw RouteError("there is no output to choose")
    }

    func setVolume(_ percent: Double, of id: RouteOption.ID) {}

    func setPasswordPrompt(_ prompt: (@Sendable (RouteOption) async -> String?)?) {}
}
