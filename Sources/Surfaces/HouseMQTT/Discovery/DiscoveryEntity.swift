/// An entity that Home Assistant makes of a retained message.
struct DiscoveryEntity: Hashable, Sendable {
    /// The kinds of entities, as topics name them.
    enum Component: String, CaseIterable, Sendable {
        case sensor, number, button
        case toggle = "switch"
        case select
        case binarySensor = "binary_sensor"
    }

    let topic: String
    let payload: [UInt8]
}
