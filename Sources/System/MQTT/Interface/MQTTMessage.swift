/// A message that is published, or that came from a subscription.
package struct MQTTMessage: Hashable, Sendable {
    /// The name of the topic, without wildcards.
    package var topic: String
    /// The bytes; empty and retained removes what the broker keeps of the topic.
    package var payload: [UInt8]
    /// Whether the broker keeps the message for later subscribers. In a received message: whether the broker
    /// had kept it, so that it may be old.
    package var isRetained: Bool

    /// Makes a message of bytes.
    package init(topic: String, payload: [UInt8], isRetained: Bool = false) {
        (self.topic, self.payload, self.isRetained) = (topic, payload, isRetained)
    }

    /// Makes a message of text, in UTF-8.
    package init(topic: String, text: String, isRetained: Bool = false) {
        self.init(topic: topic, payload: Array(text.utf8), isRetained: isRetained)
    }

    /// The payload as text; invalid UTF-8 becomes replacement characters.
    package var text: String { String(decoding: payload, as: UTF8.self) }
}
