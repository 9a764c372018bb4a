import AirPlaySender
import CoreMedia
import Playback
import Synchronization
import TuttiMediaTime
import TuttiVirtualTime

/// A script as it happens.
final class ScriptRun: @unchecked Sendable {
    // Safe to share: see `VirtualWorld`.

    /// A command of the user.
    struct Command {
        /// The room that it is for; `nil` for all.
        var room: Int?
        /// The true time.
        var time: Int64
        /// The act; `nil` for the end of an act, and of the script.
        var act: HouseScript.Act?

        var isJoin: Bool { if case .join = act { true } else { false } }
    }

    /// A fault.
    struct Trouble {
        /// The room that it is for; `nil` for all.
        var room: Int?
        /// The true times of its beginning and end.
        var from: Int64
        var to: Int64
        /// Whether a link is cut.
        var isCut: Bool
        /// Whether the sender's link takes little more than the sound.
        var isSlow = false
        /// Whether packets are lost, or come twice, one by one: lost ones are sent again in time, and a room that is filled
        /// plays on.
        var isRepaired = false
        /// Whether messages or a machine are late, by some hundred milliseconds at most, and nothing is lost.
        var isDelay = false
    }

    /// The seconds of sound that a room holds.
    struct Holding {
        var time: Int64
        var seconds: Double
    }

    /// The frame that the player says is heard.
    struct Playhead {
        var time: Int64
        var frame: Double
        /// Whether the current item has just begun, or ends soon.
        var isNearJoin: Bool
    }

    let house: VirtualHouse
    private let song: Song
    /// The frames of the song, and those of the short one.
    let items: [Range<Double>]
    let songFrames: Double
    private(set) var members: Set<Int>
    private(set) var faults: [String: Int] = [:]
    private(set) var seeks = 0
    private(set) var answers = 0
    private(set) var regroupings = 0
    private(set) var regrouped = 0
    private(set) var commands: [Command] = []
    /// The true times of edits of the queue, which are not heard until the current item ends.
    private(set) var edits: [Int64] = []
    private(set) var playheads: [Playhead] = []
    private(set) var troubles: [Trouble] = []
    /// The sound that each room holds, ten times a second.
    private(set) var holdings: [[Holding]]

    /// The times within which a room may not have heard what its sender has said during a cut or after it.
    private(set) lazy var deafTimes: [[ClosedRange<Int64>]] = house.speakers.indices.map { deafTimes(of: $0) }

    private func deafTimes(of room: Int) -> [ClosedRange<Int64>] {
        guard !house.speakers[room].machine.limitsRetransmissions else { return [] }
        let cuts = troubles.filter { $0.room == room && $0.isCut }.sorted { $0.from < $1.from }
        var outages: [ClosedRange<Int64>] = []
        for cut in cuts {
            // A later cut loses the repetitions again.
            if let last = outages.last, cut.from <= last.upperBound {
                let end = max(cut.to, last.lowerBound + (last.upperBound - last.lowerBound) / 2)
                outages[outages.count - 1] = last.lowerBound...(2 * end - last.lowerBound)
            } else {
                outages.append(cut.from...(2 * cut.to - cut.from))
            }
        }
        return outages
    }

    private let songCount: Int

    /// - Parameter seconds: The length of the script.
    init(_ house: VirtualHouse, _ song: Song, seconds: Double) {
        (self.house, self.song, songFrames) = (house, song, song.seconds * 44_100)
        items = song.items
        // Seeks forward pass over much.
        songCount = seconds < 20 ? 2 : seconds < 100 ? 3 : Int(seconds / 10)
        members = Set(house.speakers.indices)
        holdings = Array(repeating: [], count: house.speakers.count)
    }

    /// Errors of the house itself.
    private(set) var failures: [String] = []

    private var world: VirtualWorld { house.world }

    func begin() {
        world.run(until: world.time) {
            house.sender.machine.enter {
                for _ in 0..<songCount { _ = house.sender.add(song.path) }
                regroup()
            }
        }
        house.each(second: 0.1) { [unowned self] in
            notePlayhead()
            noteHoldings()
        }
        house.each(second: 0.5) { [unowned house] in for speaker in house.speakers { speaker.noteRefusals() }
        }
    }

    /// Lets the house play on, whatever happened.
    func end() {
        commands.append(Command(time: world.time))
        let sender = house.sender
        guard house.guest != nil else { return sender.machine.enter { sender.player.setRate(1) } }
        // Only who starts to play takes back what another sender had.
        sender.machine.enter { sender.player.setRate(0) }
        world.schedule(after: 500_000_000) { [self] in
            commands.append(Command(time: world.time))
            sender.machine.enter { sender.player.setRate(1) }
        }
    }

