import Foundation
import Playback

/// A snapshot of the selected outputs.
open class AVAudioSessionRouteDescription: NSObject, @unchecked Sendable {
    // Safe to share: everything is immutable.
    /// Always empty: Tutti does not record.
    open var inputs: [AVAudioSessionPortDescription] { [] }
    /// One local device, or one or more network speakers.
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
    /// The kind of output.
    public let portType: AVAudioSession.Port
    /// The output's display name.
    public let portName: String
    /// The output's persistent identifier: the id of `RouteCatalogue`.
    public let uid: String
    /// Always `false`: no output has hardware voice processing.
    open var hasHardwareVoiceCallProcessing: Bool { false }
    /// The left and the right channel.
    public let channels: [AVAudioSessionChannelDescription]?
    /// Always `nil`: outputs have no selectable data sources.
    open var dataSources: [AVAudioSessionDataSourceDescription]? { nil }
    /// Always `nil`. See ``dataSources``.
    open var selectedDataSource: AVAudioSessionDataSourceDescription? { nil }

    init(_ option: RouteOption) {
        (portType, portName, uid) = (Self.port(of: option), option.name, option.id)
        channels = (1...2).map { AVAudioSessionChannelDescription(number: $0, of: option) }
        super.init()
    }

    /// Guesses a local device's kind from its id and name, because sound servers report the kind only there.
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
    /// The channel's display name.
    public let channelName: String
    /// The channel's number, from 1.
    public let channelNumber: Int
    /// The ``AVAudioSessionPortDescription/uid`` of the channel's output.
    public let owningPortUID: String
    /// The `AudioChannelLabel`: left or right.
    public let channelLabel: UInt32

    init(number: Int, of option: RouteOption) {
        (channelName, channelNumber) = ("\(option.name) \(number)", number)
        (owningPortUID, channelLabel) = (option.id, UInt32(number))
        super.init()
    }
}

/// A selectable data source of a port. Tutti creates none; the type exists so that programs compile.
open class AVAudioSessionDataSourceDescription: NSObject, @unchecked Sendable {
    // Safe to share: everything is immutable.
    /// The source's identifier.
    public let dataSourceID: NSNumber
    /// The source's display name.
    public let dataSourceName: String

    init(id: Int, name: String) {
        (dataSourceID, dataSourceName) = (NSNumber(value: id), name)
        super.init()
    }
}
