/// The commands of PulseAudio's native protocol that a tunnel and its server exchange.
enum NativeCommand {
    static let error: UInt32 = 0
    static let reply: UInt32 = 2
    static let createPlaybackStream: UInt32 = 3
    static let authenticate: UInt32 = 8
    static let setClientName: UInt32 = 9
    static let drainPlaybackStream: UInt32 = 12
    static let playbackLatency: UInt32 = 14
    static let serverInfo: UInt32 = 20
    static let sinkInfo: UInt32 = 21
    static let sinkInputInfo: UInt32 = 29
    static let subscribe: UInt32 = 35
    static let setSinkInputVolume: UInt32 = 37
    static let corkPlaybackStream: UInt32 = 41
    static let flushPlaybackStream: UInt32 = 42
    static let triggerPlaybackStream: UInt32 = 43
    static let setPlaybackStreamName: UInt32 = 46
    static let prebufferPlaybackStream: UInt32 = 60
    /// From the server: send so many bytes.
    static let request: UInt32 = 61
    /// From the server: an object changed.
    static let subscriptionEvent: UInt32 = 66
    static let setSinkInputMute: UInt32 = 69
    static let updatePlaybackStreamProperties: UInt32 = 81
    static let updateClientProperties: UInt32 = 82
    /// From the server: playback began. The tunnel then asks for the latency.
    static let started: UInt32 = 86

    /// The tag of a message that expects no answer.
    static let noTag: UInt32 = .max
    /// Index of no object.
    static let noIndex: UInt32 = .max
    /// The event "a sink input changed": facility 2, change 0x10.
    static let sinkInputChanged: UInt32 = 0x12
    /// The error "not supported".
    static let notSupported: UInt32 = 19

    /// The version of the protocol that this side speaks, from 2008: later ones add only fields that nobody
    /// needs here.
    static let version: UInt32 = 13
}
