internal import Dispatch
internal import Synchronization

/// A dispatch source on one socket that may be armed and disarmed at will, and let go in either state.
///
/// Starts disarmed. The handler runs on the queue, again and again while the socket stays ready.
final class ReadinessSource: @unchecked Sendable {
    // Safe to share: both properties are constant; libdispatch allows every call on a source from
    // any thread, and `isArmed` keeps the calls of suspend and resume in pairs.
    private let source: any DispatchSourceProtocol
    private let isArmed = Mutex(false)

    enum Kind: Sendable { case readable, writable }

    init(
        _ kind: Kind, of socket: SocketDescriptor, on queue: DispatchQueue,
        _ handler: @escaping @Sendable () -> Void
    ) {
        source =
            switch kind {
            case .readable: DispatchSource.makeReadSource(fileDescriptor: socket.number, queue: queue)
            case .writable: DispatchSource.makeWriteSource(fileDescriptor: socket.number, queue: queue)
            }
        source.setEventHandler(handler: DispatchWorkItem(block: handler))
        // The descriptor must outlive the source, which ends only after its cancel handler.
        source.setCancelHandler(handler: DispatchWorkItem { withExtendedLifetime(socket) {} })
    }

    deinit {
        source.cancel()
        // Dispatch traps when a suspended source is released.
        isArmed.withLock { if !$0 { source.resume() } }
    }

    func arm() {
        isArmed.withLock { isArmed in
            guard !isArmed else { return }
            isArmed = true
            source.resume()
        }
    }

    func disarm() {
        isArmed.withLock { isArmed in
            guard isArmed else { return }
            isArmed = false
            source.suspend()
        }
    }
}
