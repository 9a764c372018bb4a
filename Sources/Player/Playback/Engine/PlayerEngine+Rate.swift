import CoreMedia
import TuttiMediaTime

// Time: the wanted rate, stops and jumps.
extension PlayerEngine {
    mutating func applyRate() {
        let machine = state.machine
        outputs.setPlaying(machine.rate != 0)
        let rate = machine.control == .playing && mayRun ? machine.rate : 0
        let appointment = rate == 0 ? nil : state.appointment
        guard rate != outputs.appliedRate || appointment != nil else { return }
        if rate == 0 { return hold(at: .invalid) }
        let keepsSound = prepareSound(for: rate)
        guard schedule.head != nil else { return }
        if appointment != nil { state.appointmentIsKept() }
        let waits = machine.automaticallyWaits && !machine.isStartImmediate
        outputs.start(
            EngineStart(
                rate: rate, time: appointment == nil ? nil : currentTime, host: appointment,
                keepsSound: keepsSound, waitsForData: waits || buffering.refill.end != nil))
    }

    /// Whether time may run. A start at a host time waits for the pending seek.
    private var mayRun: Bool {
        guard let head = schedule.head, head.phase != .heard else { return false }
        return state.seeking.deadline(after: now) == nil
            && (state.appointment == nil || state.seeking.pending == nil)
    }

    /// Prepares a start at a rate for which the outputs' sound was not made: reads the sound again, or keeps it if
    /// a source failed.
    ///
    /// - Returns: Whether the outputs are to play the sound they have.
    private mutating func prepareSound(for rate: Float) -> Bool {
        let startedRate = outputs.seen.startedRate
        guard startedRate != 0, startedRate != rate, schedule.hasSound else { return false }
        guard schedule.hasFailedSource else {
            refillUnseen()
            return false
        }
        hold(at: .invalid)
        return true
    }

    /// Stops time, at `time` if it is numeric, else at the current time.
    mutating func hold(at time: CMTime) {
        if time.isNumeric { state.pendingTime = time }
        outputs.hold(at: time, now)
    }

    /// Jumps to `time`, within the sound that the outputs have.
    mutating func jump(to time: CMTime) {
        (state.headStart, state.pendingTime) = (schedule.items[0].start, time)
        schedule.items[0].jumped(to: time)
        let stands = state.seeking.deadline(after: now) != nil || state.appointment != nil
        outputs.jump(to: time, stands: stands, now)
    }
}
