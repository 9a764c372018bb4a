import AirPlayMessages
import TuttiCommandLineInterface
import TuttiRTSP
import TuttiSystemIO

/// A reason why a device's `/info` is unavailable, for the user.
enum InfoError: Error {
    case unreachable(SystemError)
    case noAnswer(seconds: Int)
    /// The device speaks a different protocol.
    case notRTSP(RTSPError)
    /// The device speaks RTSP or HTTP but does not know `/info`.
    case refused(RTSPStatus)
    case malformed(MessageError)
    case empty
}

extension InfoError {
    var status: ExitStatus {
        switch self {
        case .unreachable, .noAnswer: .unavailable
        case .notRTSP, .refused, .malformed, .empty: .refused
        }
    }

    /// Whether an AirPlay 1 speaker may answer in this way.
    var isOfAirPlay1: Bool {
        switch self {
        case .unreachable, .noAnswer: false
        case .notRTSP, .refused, .malformed, .empty: true
        }
    }
}

extension InfoError: CustomStringConvertible {
    var description: String {
        switch self {
        case .unreachable(let error) where error.isConnectionRefused:
            "refuses connections on this port; is the port right, and is it an AirPlay device?"
        case .unreachable(let error) where error.isTimeout: "does not answer; is the address right?"
        case .unreachable(let error): "cannot be reached: \(error.text)"
        case .noAnswer(let seconds): "accepted the connection but did not answer within \(seconds) s"
        case .notRTSP(.closedByPeer):
            "closed the connection without an answer; probably not an AirPlay device"
        case .notRTSP: "answers, but not in RTSP; not an AirPlay device"
        case .refused(let status):
            "does not know /info (status \(status)); an AirPlay 1 speaker, or not an AirPlay device"
        case .malformed, .empty: "answers /info with invalid data; not an AirPlay 2 device"
        }
    }
}
