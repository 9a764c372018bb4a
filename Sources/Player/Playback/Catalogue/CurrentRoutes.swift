import Synchronization

/// The outputs that this process's pickers, detectors and volume views show and choose from.
public enum CurrentRoutes {
    private static let chooser = Mutex<any RouteChoosing>(RouteCatalogue.shared)

    /// The current outputs; ``RouteCatalogue/shared`` by default. Any thread may replace the object. Existing
    /// observers keep the object they had.
    public static var shared: any RouteChoosing {
        get { chooser.withLock { $0 } }
        set {
            // Releases the old object outside the lock.
            let old = chooser.withLock { chooser in
                defer { chooser = newValue }
                return chooser
            }
            withExtendedLifetime(old) {}
        }
    }
}
