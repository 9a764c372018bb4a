import AirPlayMessages
import HomeKitPairing
import Synchronization
import TuttiMediaTime
import TuttiRTSP
import TuttiTestSupport

@testable import AirPlaySender

/// The state that a fake receiver and all its connections share.
final class ReceiverState: Sendable {
    /// The behaviour of the receiver, which a test may change while the receiver runs.
    struct Situation: Sendable {
        var model = "ShairportSync"
        var password: String?
        /// Whether `/info` says that a password is needed.
        var showsPassword = true
        var pairingError: PairingError?
        /// The number of pairing attempts still to refuse with `pairingError`.
        var pairingRefusals = Int.max
        /// The retry delay, in seconds, of a receiver that is too busy to pair; `nil`: not too busy.
        var pairsInSeconds: Int?
        var hasEventPort = true
        var hasDataPort = true
        /// The number of anchors still to refuse with 400.
        var anchorRefusals = 0
        /// The number of anchors that need their beginning and still arrive 30 ms too late.
        var lateStarts = 0
        /// The number of immediate flushes still to refuse with 500.
        var flushRefusals = 0
        /// The number of deferred flushes still to refuse with 500.
        var cutRefusals = 0
        /// The RTP time of the first frame that is not heard, in the answer to each pause.
        var soundEnd: RTPTime?
        /// The number of volumes still to refuse with 455.
        var volumeRefusals = 0
        var readsAudio = true
        /// The number of feedback answers that still report no packet as read; `nil`: the answers are empty.
        var unreadFeedbacks: Int?
        /// The request after whose answer the control connection closes, once.
        var closesAfter: Step?
        /// The request at which the control connection closes instead of answering, once.
        var closesInsteadOf: Step?
        var setupStatus = RTSPStatus.ok
        /// The announced buffer size; `nil`: none is announced.
        var bufferBytes: Int? = 8 << 20
        var answersWithGarbage = false
        /// Requests that get no answer until ``FakeReceiver/release(_:)``.
        var held: Set<Step> = []

        static let standard = Situation()
        static func rejectsPairing(_ error: PairingError, times: Int = .max) -> Situation {
            with { ($0.pairingError, $0.pairingRefusals) = (error, times) }
        }
        static func needsPassword(_ password: String) -> Situation { with { $0.password = password } }
        static let noEventPort = with { $0.hasEventPort = false }
        static let noDataPort = with { $0.hasDataPort = false }
        static func refusesAnchor(times: Int) -> Situation { with { $0.anchorRefusals = times } }
        static func missesBeginnings(times: Int) -> Situation {
            with { ($0.model, $0.lateStarts) = ("Tutti1,1", times) }
        }
        static func refusesVolume(times: Int) -> Situation { with { $0.volumeRefusals = times } }
        static func refusesFlush(times: Int) -> Situation { with { $0.flushRefusals = times } }
        static func refusesCut(times: Int) -> Situation { with { $0.cutRefusals = times } }
        static let stallsAfterSetup = with { $0.readsAudio = false }
        static func closesAfter(_ step: Step) -> Situation { with { $0.closesAfter = step } }
        static func closesInsteadOf(_ step: Step) -> Situation { with { $0.closesInsteadOf = step } }
        static let busy453 = with { $0.setupStatus = .notEnoughBandwidth }
        static func smallBuffer(_ bytes: Int) -> Situation { with { $0.bufferBytes = bytes } }
        static let answersWithGarbage = with { $0.answersWithGarbage = true }
        static func holds(_ step: Step) -> Situation { with { $0.held = [step] } }
        /// A receiver that keeps up with any pace, so that the sender sends at line speed.
        static let fast = with { $0.model = "Tutti1,1" }
        /// A device that is silent until text about a track has come.
        static let wantsText = with { $0.model = "Sonos" }

        private static func with(_ change: (inout Situation) -> Void) -> Situation {
            var situation = Situation()
            change(&situation)
            return situation
        }
    }

    let name: String
    let log = Recorder(ReceiverLog())
    private let situation: Mutex<Situation>

    init(_ situation: Situation, name: String) {
        self.name = name
        self.situation = Mutex(situation)
    }

    /// Reads or changes the situation.
    func use<Result: Sendable>(_ body: (inout Situation) -> Result) -> Result {
        situation.withLock { body(&$0) }
    }

    var info: ReceiverInfo {
        let situation = situation.withLock { $0 }
        let asks = situation.password != nil && situation.showsPassword
        return ReceiverInfo(
            name: name, model: situation.model, deviceID: "02:00:00:00:00:01",
            features: [.audio, .bufferedAudio, .ptp, .transientPairing, .homeKitPairing],
            statusFlags: asks ? [.passwordRequired] : [], sourceVersion: "366.0",
            publicKey: Array(0..<32),
            bufferedFormats: [AudioWireFormat.alac44100x16.mask, AudioWireFormat.aac44100.mask],
            realtimeFormats: [])
    }
}
