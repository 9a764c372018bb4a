/// An event of a client.
package enum MQTTEvent: Sendable, Hashable {
    /// The broker has accepted the connection, and has the subscriptions. It knows nothing of earlier
    /// connections but retained messages.
    case connected
    /// A message of a subscription.
    case message(MQTTMessage)
    /// Received messages were dropped because of their length; their number.
    case oversized(Int)
    /// There is no connection; the client tries again by itself.
    case disconnected(MQTTFailure)
}
