/// A receiver's button, as four letters.
public struct MediaRemoteCommand: RawRepresentable, Hashable, Sendable {
    /// The four letters.
    public let rawValue: String

    /// Creates a command from its four letters.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Plays. See ``pause`` about HomePod.
    public static let play = MediaRemoteCommand(rawValue: "play")
    /// Pauses. A touch of a HomePod may send play for pause and vice versa (*observed*): treat both as a
    /// toggle.
    public static let pause = MediaRemoteCommand(rawValue: "paus")
    /// Skips to the next item.
    public static let nextItem = MediaRemoteCommand(rawValue: "nitm")
    /// Skips to the previous item.
    public static let previousItem = MediaRemoteCommand(rawValue: "pitm")
}

/// Body of `POST /command` on the event channel, receiver to sender.
public enum EventCommand: PropertyListMessage, Hashable {
    /// A button of the receiver was pressed.
    case mediaRemote(MediaRemoteCommand)
    /// The receiver's `/info` has changed; shairport-sync also sends this once at the start.
    case updateInfo(ReceiverInfo)
    /// An unknown type, or a known type with an unexpected value; answer 200 nevertheless.
    case other(type: String, value: PropertyList?)

    package init(propertyList: PropertyList) throws(MessageError) {
        let fields = try PropertyListFields(propertyList)
        let type = try fields.required(fields["type"]?.stringValue, "type")
        let value = fields["value"]
        switch (type, value) {
        case ("sendMediaRemoteCommand", .string(let letters)):
            self = .mediaRemote(MediaRemoteCommand(rawValue: letters))
        case ("updateInfo", .dictionary(let info)): self = .updateInfo(ReceiverInfo(fields: info))
        default: self = .other(type: type, value: value)
        }
    }

    package var propertyList: PropertyList {
        switch self {
        case .mediaRemote(let command):
            ["type": "sendMediaRemoteCommand", "value": .string(command.rawValue)]
        case .updateInfo(let info): ["type": "updateInfo", "value": info.propertyList]
        case .other(let type, let value): dictionary(["type": .string(type), "value": value])
        }
    }
}
