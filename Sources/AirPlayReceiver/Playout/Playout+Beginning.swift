internal import AirPlayMessages
internal import AudioOutput
internal import ClockService
internal import MediaTime

// Starts without an instant: at the first device frame that can still be reached.
extension Playout {
    /// Anchors the line such that `rtpTime` is heard at device frame `frame`.
    ///
    /// - Returns: `false` while no packet is held that gives the position and its rate.
    mutating func begin(
        at rtpTime: RTPTime, on clock: ClockIdentity, with frame: Int64, device: DeviceLine,
        mapping: ClockMapping
    ) -> Bool {
        let point = mapping.networkTime(at: device.time.playTime)
        play(along: Anchor(rtpTime: rtpTime, networkTime: point), on: clock)
        guard device.isSane(with: mapping), findLine(), let line else {
            pause()
            return false
        }
        moveLine(by: -device.frames(of: line, at: frame, by: mapping))
        return true
    }

    /// Shifts the line after a floating start: audio mixed for device frames from `frame` on is heard `delay`
    /// frames later.
    mutating func begun(at frame: Int64, delay: Int64, device: DeviceLine, mapping: ClockMapping) {
        cursor?.frame += delay
        history.move(from: frame, by: delay)
        guard let cursor, let line else { return }
        let wanted = device.frames(of: line, at: cursor.frame, by: mapping)
        moveLine(by: Double(cursor.position - line.position) + cursor.fraction - wanted)
    }

    /// - Parameter frames: Frames that each device frame's position moves forward.
    private mutating func moveLine(by frames: Double) {
        guard var line else { return }
        let exact = line.extraNanoseconds - frames * 1e9 / Double(line.rate.hertz)
        let whole = (exact - configuration.latencyOffset * 1e9).rounded()
        guard abs(whole) < 0x1p60 else { return }
        line.networkTime = NetworkTime(nanoseconds: line.networkTime.nanoseconds &+ Int64(whole))
        line.extraNanoseconds = exact - whole
        self.line = line
        if let anchor {
            let time = NetworkTime(nanoseconds: anchor.networkTime.nanoseconds &+ Int64(whole))
            self.anchor = Anchor(rtpTime: anchor.rtpTime, networkTime: time)
        }
    }
}
