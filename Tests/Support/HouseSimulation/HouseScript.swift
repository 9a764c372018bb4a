import TuttiSeeds

/// The course of a house: the acts of its user, and faults. Drawn from a seed; can be replayed, and shortened.
package struct HouseScript: Codable, Hashable, Sendable, CustomStringConvertible {
    /// An act of the user, or a fault.
    package enum Act: Codable, Hashable, Sendable {
        case play, pause, skip
        /// Seconds within the item.
        case seek(Double)
        /// Percent, of all rooms. Below 100 an ear cannot read the sound.
        case volume(Double)
        /// A short song is inserted behind the current item, unless that ends within seconds.
        case insert
        /// The item behind the current one is removed, unless the current one ends within seconds.
        case remove
        case leave(Int), join(Int)
        /// A room's speaker is without power for some seconds.
        case restart(Int, seconds: Double)
        /// A second sender takes a room for some seconds.
        case takeOver(Int, seconds: Double)
        /// A room's link is cut, in one or both directions.
        case cut(Int, seconds: Double, out: Bool, into: Bool)
        case lose(Int, share: Double, seconds: Double)
        case duplicate(Int, share: Double, seconds: Double)
        /// Milliseconds that packets wait in each direction, and at most as many again.
        case delay(Int, milliseconds: Double, seconds: Double)
        /// Bytes a second that the sender's link takes.
        case narrow(rate: Int, seconds: Double)
        /// The same for so long that rooms fill slowly; datagrams and requests wait behind the sound, or do not.
        case slow(rate: Int, seconds: Double, isFair: Bool)
        /// A machine, 0 for the sender's, is late by up to so much.
        case late(Int, milliseconds: Double, seconds: Double)
        /// A machine, 0 for the sender's, is late by up to so much, and often by much.
        case struggle(Int, milliseconds: Double, seconds: Double)
        /// A machine, 0 for the sender's, stands still, with its kernel or without.
        case stall(Int, seconds: Double, whole: Bool)
    }

    package struct Step: Codable, Hashable, Sendable {
        /// Virtual seconds since the first step.
        package var time: Double
        package var act: Act

        package init(_ act: Act, at time: Double) { (self.time, self.act) = (time, act) }
    }

    package var steps: [Step]

    /// Whether a second sender comes.
    var hasGuest: Bool {
        steps.contains { if case .takeOver = $0.act { true } else { false } }
    }

    package var description: String {
        steps.map { "\(Double(Int($0.time * 1000)) / 1000) \($0.act)" }.joined(separator: "\n")
    }

    /// Makes narrow links wider.
    mutating func widenLinks(by factor: Int) {
        for index in steps.indices {
            guard case .narrow(let rate, let seconds) = steps[index].act else { continue }
            steps[index].act = .narrow(rate: factor * rate, seconds: seconds)
        }
    }

    /// Draws what a guest does, for one seed of three.
    mutating func drawGuests(from seed: UInt64, seconds: Double, rooms: Int) {
        var random = SeededGenerator(seed: seed &* 0x85EB_CA6B &+ 13)
        guard Int.random(in: 0..<3, using: &random) == 0 else { return }
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let room = Int.random(in: 0..<rooms, using: &random)
            let act = Act.takeOver(room, seconds: Double.random(in: 1...20, using: &random))
            let time = Double.random(in: 3...seconds, using: &random)
            insert(Step(act, at: time))
        }
    }

    /// Draws losses of power, for one seed of three.
    mutating func drawRestarts(from seed: UInt64, seconds: Double, rooms: Int) {
        var random = SeededGenerator(seed: seed &* 0x27D4_EB2F &+ 29)
        guard Int.random(in: 0..<3, using: &random) == 0 else { return }
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            let act = Act.restart(
                Int.random(in: 0..<rooms, using: &random),
                seconds: Double.random(in: 2...15, using: &random))
            insert(Step(act, at: Double.random(in: 3...seconds, using: &random)))
        }
    }

    /// Draws stalls of machines, and machines that are often late, for one seed of two.
    mutating func drawStalls(from seed: UInt64, seconds: Double, rooms: Int) {
        var random = SeededGenerator(seed: seed &* 0x2545_F491 &+ 53)
        guard Int.random(in: 0..<2, using: &random) == 0 else { return }
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let machine = Int.random(in: 0...rooms, using: &random)
            let act =
                Int.random(in: 0..<3, using: &random) == 0
                ? Act.struggle(
                    machine, milliseconds: Double.random(in: 50...200, using: &random),
                    seconds: Double.random(in: 2...20, using: &random))
                : Act.stall(
                    machine, seconds: Double.random(in: 0.2...3, using: &random),
                    whole: Bool.random(using: &random))
            insert(Step(act, at: Double.random(in: 3...seconds, using: &random)))
        }
    }

    /// The bytes a second of a buffered room's sound.
    private static func soundRate(isCompressed: Bool) -> Int { isCompressed ? 60_000 : 190_000 }

    /// Draws a link of the sender that takes little more than the sound, for one seed of three without realtime rooms.
    mutating func drawSlowLink(from seed: UInt64, seconds: Double, kinds: [RoomKind], isCompressed: Bool) {
        var random = SeededGenerator(seed: seed &* 0x1B87_3593 &+ 71)
        guard Int.random(in: 0..<3, using: &random) == 0, !kinds.contains(where: \.isRealtime) else { return }
        let need = Self.soundRate(isCompressed: isCompressed) * kinds.count
        let isFair = Bool.random(using: &random)
        let start = Double.random(in: 0...(seconds / 3), using: &random)
        // Behind a full queue no clock is measured well, and rooms are milliseconds apart after a minute.
        let length =
            isFair
            ? Double.random(in: (seconds / 4)...(seconds - start), using: &random)
            : Double.random(in: 5...15, using: &random)
        let act = Act.slow(
            rate: Int.random(in: (need + need / 5)...(2 * need), using: &random), seconds: length,
            isFair: isFair)
        insert(Step(act, at: start))
    }

    /// Draws edits of what the speakers hold, for one seed of three: a short song is inserted, and sometimes the next item
    /// is removed some seconds later.
    mutating func drawEdits(from seed: UInt64, seconds: Double) {
        var random = SeededGenerator(seed: seed &* 0x9E37_79B1 &+ 97)
        guard Int.random(in: 0..<3, using: &random) == 0 else { return }
        // A session takes eight edits at most before their place is heard.
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let time = Double.random(in: 3...seconds, using: &random)
            insert(Step(.insert, at: time))
            guard Bool.random(using: &random) else { continue }
            insert(Step(.remove, at: time + Double.random(in: 0.05...8, using: &random)))
        }
    }

    /// Draws sliders that a user drags, for one seed of three: many volumes, or many places.
    mutating func drawSliders(from seed: UInt64, seconds: Double, songSeconds: Double) {
        var random = SeededGenerator(seed: seed &* 0xC2B2_AE35 &+ 155)
        guard Int.random(in: 0..<3, using: &random) == 0 else { return }
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let isVolume = Bool.random(using: &random)
            var time = Double.random(in: 3...seconds, using: &random)
            var place = Double.random(in: 0...(songSeconds - 5), using: &random)
            for _ in 0..<Int.random(in: 3...30, using: &random) {
                insert(Step(isVolume ? .volume(100) : .seek(place), at: time))
                time += Double.random(in: 0.02...0.2, using: &random)
                place = min(max(0, place + Double.random(in: -3...3, using: &random)), songSeconds - 5)
            }
        }
    }

    private mutating func insert(_ step: Step) {
        steps.insert(step, at: steps.firstIndex { $0.time > step.time } ?? steps.endIndex)
    }

    /// Draws a script.
    ///
    /// - Parameters:
    ///   - seconds: Its length.
    ///   - rooms: The number of rooms.
    package static func drawn(from seed: UInt64, seconds: Double, rooms: Int, songSeconds: Double)
        -> HouseScript
    {
        var random = SeededGenerator(seed: seed &* 0x9E37_79B9 &+ 77)
        func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
        var steps = [Step(.play, at: 0)]
        var time = 3.0
        var isPlaying = true
        var members = Set(0..<rooms)
        while time < seconds {
            let room = Int.random(in: 0..<rooms, using: &random)
            let act: Act
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<14:
                act = isPlaying ? .pause : .play
                isPlaying.toggle()
            case 14..<24: act = .seek(number(0...(songSeconds - 5)))
            case 24..<30: act = .skip
            case 30..<40:
                if members.contains(room), members.count > 1 {
                    members.remove(room)
                    act = .leave(room)
                } else if !members.contains(room) {
                    members.insert(room)
                    act = .join(room)
                } else {
                    act = .seek(number(0...(songSeconds - 5)))
                }
            case 40..<55:
                let directions = Int.random(in: 0..<4, using: &random)
                act = .cut(room, seconds: number(0.05...20), out: directions != 1, into: directions != 2)
            case 55..<67: act = .lose(room, share: number(0.001...0.05), seconds: number(1...15))
            case 67..<72: act = .duplicate(room, share: number(0.01...0.2), seconds: number(1...15))
            case 72..<82: act = .delay(room, milliseconds: number(1...40), seconds: number(1...15))
            case 82..<86:
                act = .narrow(
                    rate: Int.random(in: 300_000...3_000_000, using: &random), seconds: number(1...10))
            default:
                act = .late(
                    Int.random(in: 0...rooms, using: &random), milliseconds: number(1...200),
                    seconds: number(0.5...10))
            }
            steps.append(Step(act, at: time))
            time += number(0.05...6)
        }
        if !isPlaying { steps.append(Step(.play, at: time)) }
        return HouseScript(steps: steps)
    }
}

extension HouseScript.Act {
    /// Whether it is an act of the user.
    var isCommand: Bool {
        switch self {
        case .play, .pause, .skip, .seek, .volume, .insert, .remove, .leave, .join: true
        default: false
        }
    }

    /// How long it holds.
    package var seconds: Double {
        switch self {
        case .cut(_, let seconds, _, _), .takeOver(_, let seconds),
            .restart(_, let seconds), .lose(_, _, let seconds),
            .duplicate(_, _, let seconds),
            .delay(_, _, let seconds),
            .narrow(_, let seconds), .slow(_, let seconds, _), .late(_, _, let seconds),
            .struggle(_, _, let seconds),
            .stall(_, let seconds, _):
            seconds
        default: 0
        }
    }
}
