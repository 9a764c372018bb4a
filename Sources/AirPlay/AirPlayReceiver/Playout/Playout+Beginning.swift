import AirPlayMessages
import TuttiAudioOutput
import TuttiClockService
import TuttiMediaTime

// Starts without an instant: at the first device frame that can still be reached.
extension Playout {
    /// Anchors the line such that `rtpTime` is heard at device frame `frame`.
    ///
    /// - Returns: `false` while no packet is held that gives the position and its rate.
    mutating func begin(
        at rtpTime: RTPTime, on clock: ClockIdentity, with frame: Int64, device: DeviceLine,
        mapping: ClockMapping
    ) -> Bool {
        let time = DeviceClock(device: device, mapping: mapping)
        let point = mapping.networkTime(at: device.time.playTime)
        play(along: Anchor(rtpTime: rtpTime, networkTime: point), on: clock)
        guard time.isSane, findLine(), let line else {
            pause()
            return false
        }
        moveLine(by: -time.frames(of: line, at: frame))
        return true
    }

    /// Shifts the line after a floating start: audio mixed for device frames from `frame` on is heard `delay`
    /// frames later.
    mutating func begun(at frame: Int64, delay: Int64, device: DeviceLine, mapping: ClockMapping) {
        cursor?.frame += delay
        mixedSound.move(from: frame, by: delay)
        guard let cursor, let line else { return }
        let time = DeviceClock(device: device, mapping: mapping)
        moveLine(by: cursor.place(on: line) - time.frames(of: line, at: cursor.frame))
    }

    /// - Parameter frames: Frames that each device frame's position moves forward.
    private mutating func moveLine(by frames: Double) {
        guard let moved = line?.move(by: frames, extra: configuration.latencyOffset * 1e9), let anchor
        else { return }
        let time = NetworkTime(nanoseconds: anchor.networkTime.nanoseconds &+ moved)
        self.anchor = Anchor(rtpTime: anchor.rtpTime, networkTime: time)
    }
}
