import Synchronization

/// The means to reply to one call, once, from any thread. A responder that is released without a reply
/// refuses the call.
package final class BusResponder: Sendable {
    private let send: @Sendable (BusReply) -> Void
    private let hasReplied = Atomic<Bool>(false)

    /// Makes a responder.
    ///
    /// - Parameter send: Called once, on the thread of the reply.
    package init(_ send: @escaping @Sendable (BusReply) -> Void) { self.send = send }

    deinit { reply(.failure(BusFailure(.failed, "The player did not answer."))) }

    /// Sends the reply; a second one is ignored.
    package func reply(_ reply: BusReply) {
        if !hasReplied.exchange(true, ordering: .relaxed) { send(reply) }
    }
}
