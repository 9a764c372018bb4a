// What program 07 needs of modules that do not have it yet. Each goes when the real one comes: a name of this
// target hides one that is imported.

import AVFoundation
import Synchronization

/// A player that only remembers what it was told.
final class AVPlayer: Sendable {
    private let state = Mutex((rate: Float(0), time: CMTime.zero))

    let currentItem: AVPlayerItem? = AVPlayerItem()

    var rate: Float {
        get { state.withLock { $0.rate } }
        set { state.withLock { $0.rate = newValue } }
    }

    func play() { rate = 1 }
    func pause() { rate = 0 }
    func currentTime() -> CMTime { state.withLock { $0.time } }
    func seek(to time: CMTime) { state.withLock { $0.time = time } }
}

final class AVPlayerItem: Sendable {
    let duration = CMTime(value: 200, timescale: 1)
}

let AVAudioSessionRouteChangeReasonKey = "reason"
let AVAudioSessionRouteChangePreviousRouteKey = "previous"
let AVAudioSessionInterruptionTypeKey = "type"
let AVAudioSessionInterruptionOptionKey = "option"

final class AVAudioSessionPortDescription: Sendable {
    let portName = "Stand-in"
    let portType = AVAudioSession.Port.airPlay
}

final class AVAudioSessionRouteDescription: Sendable {
    let outputs = [AVAudioSessionPortDescription()]
}

final class AVAudioSession: Sendable {
    enum Port: Sendable { case airPlay }
    enum RouteChangeReason: UInt { case unknown, newDeviceAvailable, oldDeviceUnavailable }
    enum InterruptionType: UInt { case ended, began }
    struct InterruptionOptions: OptionSet {
        let rawValue: UInt
        static let shouldResume = InterruptionOptions(rawValue: 1)
    }

    static let routeChangeNotification = NSNotification.Name("stand-in route")
    static let interruptionNotification = NSNotification.Name("stand-in interruption")
    private static let instance = AVAudioSession()

    static func sharedInstance() -> AVAudioSession { instance }
    let currentRoute = AVAudioSessionRouteDescription()
    let outputLatency = 0.25
}
