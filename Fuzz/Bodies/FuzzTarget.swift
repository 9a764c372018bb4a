/// All fuzz targets. The name of a case is the name of its folder in `Fuzz/Corpus`.
public enum FuzzTarget: String, CaseIterable, Sendable {
    case tlv8 = "TLV8"
    case pairing = "Pairing"
    case rtspMessages = "RTSPMessages"
    case rtspClient = "RTSPClient"
    case rtspServer = "RTSPServer"
    case propertyList = "PropertyList"
    case messageBodies = "MessageBodies"
    case metadata = "Metadata"
    case serviceText = "ServiceText"
    case ptp = "PTP"
    case clockServer = "ClockServer"
    case clockFollower = "ClockFollower"
    case clockSharing = "ClockSharing"
    case ntpTiming = "NTPTiming"
    case secureChannel = "SecureChannel"
    case bufferedStream = "BufferedStream"
    case realtimePackets = "RealtimePackets"
    case receiverSession = "ReceiverSession"
    case raopSession = "RAOPSession"
    case audioFileStream = "AudioFileStream"

    /// Runs the body of this target on one input.
    ///
    /// - Throws: ``BrokenInvariant`` if the input violates a rule. A trap is the other
    ///   kind of finding.
    public func run(_ bytes: [UInt8]) throws(BrokenInvariant) {
        switch self {
        case .tlv8: try fuzzTLV8(bytes)
        case .pairing: try fuzzPairing(bytes)
        case .rtspMessages: try fuzzRTSPMessages(bytes)
        case .rtspClient: try fuzzRTSPClient(bytes)
        case .rtspServer: try fuzzRTSPServer(bytes)
        case .propertyList: try fuzzPropertyList(bytes)
        case .messageBodies: try fuzzMessageBodies(bytes)
        case .metadata: try fuzzMetadata(bytes)
        case .serviceText: try fuzzServiceText(bytes)
        case .ptp: try fuzzPTP(bytes)
        case .clockServer: try fuzzClockServer(bytes)
        case .clockFollower: try fuzzClockFollower(bytes)
        case .clockSharing: try fuzzClockSharing(bytes)
        case .ntpTiming: try fuzzNTPTiming(bytes)
        case .secureChannel: try fuzzSecureChannel(bytes)
        case .bufferedStream: try fuzzBufferedStream(bytes)
        case .realtimePackets: try fuzzRealtimePackets(bytes)
        case .receiverSession: try fuzzReceiverSession(bytes)
        case .raopSession: try fuzzRAOPSession(bytes)
        case .audioFileStream: try fuzzAudioFileStream(bytes)
        }
    }

    /// Runs one input for a fuzzer: a violated rule ends the program.
    ///
    /// - Parameter start: The first byte of the input; `nil` for no bytes.
    public func run(start: UnsafePointer<UInt8>?, count: Int) {
        do {
            try run(Array(UnsafeBufferPointer(start: start, count: count)))
        } catch {
            fatalError("\(self): \(error)")
        }
    }
}

/// A rule that must hold for every input, and does not hold for this one.
public struct BrokenInvariant: Error, CustomStringConvertible, Sendable {
    public let description: String
}

/// - Parameter rule: The violated rule, as a sentence.
func require(_ condition: Bool, _ rule: @autoclosure () -> String) throws(BrokenInvariant) {
    guard condition else { throw BrokenInvariant(description: rule()) }
}
