import Playback
import Synchronization

/// One command that people can give from outside the program: a button of a speaker, of the desktop.
///
/// It is offered outside while it is enabled and has a handler. Any thread; handlers run on the main queue.
open class MPRemoteCommand: NSObject, @unchecked Sendable {
    // Safe to share: `state` is guarded, and a handler is only called and let go of as `Handler` says.

    /// A program's closure, which is not sendable.
    private struct Handler: @unchecked Sendable {
        // Safe to share: it is called on the main queue alone.
        let call: (MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus
    }

    private struct State {
        var isEnabled = true
        var handlers: [(token: RemoteCommandTarget, handler: Handler)] = []
    }

    private let state = Mutex(State())
    private let changed: @Sendable () -> Void

    /// - Parameter changed: told of everything that a surface could show differently.
    init(changed: @escaping @Sendable () -> Void) {
        self.changed = changed
        super.init()
    }

    /// Whether people can give the command. True at first.
    open var isEnabled: Bool {
        get { state.withLock { $0.isEnabled } }
        set {
            state.withLock { $0.isEnabled = newValue }
            didChange()
        }
    }

    /// Adds a handler behind those that are there.
    ///
    /// - Parameter handler: called on the main queue for each command, whatever other handlers said.
    /// - Returns: what ``removeTarget(_:)`` takes; it need not be kept for the handler to stay.
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

    /// Takes out the handler of a token, or all handlers for `nil`. What is no token of this command does
    /// nothing.
    open func removeTarget(_ target: Any?) {
        let token = target as? RemoteCommandTarget
        guard target == nil || token != nil else { return }
        // The handlers die outside the lock.
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

    /// Whether the command would be carried out.
    var isOffered: Bool { state.withLock { $0.isEnabled && !$0.handlers.isEmpty } }

    /// Calls the handlers in the order in which they were added. On the main queue.
    ///
    /// - Returns: success if any handler says so, else the first failure.
    func handle(_ event: MPRemoteCommandEvent) -> RemoteCommandOutcome {
        let handlers = state.withLock { $0.isEnabled ? $0.handlers : [] }
        var outcome: RemoteCommandOutcome?
        for (token, handler) in handlers where isHere(token) {
            let status = handler.call(event)
            if status == .success || outcome == nil { outcome = status.outcome }
        }
        return outcome ?? .unsupported
    }

    /// A handler may have taken out another.
    private func isHere(_ token: RemoteCommandTarget) -> Bool {
        state.withLock { $0.handlers.contains { $0.token === token } }
    }
}

/// What a handler is removed by.
private final class RemoteCommandTarget: NSObject, Sendable {}
