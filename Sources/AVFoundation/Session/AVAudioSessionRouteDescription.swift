import Foundation
import Playback

/// The outputs that are used, as they were at one moment.
open class AVAudioSessionRouteDescription: NSObject, @unchecked Sendable {
    // Safe to share: everything is immutable.
    /// Always empty: nothing is recorded here.
    open var inputs: [AVAudioSessionPortDescription] { [] }
    /// One device of this machine, or one or more speakers on the network.
    open private(set) var outputs: [AVAudioSessionPortDescription]

    init(_ options: [RouteOption]) {
        outputs = options.filter(\.isSelected).map(AVAudioSessionPortDescription.init)
        super.init()
    }

    /// The names of the outputs.
    open override var description: String {
        "<AVAudioSessionRouteDescription, outputs: \(outputs.map(\.portName).joined(separator: ", "))>"
    }
}

/// One output.
open class AVAudioSessionPortDescription: NSObject, @unchecked Sendable {
    // Safe to share: everything is immutable.
    /// What kind it is.
    public let portType: AVAudioSession.Port
    /// For people.
    public let portName: String
    /// Of this output for good: the id of `RouteCatalogue`.
    public let uid: String
    /// Whether it has a codec of its own that a voice chat uses: none here.
    open var hasHardwareVoiceCallProcessing: Bool { false }
    /// Left and right.
    public let channels: [AVAudioSessionChannelDescription]?
    /// Outputs here have no sources to choose from.
    open var dataSources: [AVAudioSessionDataSourceDescription]? { nil }
    /// See ``dataSources``.
    open var selectedDataSource: AVAudioSessionDataSourceDescription? { nil }

    init(_ option: RouteOption) {
        (portType, portName, uid) = (Self.port(of: option), option.name, option.id)
        channels = (1...2).map { AVAudioSessionChannelDescription(number: $0, of: option) }
        super.init()
    }

    /// Sound servers write the kind of a device into its name.
    private static func port(of option: RouteOption) -> AVAudioSession.Port {
        switch option.kind {
        case .airPlay: return .airPlay
        case .bluetooth: return .bluetoothA2DP
        case .local: break
        }
        let words = "\(option.id) \(option.name)".lowercased()
        if words.contains("hdmi") { return .HDMI }
        if words.contains("usb") { return .usbAudio }
        return words.hasSuffix("null") || words.contains("wave:") ? .virtual : .builtInSpeaker
    }
}

/// One channel of an output.
open class AVAudioSessionChannelDescription: NSObject, @unchecked Sendable {
    // Safe to share: everything is immutable.
    /// For people.
    public let channelName: String
    /// From 1 on.
    public let channelNumber: Int
    /// Of its output.
    public let owningPortUID: String
    /// Left or right, as an `AudioChannelLabel`.
    public let channelLabel: UInt32

    init(number: Int, of option: RouteOption) {
        (channelName, channelNumber) = ("\(option.name) \(number)", number)
        (owningPortUID, channelLabel) = (option.id, UInt32(number))
        super.init()
    }
}

/// A source to choose of a port. There is none here: only the name is.
open class AVAudioSessionDataSourceDescription: NSObject, @unchecked Sendable {
    // Safe to share: everything is immutable.
    /// Of the source.
    public let dataSourceID: NSNumber
    /// For people.
    public let dataSourceName: String

    init(id: Int, name: String) {
        (dataSourceID, dataSourceName) = (NSNumber(value: id), name)
        super.init()
    }
}
