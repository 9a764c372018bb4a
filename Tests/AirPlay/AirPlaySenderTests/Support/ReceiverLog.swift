import AirPlayMessages
import TuttiMediaTime
import TuttiRTSP
import TuttiSystemIO

/// The requests and packets that a fake receiver has received, in order.
struct ReceiverLog: Sendable, CustomStringConvertible {
    /// A request of the sender, with its kind.
    struct Entry: Sendable {
        /// The number of the control connection: 1, 2, …
        var connection: Int
        var step: Step
        var request: RTSPRequest
        /// The number of audio packets that had arrived before the request.
        var packetCount: Int
        var at: HostTime
    }

    /// A decrypted packet of the audio connection.
    struct Packet: Sendable, Equatable {
        var connection: Int
        var sequence: UInt32
        var rtpTime: RTPTime
        /// The SSRC field.
        var formatCode: UInt32
        var payload: [UInt8]
        /// The size on the wire, with length, header, tag and nonce.
        var wireBytes: Int
    }

    var entries: [Entry] = []
    var packets: [Packet] = []
    var wireBytes = 0
    /// Answers of the sender on event connections.
    var eventAnswers: [RTSPResponse] = []
    var controlConnections = 0
    var eventConnections = 0
    var dataConnections = 0
    /// Errors in the received bytes, as text.
    var complaints: [String] = []

    var steps: [Step] { entries.map(\.step) }
    func entries(_ step: Step) -> [Entry] { entries.filter { $0.step == step } }
    func count(_ step: Step) -> Int { entries(step).count }

    var description: String {
        "\(steps.map(\.rawValue)), \(packets.count) packets, \(complaints)"
    }
}

/// The kind of a request, as far as the tests distinguish requests.
enum Step: String, Sendable {
    case info, pairSetup, pairVerify, setUpSession, record, setPeers, setUpStream
    /// Rate 1 without an anchor.
    case arm
    case anchor, pause, flush, deferredFlush
    case volume, metadata, artwork, progress, feedback
    case tearDownStream, tearDownSession
    case other

    init(_ request: RTSPRequest) {
        switch request.method {
        case .get where request.path == "/info": self = .info
        case .post where request.path == "/pair-setup": self = .pairSetup
        case .post where request.path == "/pair-verify": self = .pairVerify
        case .post where request.path == "/feedback": self = .feedback
        case .setup:
            let isStream = (try? StreamSetupRequest(body: request.body)) != nil
            self = isStream ? .setUpStream : .setUpSession
        case .record: self = .record
        case .setPeers: self = .setPeers
        case .setRateAnchorTime:
            guard let rate = try? RateAnchor(body: request.body) else {
                self = .other
                return
            }
            self = !rate.isPlaying ? .pause : rate.anchor == nil ? .arm : .anchor
        case .flushBuffered:
            let flush = try? FlushBuffered(body: request.body)
            self = flush.map { $0.isImmediate ? .flush : .deferredFlush } ?? .other
        case .setParameter: self = Self.parameter(request)
        case .teardown:
            self = (try? Teardown(body: request.body)) == .session ? .tearDownSession : .tearDownStream
        default: self = .other
        }
    }

    private static func parameter(_ request: RTSPRequest) -> Step {
        switch request.headers["Content-Type"] {
        case DMAPMetadata.contentType: .metadata
        case "image/jpeg", "image/png", "image/none": .artwork
        case Volume.contentType:
            String(decoding: request.body, as: UTF8.self).hasPrefix("progress") ? .progress : .volume
        default: .other
        }
    }
}
