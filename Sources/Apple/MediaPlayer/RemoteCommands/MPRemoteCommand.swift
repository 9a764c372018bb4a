import Playback
import Synchronization

/// A command that the user gives outside the program, e.g. by a button of a speaker or the desktop.
///
/// Surfaces offer the command while it is enabled and has a handler. Callable from any thread; handlers run
/// on the main queue.
open class MPRemoteCommand: NSObject, @unchecked Sendable {
    // Safe to share: `state` has a lock; see `Handler` for the use of handlers.

    /// A program's closure, which is not Sendable.
    private struct Handler: @unchecked Sendable {
        // Safe to share: only the main queue calls the closure.
        let call: (MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus
    }

    private struct State {
        var isEnabled = true
        var handlers: [(token: RemoteCommandTarget, handler: Handler)] = []
    }

    private let state = Mutex(State())
    private let changed: @Sendable () -> Void

    /// - Parameter changed: Called after every change that a surface may show.
    init(changed: @escaping @Sendable () -> Void) {
        self.changed = changed
        super.init()
    }

    /// Whether the user can give the command; `true` at first.
    open var isEnabled: Bool {
        get { state.withLock { $0.isEnabled } }
        set {
            state.withLock { $0.isEnabled = newValue }
            didChange()
        }
    }

    /// Adds a handler after the existing handlers.
    ///
    /// - Parameter handler: Called on the main queue for each event, whatever other handlers return.
    /// - Returns: A token for ``removeTarget(_:)``; the handler stays even if the caller drops the token.
    @discardableResult
    open func addTarget(
        handler: @escaping (MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus
    ) -> Any {
        let token = RemoteCommandTarget()
        let boxed = Handler(call: handler)
        state.withLock { $0.handlers.append((token, boxed)) }
        didChange()
        return token
    }

    /// Removes the handler of a token, or all handlers for `nil`. Ignores other objects.
    open func removeTarget(_ target: Any?) {
        let token = target as? RemoteCommandTarget
        guard target == nil || token != nil else { return }
        // Release the handlers outside the lock.
        let removed = state.withLock { state in
            let all = state.handlers
            state.handlers.removeAll { token == nil || $0.token === token }
            return all
        }
        withExtendedLifetime(removed) {}
        didChange()
    }

    func didChange() { changed() }

    // MARK: For the command center

    /// Whether the command is enabled and has a handler.
    var isOffered: Bool { state.withLock { $0.isEnabled && !$0.handlers.isEmpty } }

    /// Calls the handlers in the order of ``addTarget(handler:)``. Call on the main queue only.
    ///
    /// - Returns: Success if any handler succeeds, else the first failure.
    func handle(_ event: MPRemoteCommandEvent) -> RemoteCommandOutcome {
        let handlers = state.withLock { $0.isEnabled ? $0.handlers : [] }
        var outcome: RemoteCommandOutcome?
        for (token, handler) in handlers where isHere(token) {
            let status = handler.call(event)
            if status == .success || outcome == nil { outcome = status.outcome }
        }
        return outcome ?? .unsupported
    }

    /// Whether the handler still exists: an earlier handler may have removed it.
    private func isHere(_ token: RemoteCommandTarget) -> Bool {
        state.withLock { $0.handlers.contains { $0.token === token } }
    }
}

/// The token of a handler.
private final class RemoteCommandTarget: NSObject, Sendable {}
