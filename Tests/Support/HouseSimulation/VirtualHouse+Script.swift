import AirPlaySender
import CoreMedia
import Playback
import Synchronization
import TuttiMediaTime
import TuttiVirtualTime

/// The outcome of a script.
package struct HouseOutcome: Sendable {
    /// Descriptions of each thing that must not happen, and did.
    package var complaints: [String] = []
    /// Virtual seconds that passed.
    package var seconds = 0.0
    /// The number of faults by kind.
    package var faults: [String: Int] = [:]
    /// The greatest difference of two rooms that follow PTP in the quiet at the end, in microseconds.
    package var worstDifference = 0.0
    /// A digest of all that has run.
    package var trace: UInt64 = 0
}

extension VirtualHouse {
    /// Seconds after the last step or fault in which everything must be well again.
    private static let recovery = 20.0
    /// The last seconds of it, in which the rooms are held against each other.
    private static let judged = 3.0
    /// Microseconds by which two rooms may differ once they have settled: the clocks' noise on a quiet network.
    private static let bound = 150.0

    /// Plays a song again and again while the script happens.
    ///
    /// - Parameter recovery: Seconds after the last step or fault in which everything must be well again.
    package func play(_ script: HouseScript, _ song: Song, recovery: Double? = nil) -> HouseOutcome {
        let course = ScriptRun(self, song, seconds: script.steps.last?.time ?? 0)
        let start = world.time
        course.begin()
        for step in script.steps {
            world.schedule(at: start + Int64((2 + step.time) * 1e9)) { course.perform(step.act) }
        }
        // After the last step, also if that is the last thing that happens.
        let end = 2.1 + (script.steps.map { $0.time + $0.act.seconds }.max() ?? 0)
        run(seconds: end)
        world.run(until: world.time) { course.end() }
        // The time to recover begins when the kernels have repeated all that was lost.
        // One that has left was told so on its old connection.
        let deafness = speakers.indices
            .filter { speakers[$0].waitsForOldKernel || !course.members.contains($0) }
            .flatMap { course.deafTimes[$0] }
            .map(\.upperBound).max().map { Double($0 - world.time) / 1e9 }
        let recovery = recovery ?? Self.recovery
        run(seconds: recovery + max(0, deafness ?? 0))
        var outcome = HouseOutcome(complaints: course.complaints())
        outcome.complaints += nonceComplaints.prefix(3)
        judgeEnd(course.members, items: course.items, after: recovery, &outcome)
        run(seconds: 3) { [sender] in await sender.catalogue.release() }
        for speaker in speakers {
            let status = speaker.status
            if status.sender != nil || status.stream != nil {
                outcome.complaints.append("\(speaker.name) still has a session after the sender has left")
            }
        }
        (outcome.seconds, outcome.faults, outcome.trace) = (seconds, course.faults, world.trace)
        return outcome
    }

    private func judgeEnd(
        _ members: Set<Int>, items: [Range<Double>], after recovery: Double, _ outcome: inout HouseOutcome
    ) {
        let from = world.time - Int64(Self.judged * 1e9)
        let rooms = members.sorted().map { speakers[$0] }
        for room in rooms {
            guard let last = room.runs.last?.last,
                let start = HouseJudge.unbrokenSince(room.runs, items: items),
                start <= from
            else {
                outcome.complaints.append(
                    "\(room.name) does not play without a break \(recovery) s after the last fault")
                continue
            }
            if last.time < world.time - 100_000_000 {
                outcome.complaints.append(
                    "\(room.name) is silent since \(Double(last.time) / 1e9), at \(seconds)")
            }
        }
        for (index, first) in rooms.enumerated() {
            for room in rooms[(index + 1)...] {
                let bound = Self.bound + first.tolerance + room.tolerance
                let all = HouseJudge.differences(first, room, since: from).map(abs)
                let worst = all.max() ?? 0
                if bound == Self.bound { outcome.worstDifference = max(outcome.worstDifference, worst) }
                if worst > bound || all.count < 100 {
                    outcome.complaints.append(
                        "\(room.name) is \(Int(worst)) µs off \(first.name) in the end (\(all.count) points)")
                }
            }
        }
        for index in speakers.indices where !members.contains(index) {
            if let last = speakers[index].runs.last?.last, last.time > from {
                outcome.complaints.append("\(speakers[index].name) plays, though it has left")
            }
        }
    }
}