    private func notePlayhead() {
        let player = house.sender.player
        guard !house.sender.machine.isStalled, player.machine.control == .playing else { return }
        let frames = frames(of: player.currentItem)
        let frame = frames.lowerBound + player.currentTime.seconds * 44_100
        let isNearJoin =
            frame < frames.lowerBound + Self.joinFrames || frame > frames.upperBound - Self.joinFrames
        playheads.append(Playhead(time: world.time, frame: frame, isNearJoin: isNearJoin))
    }

    /// Frames before and after a join within which a room may be in the one item, and the player in the other.
    private static let joinFrames = 22_050.0

    private func isShort(_ item: PlayerItem?) -> Bool { item?.path == song.shortPath }

    private func frames(of item: PlayerItem?) -> Range<Double> { items[isShort(item) ? 1 : 0] }

    private func noteHoldings() {
        for (index, speaker) in house.speakers.enumerated() where !speaker.kind.isRealtime {
            let seconds = speaker.status.stream?.bufferedSeconds ?? 0
            holdings[index].append(Holding(time: world.time, seconds: seconds))
        }
    }

    /// - Parameter room: The room that leaves or joins; `nil` for all at the beginning.
    private func regroup(_ room: Int? = nil) {
        commands.append(
            Command(
                room: room, time: world.time, act: room.map { members.contains($0) ? .join($0) : .leave($0) })
        )
        regroupings += 1
        let rooms = members.sorted().map { house.speakers[$0] }
        Task { [self] in
            await house.sender.choose(rooms)
            regrouped += 1
            commands.append(Command(room: room, time: world.time))
        }
    }

    /// A command of the user is performed once the sender's machine does not stall.
    func perform(_ act: HouseScript.Act) {
        let machine = house.sender.machine
        guard act.isCommand else { return begin(act) }
        machine.whenRunning { [self] in machine.enter { begin(act) } }
    }

    private func begin(_ act: HouseScript.Act) {
        let player = house.sender.player
        switch act {
        case .play: command(act) { player.setRate(1) }
        case .pause: command(act) { player.setRate(0) }
        case .skip:
            command(act) {
                _ = house.sender.add(song.path)
                player.advanceToNextItem()
            }
        case .seek(let drawn):
            let place = isShort(player.currentItem) ? min(drawn, song.shortSeconds / 2) : drawn
            command(.seek(place)) {
                seeks += 1
                player.seek(to: CMTime(seconds: place, preferredTimescale: 44_100)) { [self] _ in answers += 1
                }
            }
        case .volume(let percent): house.sender.catalogue.setVolume(percent)
        case .insert: edit { current, _ in _ = house.sender.add(song.shortPath, after: current) }
        case .remove:
            edit { _, next in
                guard let next else { return }
                player.remove(next)
                if !isShort(next) { _ = house.sender.add(song.path) }
            }
        case .leave(let room):
            members.remove(room)
            regroup(room)
        case .join(let room):
            members.insert(room)
            regroup(room)
        case .restart(let room, let seconds): restart(room, for: seconds)
        case .takeOver(let room, let seconds): takeOver(room, for: seconds, act)
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
            fault("narrow", nil, seconds) { [self] isOn in limit("narrow", isOn ? rate : nil) }
        case .slow(let rate, let seconds, let isFair):
            fault("slow", nil, seconds) { [self] isOn in
                limit("slow", isOn ? rate : nil)
                house.network.changeOutward(house.sender.machine) { $0.isFair = isOn && isFair }
            }
        case .late(let number, let milliseconds, let seconds):
            makeLate("late", number, milliseconds, seconds, isHeavy: false)
        case .struggle(let number, let milliseconds, let seconds):
            makeLate("struggle", number, milliseconds, seconds, isHeavy: true)
        case .stall(let number, let seconds, let whole):
            guard number == 0 || house.speakers[number - 1].isOn else { return }
            troubled("stall", number == 0 ? nil : number - 1, seconds)
            machine(number).stall(for: Int64(seconds * 1e9), isWhole: whole)
        }
    }

    /// The limits of the sender's link that hold now, in bytes a second.
    private var limits: [String: Int] = [:]

    private func limit(_ kind: String, _ rate: Int?) {
        limits[kind] = rate
        let usual = VirtualNetwork.Direction().rate
        let least = limits.values.min().map { Int64($0) } ?? usual
        house.network.changeOutward(house.sender.machine) { $0.rate = least }
    }

