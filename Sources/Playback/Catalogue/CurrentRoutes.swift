import Synchronization

/// The outputs that pickers, detectors and volume views of this process show and choose from.
public enum CurrentRoutes {
    private static let chooser = Mutex<any RouteChoosing>(RouteCatalogue.shared)

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
