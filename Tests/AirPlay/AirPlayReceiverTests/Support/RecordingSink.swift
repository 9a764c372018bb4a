import AirPlayMessages
import Synchronization
import TuttiMediaTime
import TuttiTestSupport

@testable import AirPlayReceiver

/// A sink that plays nothing and records its calls.
final class RecordingSink: StreamSink {
    struct Log: Sendable {
        var packets: [ReceivedPacket] = []
        var plays: [Anchor] = []
        var timelines: [ClockIdentity] = []
        var pauses = 0
        var flushes: [FlushBuffered] = []
        var realtimeFlushes: [RTPTime] = []
        var volumes: [Volume] = []
        var ends = 0
        var heldBytes = 0
        var refused = 0
        var status = StreamStatus()
        /// The reply to every anchor.
        var lateness: Duration?
    }

    let log = Recorder(Log())
    let limit: Int
    private let waiting = Mutex<(bytes: Int, handler: @Sendable () -> Void)?>(nil)

    init(limit: Int = 1 << 20) { self.limit = limit }

    var room: Int { max(0, limit - log.value.heldBytes) }

    func append(_ packet: ReceivedPacket) {
        log.update { log in
            guard log.heldBytes + packet.byteCount <= limit else { return log.refused += 1 }
            log.packets.append(packet)
            log.heldBytes += packet.byteCount
        }
    }

    func notify(whenRoomFor bytes: Int, _ handler: @escaping @Sendable () -> Void) {
        waiting.withLock { $0 = (bytes, handler) }
        wake()
    }

    /// Simulates the given amount of buffered audio.
    func occupy(_ bytes: Int) { log.update { $0.heldBytes += bytes } }

    /// Simulates the given amount of played audio.
    func free(_ bytes: Int) {
        log.update { $0.heldBytes = max(0, $0.heldBytes - bytes) }
        wake()
    }

    private func wake() {
        let room = room
        let handler = waiting.withLock { waiting -> (@Sendable () -> Void)? in
            guard let found = waiting, found.bytes <= room else { return nil }
            waiting = nil
            return found.handler
        }
        handler?()
    }

    func play(along anchor: Anchor, on timeline: ClockIdentity) {
        log.update { log in
            log.plays.append(anchor)
            log.timelines.append(timeline)
        }
    }

    func playWhole(along anchor: Anchor, on timeline: ClockIdentity) -> Duration? {
        let late = log.value.lateness
        if late == nil { play(along: anchor, on: timeline) }
        return late
    }

    func pause() { log.update { $0.pauses += 1 } }
    func flush(_ flush: FlushBuffered) { log.update { $0.flushes.append(flush) } }
    func flush(before rtpTime: RTPTime) { log.update { $0.realtimeFlushes.append(rtpTime) } }
    func setVolume(_ volume: Volume) { log.update { $0.volumes.append(volume) } }
    func end() { log.update { $0.ends += 1 } }

    var status: StreamStatus {
        let log = log.value
        var status = log.status
        status.heldBytes = log.heldBytes
        return status
    }

    func set(_ change: @Sendable (inout StreamStatus) -> Void) { log.update { change(&$0.status) } }
}