    /// - Parameter number: 0 for the sender's machine, or one more than the room's.
    private func machine(_ number: Int) -> VirtualMachine {
        number == 0 ? house.sender.machine : house.speakers[number - 1].machine
    }

    private func makeLate(
        _ kind: String, _ number: Int, _ milliseconds: Double, _ seconds: Double, isHeavy: Bool
    ) {
        let machine = machine(number)
        fault(kind, number == 0 ? nil : number - 1, seconds, key: "late \(number)") { isOn in
            machine.lateness.rareness = isOn ? 20 : 0
            machine.lateness.worst = isOn ? Int64(milliseconds * 1e6) : 0
            machine.lateness.isHeavy = isOn && isHeavy
        }
    }

    private func command(_ act: HouseScript.Act, _ body: () -> Void) {
        commands.append(Command(time: world.time, act: act))
        body()
    }

    /// Seconds before the end of the current item within which speakers may keep what follows it.
    private static let shortestTimeToEdit = 5.0

    /// Edits the queue behind the current item, unless it may be too late for that.
    ///
    /// - Parameter change: Gets the current item, and the next one.
    private func edit(_ change: (PlayerItem, PlayerItem?) -> Void) {
        let player = house.sender.player
        guard let item = player.currentItem else { return }
        let frames = frames(of: item)
        let left = (frames.upperBound - frames.lowerBound) / 44_100 - player.currentTime.seconds
        guard left > Self.shortestTimeToEdit else { return }
        edits.append(world.time)
        change(item, player.items.dropFirst().first)
    }

    /// The faults that hold now, by what they change; the last one of a kind decides.
    private var rounds: [String: Int] = [:]

    /// The room that the guest has, and a number of each visit.
    private var visit: (room: Int, number: Int)?
    private var lastVisit = 0

    /// A guest takes a room, and leaves it again.
    private func takeOver(_ room: Int, for seconds: Double, _ act: HouseScript.Act) {
        guard let guest = house.guest else { return }
        faults["take-over", default: 0] += 1
        lastVisit += 1
        let number = lastVisit
        if let visit { commands.append(Command(room: visit.room, time: world.time, act: act)) }
        visit = (room, number)
        commands.append(Command(room: room, time: world.time, act: act))
        let target = house.speakers[room]
        guest.machine.enter {
            guest.player.removeAllItems()
            _ = guest.add(song.guestPath)
            guest.player.setRate(1)
            Task { await guest.choose([target]) }
        }
        world.schedule(after: Int64(seconds * 1e9)) { [self] in
            guard visit?.number == number else { return }
            visit = nil
            commands.append(Command(room: room, time: world.time, act: act))
            guest.machine.enter {
                guest.player.removeAllItems()
                Task { await guest.catalogue.deselect() }
            }
        }
    }

    /// Takes the power of a room's speaker away, unless it has none or its machine stalls, and gives it back.
    private func restart(_ room: Int, for seconds: Double) {
        let speaker = house.speakers[room]
        guard speaker.isOn, !speaker.machine.isStalled else { return }
        troubled("restart", room, seconds)
        commands.append(Command(room: room, time: world.time))
        cut(room, for: seconds, \.cutsOutward) { $0.changeOutward($1, $2) }
        cut(room, for: seconds, \.cutsInward) { $0.changeInward($1, $2) }
        speaker.powerOff()
        world.schedule(after: Int64(seconds * 1e9) - 1) { [self] in
            do { try speaker.powerOn() } catch {
                failures.append("\(speaker.name) does not start again: \(error)")
            }
        }
    }

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
        troubles.append(
            Trouble(
                room: room, from: world.time, to: world.time + Int64(seconds * 1e9),
                isCut: kind == "cut" || kind == "restart", isSlow: kind == "slow",
                isRepaired: kind == "loss" || kind == "duplicates", isDelay: kind == "delay" || kind == "late"
            )
        )
    }

    /// - Parameter key: Names what the fault changes; `nil` if no other kind changes that.
    private func fault(
        _ kind: String, _ room: Int?, _ seconds: Double, key: String? = nil, _ set: @escaping (Bool) -> Void
    ) {
        troubled(kind, room, seconds)
        let key = key ?? "\(kind) \(room ?? -1)"
        rounds[key, default: 0] += 1
        let round = rounds[key]
        set(true)
        world.schedule(after: Int64(seconds * 1e9)) { [self] in if rounds[key] == round { set(false) } }
    }
}
