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
    /// The greatest difference of two rooms in the quiet at the end, in microseconds.
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

    /// Plays a file again and again while the script happens.
    package func play(_ script: HouseScript, _ path: String, songSeconds: Double) -> HouseOutcome {
        let course = ScriptRun(self, path, songSeconds: songSeconds)
        let start = world.time
        course.begin()
        for step in script.steps {
            world.schedule(at: start + Int64((2 + step.time) * 1e9)) { course.perform(step.act) }
        }
        // After the last step, also if that is the last thing that happens.
        let end = 2.1 + (script.steps.map { $0.time + $0.act.seconds }.max() ?? 0)
        run(seconds: end)
        world.run(until: world.time) { course.end() }
        run(seconds: Self.recovery)
        var outcome = HouseOutcome(complaints: course.complaints())
        judgeEnd(course.members, songFrames: songSeconds * 44_100, &outcome)
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

    private func judgeEnd(_ members: Set<Int>, songFrames: Double, _ outcome: inout HouseOutcome) {
        let from = world.time - Int64(Self.judged * 1e9)
        let rooms = members.sorted().map { speakers[$0] }
        for room in rooms {
            guard let last = room.runs.last?.last,
                let start = HouseJudge.unbrokenSince(room.runs, songFrames: songFrames),
                start <= from
            else {
                outcome.complaints.append(
                    "\(room.name) does not play without a break \(Self.recovery) s after the last fault")
                continue
            }
            if last.time < world.time - 100_000_000 {
                outcome.complaints.append(
                    "\(room.name) is silent since \(Double(last.time) / 1e9), at \(seconds)")
            }
        }
        for (index, first) in rooms.enumerated() {
            for room in rooms[(index + 1)...] {
                let all = HouseJudge.differences(first, room, since: from).map(abs)
                let worst = all.max() ?? 0
                outcome.worstDifference = max(outcome.worstDifference, worst)
                if worst > Self.bound || all.count < 100 {
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

/// A script as it happens.
private final class ScriptRun: @unchecked Sendable {
    // Safe to share: see `VirtualWorld`.
    private let house: VirtualHouse
    private let path: String
    private let songFrames: Double
    private(set) var members: Set<Int>
    private(set) var faults: [String: Int] = [:]
    private var seeks = 0
    private var answers = 0
    private var regroupings = 0
    private var regrouped = 0
    /// True times of commands, and the room that each is for; `nil` for all.
    private var commands: [(room: Int?, time: Int64)] = []
    private var troubles: [(room: Int?, from: Int64, to: Int64, isCut: Bool)] = []
    private var starts = HouseStarts()

    init(_ house: VirtualHouse, _ path: String, songSeconds: Double) {
        (self.house, self.path, songFrames) = (house, path, songSeconds * 44_100)
        members = Set(house.speakers.indices)
    }

    private var world: VirtualWorld { house.world }

    func begin() {
        world.run(until: world.time) {
            for _ in 0..<3 { _ = house.sender.add(path) }
            regroup()
        }
    }

    /// Lets the house play on, whatever happened.
    func end() {
        starts.note(.play, at: world.time)
        commands.append((nil, world.time))
        house.sender.player.setRate(1)
    }

    /// - Parameter room: The room that leaves or joins; `nil` for all at the beginning.
    private func regroup(_ room: Int? = nil) {
        commands.append((room, world.time))
        regroupings += 1
        let rooms = members.sorted().map { house.speakers[$0] }
        Task { [self] in
            await house.sender.choose(rooms)
            regrouped += 1
            commands.append((room, world.time))
        }
    }

    func perform(_ act: HouseScript.Act) {
        let player = house.sender.player
        starts.note(act, at: world.time)
        switch act {
        case .play: command { player.setRate(1) }
        case .pause: command { player.setRate(0) }
        case .skip:
            command {
                _ = house.sender.add(path)
                player.advanceToNextItem()
            }
        case .seek(let place):
            command {
                seeks += 1
                player.seek(to: CMTime(seconds: place, preferredTimescale: 44_100)) { [self] _ in answers += 1
                }
            }
        case .leave(let room):
            members.remove(room)
            regroup(room)
        case .join(let room):
            members.insert(room)
            regroup(room)
        case .cut(let room, let seconds, let out, let into):
            troubled("cut", room, seconds)
            if out { cut(room, for: seconds, \.cutsOutward) { $0.changeOutward($1, $2) } }
            if into { cut(room, for: seconds, \.cutsInward) { $0.changeInward($1, $2) } }
        case .lose(let room, let share, let seconds):
            fault("loss", room, seconds) { [self] isOn in
                house.network.change(house.speakers[room].machine) { $0.loss = isOn ? share : 0 }
            }
        case .duplicate(let room, let share, let seconds):
            fault("duplicates", room, seconds) { [self] isOn in
                house.network.change(house.speakers[room].machine) { $0.duplicates = isOn ? share : 0 }
            }
        case .delay(let room, let milliseconds, let seconds):
            let usual = VirtualNetwork.Direction()
            fault("delay", room, seconds) { [self] isOn in
                house.network.change(house.speakers[room].machine) {
                    $0.delay = isOn ? Int64(milliseconds * 1e6) : usual.delay
                    $0.jitter = isOn ? Int64(milliseconds * 1e6) : usual.jitter
                }
            }
        case .narrow(let rate, let seconds):
            let usual = VirtualNetwork.Direction()
            fault("narrow", nil, seconds) { [self] isOn in
                house.network.changeOutward(house.sender.machine) {
                    $0.rate = isOn ? Int64(rate) : usual.rate
                }
            }
        case .late(let number, let milliseconds, let seconds):
            let machine = number == 0 ? house.sender.machine : house.speakers[number - 1].machine
            fault("late", number == 0 ? nil : number - 1, seconds) { isOn in
                machine.lateness.rareness = isOn ? 20 : 0
                machine.lateness.worst = isOn ? Int64(milliseconds * 1e6) : 0
            }
        }
    }

    private func command(_ body: () -> Void) {
        commands.append((nil, world.time))
        body()
    }

    /// The faults that hold now, by what they change; the last one of a kind decides.
    private var rounds: [String: Int] = [:]

    /// The cuts that hold now, by room.
    private var cutsOutward: [Int: Int] = [:]
    private var cutsInward: [Int: Int] = [:]

    private func cut(
        _ room: Int, for seconds: Double, _ counts: ReferenceWritableKeyPath<ScriptRun, [Int: Int]>,
        _ change: @escaping (VirtualNetwork, VirtualMachine, (inout VirtualNetwork.Direction) -> Void) -> Void
    ) {
        let (network, machine) = (house.network, house.speakers[room].machine)
        func add(_ count: Int) {
            self[keyPath: counts][room, default: 0] += count
            let isCut = self[keyPath: counts][room, default: 0] > 0
            change(network, machine) { $0.isCut = isCut }
        }
        add(1)
        world.schedule(after: Int64(seconds * 1e9)) { add(-1) }
    }

    private func troubled(_ kind: String, _ room: Int?, _ seconds: Double) {
        faults[kind, default: 0] += 1
        troubles.append((room, world.time, world.time + Int64(seconds * 1e9), kind == "cut"))
    }

    private func fault(_ kind: String, _ room: Int?, _ seconds: Double, _ set: @escaping (Bool) -> Void) {
        troubled(kind, room, seconds)
        let key = "\(kind) \(room ?? -1)"
        rounds[key, default: 0] += 1
        let round = rounds[key]
        set(true)
        world.schedule(after: Int64(seconds * 1e9)) { [self] in if rounds[key] == round { set(false) } }
    }

    // MARK: Judging

    func complaints() -> [String] {
        var found: [String] = []
        if seeks != answers { found.append("\(answers) of \(seeks) seeks were answered") }
        if regroupings != regrouped {
            found.append("\(regrouped) of \(regroupings) choices of rooms came to an end")
        }
        for (index, speaker) in house.speakers.enumerated() {
            let runs = speaker.runs
            for (before, after) in zip(runs, runs.dropFirst()) where !isExplained(before, after, room: index)
            {
                let times =
                    "\(Double(before.last.time / 1_000_000) / 1e3) and \(Double(after.first.time / 1_000_000) / 1e3) s"
                found.append(
                    "\(speaker.name) has a break without a cause between \(times), of \(Int(HouseJudge.gap(before, after))) frames"
                )
            }
            found += starts.complaints(
                of: speaker, commands: commands.filter { $0.room == nil || $0.room == index }.map(\.time),
                troubles: troubles.filter { $0.room == nil || $0.room == index }.map { $0.from...$0.to })
        }
        return found
    }

    /// Seconds after a command within which its rooms are not yet filled, and faults may be heard.
    private static let filling: Int64 = 12_000_000_000
    /// The time that a command takes to be heard, without a fault.
    private static let reaction: Int64 = 3_000_000_000
    /// The same if there was a fault.
    private static let delayedReaction: Int64 = 5_000_000_000
    /// The same if a link was cut: a speaker out of reach is tried again after at most ten seconds.
    private static let recovery: Int64 = 20_000_000_000
    /// The time for which sound is on its way from the command to the ear.
    private static let instant: Int64 = 100_000_000

    /// Whether a break begins with a command, or with a fault of a room that is not filled since a command, and ends soon
    /// after the last of both.
    private func isExplained(_ before: HeardRun, _ after: HeardRun, room: Int) -> Bool {
        if HouseJudge.isJoin(before, after, songFrames: songFrames) { return true }
        let (from, to) = (before.last.time, after.first.time)
        let own = commands.filter { $0.room == nil || $0.room == room }.map(\.time)
        let near = troubles.filter {
            ($0.room == nil || $0.room == room) && $0.from <= to && $0.to + Self.filling >= from
        }
        let beginsByCommand = own.contains { $0 >= from - Self.reaction && $0 <= from + Self.instant }
        let beginsByFault = near.contains { trouble in
            trouble.from <= from + Self.instant
                && own.contains { $0 >= trouble.from - Self.filling && $0 <= from + Self.instant }
        }
        guard beginsByCommand || beginsByFault else { return false }
        let last = (own.filter { $0 <= to } + near.map { min($0.to, to) }).max() ?? from
        let limit =
            near.isEmpty
            ? Self.reaction : near.contains(where: \.isCut) ? Self.recovery : Self.delayedReaction
        return to - last <= limit
    }
}

extension HouseScript.Act {
    /// How long it holds.
    var seconds: Double {
        switch self {
        case .cut(_, let seconds, _, _), .lose(_, _, let seconds), .duplicate(_, _, let seconds),
            .delay(_, _, let seconds),
            .narrow(_, let seconds), .late(_, _, let seconds):
            seconds
        default: 0
        }
    }
}
