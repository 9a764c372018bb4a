import TuttiDeviceManners

extension ScriptRun {
    func complaints() -> [String] {
        var found = failures
        if seeks != answers { found.append("\(answers) of \(seeks) seeks were answered") }
        if regroupings != regrouped {
            found.append("\(regrouped) of \(regroupings) choices of rooms came to an end")
        }
        for (index, speaker) in house.speakers.enumerated() {
            if speaker.refusedPackets > (speaker.kind.isRealtime ? Self.copies : 0) {
                found.append("\(speaker.name) had no room for \(speaker.refusedPackets) packets")
            }
            for (manner, count) in speaker.met.sorted(by: { $0.key.rawValue < $1.key.rawValue })
            where RoomManners.neverMet.contains(manner) {
                found.append(
                    "\(speaker.name) has met a sender without regard to \(manner.rawValue), \(count) times")
            }
            let runs = speaker.runs
            for (before, after) in zip(runs, runs.dropFirst()) where !isExplained(before, after, room: index)
            {
                let times =
                    "\(Double(before.last.time / 1_000_000) / 1e3) and \(Double(after.first.time / 1_000_000) / 1e3) s"
                found.append(
                    "\(speaker.name) has a break without a cause between \(times), of \(Int(HouseJudge.gap(before, after))) frames"
                )
            }
        }
        for index in house.speakers.indices { found += misplaced(index) + wronglyBegun(index) }
        return found
    }

    /// Packets of a realtime stream that may come twice where the stream begins anew; the second one counts as refused.
    private static let copies = 50
    /// The time after a fault within which the rooms that it has emptied are not yet filled.
    private static let filling: Int64 = 12_000_000_000
    /// The time that a command takes to be heard, without a fault.
    private static let reaction: Int64 = 3_000_000_000
    /// The same if there was a fault.
    private static let delayedReaction: Int64 = 5_000_000_000
    /// The same if a link was cut: a speaker out of reach is tried again after at most ten seconds.
    private static let recovery: Int64 = 20_000_000_000
    /// The same while the link takes little more than the sound, or loses many packets of it: what was on its way, and then
    /// the new sound.
    private static let slowReaction: Int64 = 12_000_000_000
    /// Seconds of sound below which a room is empty: it may run dry before the next look.
    private static let empty = 1.0
    /// The time for which sound is on its way from the command to the ear.
    private static let instant: Int64 = 100_000_000

    /// Whether a room had next to no sound at some time of a fault, before a break.
    ///
    /// - Parameter from: The break's beginning. A room that throws its sound away has it until then.
    private func wasEmpty(_ room: Int, during trouble: Trouble, before from: Int64) -> Bool {
        let start = max(trouble.from, from - Self.recovery)
        return holdings[room].contains { holding in
            holding.time >= start && holding.time <= from - Self.instant / 2 && holding.seconds < Self.empty
        }
    }

    /// Whether a break begins with a command, or with a fault that holds up a command or an edit or has emptied the room, and ends
    /// soon after the last of both. An edit alone is not heard.
    private func isExplained(_ before: HeardRun, _ after: HeardRun, room: Int) -> Bool {
        if HouseJudge.isJoin(before, after, items: items) { return true }
        let (from, to) = (before.last.time, after.first.time)
        // Sound that was due while a loudspeaker stood still is lost; the sound behind it is back on its line soon.
        let isUnderrun = house.speakers[room].underruns.contains { underrun in
            from >= underrun.from - Self.instant && to <= underrun.to + Self.aSecond
        }
        if isUnderrun { return true }
        let own = commands.filter { $0.room == nil || $0.room == room }.map(\.time)
        let near = troubles.filter {
            ($0.room == nil || $0.room == room) && $0.from <= to
                && $0.to + ($0.isCut ? Self.recovery : Self.filling) >= from
        }
        let beginsByCommand = own.contains { $0 >= from - Self.reaction && $0 <= from + Self.instant }
        let reserve = house.speakers[room].reserve
        let settling = house.speakers[room].kind.clockSettling
        let beginsByFault = near.contains { trouble in
            // Answers that a cut has lost may lead to a new session when the cut is over.
            let after = trouble.isCut ? Self.filling : settling
            if reserve < .max, !trouble.isRepaired, trouble.from <= from + Self.instant - reserve,
                trouble.to + after >= from
            {
                return true
            }
            // An edit whose packets are lost one by one is carried out in time.
            let heldUp = trouble.isRepaired ? own : own + edits
            return trouble.from <= from + Self.instant
                && (wasEmpty(room, during: trouble, before: from)
                    || heldUp.contains { $0 >= trouble.from - Self.reaction && $0 <= from + Self.instant })
        }
        guard beginsByCommand || beginsByFault else { return false }
        // A slow link goes on while rooms play, and is no cause of its own; nor do late messages explain a long silence.
        let isLong = beginsByCommand && to - from > Self.reaction
        let ends = near.filter { !$0.isSlow && !($0.isDelay && isLong) }.map { min($0.to, to) }
        let causes = near.isEmpty ? own : own + edits
        let last = (causes.filter { $0 <= to } + ends).max() ?? from
        let limit =
            near.contains(where: \.isCut)
            ? Self.recovery
            : near.contains { $0.isSlow || $0.isRepaired }
                ? Self.slowReaction : max(Self.delayedReaction, settling)
        // All rooms wait a moment for one that is out of reach.
        let isHeldUp = troubles.contains { $0.isCut && $0.from <= to && $0.to >= from }
        return to - last <= (near.isEmpty && !isHeldUp ? Self.reaction : limit)
    }

    // MARK: Places

    /// Frames by which a room may be off what the player says.
    private static let placeTolerance = 220.0

    /// A description of what a room played elsewhere than the player said, without a command or a fault near.
    private func misplaced(_ room: Int) -> [String] {
        let points = house.speakers[room].points
        var next = 0
        var found: (count: Int, worst: Double, time: Int64) = (0, 0, 0)
        for playhead in playheads where isQuiet(at: playhead.time, room) {
            while next + 1 < points.count, points[next + 1].time <= playhead.time { next += 1 }
            guard next < points.count, playhead.time >= points[next].time,
                playhead.time - points[next].time < 20_000_000,
                points[next].frame < Double(Song.guestFrame)
            else { continue }
            let passed = Double(playhead.time - points[next].time) * 44_100e-9
            let difference = difference(points[next].frame + passed, playhead)
            guard abs(difference) > Self.placeTolerance else { continue }
            if found.count == 0 { found.time = playhead.time }
            (found.count, found.worst) = (found.count + 1, max(found.worst, abs(difference)))
        }
        guard found.count > 0 else { return [] }
        return [
            "\(house.speakers[room].name) is up to \(Int(found.worst)) frames off what the player says, \(found.count) times since \(Double(found.time / 1_000_000) / 1e3) s"
        ]
    }

    /// Frames by which a room is off what the player says. Near a join the room may be at the end of an item, and the player at the
    /// beginning of the next one, or the other way round.
    private func difference(_ heard: Double, _ playhead: Playhead) -> Double {
        let difference = heard - playhead.frame
        guard playhead.isNearJoin else { return difference }
        let joins = items.flatMap { ended in items.map { ended.upperBound - $0.lowerBound } }
        let differences = joins.flatMap { [difference - $0, difference + $0] }
        return differences.reduce(difference) { abs($1) < abs($0) ? $1 : $0 }
    }

    /// Frames before and after the place that commands name at which a room may begin: of a realtime stream whole packets,
    /// and what is on its way at a pause.
    ///
    /// - Parameters:
    ///   - isResumed: Whether the commands have named no other place than that of a pause.
    ///   - isBrief: Whether a pause came before the sound of the command before it: then no speaker knows where it fell silent.
    private static func beginning(of room: VirtualSpeaker, isResumed: Bool, isBrief: Bool)
        -> ClosedRange<Double>
    {
        let own = room.kind.isRealtime || (isResumed && isBrief) ? 2000.0 : 20
        return -max(own, isResumed ? room.manners?.repeatedFrames ?? 0 : 0)...unread
    }

    /// The first frames of sound that an ear cannot read: half a stamp, and a block's boundary.
    private static let unread = 210.0

    /// Descriptions of sound that began elsewhere than the commands before it say, where no fault was near.
    private func wronglyBegun(_ room: Int) -> [String] {
        let speaker = house.speakers[room]
        return speaker.runs.indices.dropFirst().compactMap { index in
            let (before, after) = (speaker.runs[index - 1], speaker.runs[index])
            // Where one item follows another, nothing has begun anew: the sound was on its way when the command came.
            guard !HouseJudge.isJoin(before, after, items: items),
                let start = HouseJudge.unbrokenSince(Array(speaker.runs[..<index]), items: items)
            else { return nil }
            let (from, to) = (before.last.time, after.first.time)
            let isTroubled = troubles.contains { trouble in
                (trouble.room == nil || trouble.room == room) && trouble.from <= to
                    && trouble.to + (trouble.isCut ? Self.recovery : Self.reaction) >= from
            }
            // One that must not be flushed still plays what the command before has queued, or a part of that.
            let queue = speaker.manners?.queue ?? 0
            let recent = commands.filter { command in
                (command.room == nil || command.room == room) && command.time <= to
                    && command.time >= max(from - Self.aSecond, start - Self.instant)
            }
            let own = recent.filter { $0.time >= start }
            let guest = Double(Song.guestFrame)
            guard !isTroubled, before.last.frame < guest, after.first.frame < guest,
                own.contains(where: { $0.time <= to - queue }),
                let difference = misplacement(of: after, behind: before, own, speaker)
            else { return nil }
            // The sound of the commands before may have been on its way, also that of one just before the room began.
            let isOnItsWay = [own, recent].contains { commands in
                (1...commands.count).contains { count in
                    (count == commands.count || commands[count].time > to - max(Self.instant, queue))
                        && misplacement(of: after, behind: before, Array(commands.prefix(count)), speaker)
                            == nil
                }
            }
            if isOnItsWay { return nil }
            return
                "\(speaker.name) begins at \(Double(to / 1_000_000) / 1e3) s \(Int(difference)) frames behind the place of the command"
        }
    }

    /// Frames by which sound began elsewhere than the commands before it say; `nil` if it did not, or they say nothing.
    private func misplacement(
        of after: HeardRun, behind before: HeardRun, _ own: [Command], _ speaker: VirtualSpeaker
    ) -> Double? {
        guard !own.isEmpty, let place = place(after: own.compactMap(\.act), from: before.last),
            // A pause at the end of the short song may go on in the next item.
            place < (items.last?.upperBound ?? 0) - 44_100
        else { return nil }
        var difference = (after.first.frame - place).remainder(dividingBy: songFrames)
        // A skip behind the short song may begin with the end of that.
        if let end = items.last?.upperBound, place == 0,
            end - after.first.frame < Double(Self.packetFrames)
        {
            difference = after.first.frame - end
        }
        let beginning = Self.beginning(
            of: speaker, isResumed: place == before.last.frame, isBrief: own.count > 2)
        let isLate = own.contains { waitsForEdit($0.time) } && (-Self.editWait...0).contains(difference)
        return beginning.contains(difference) || isLate ? nil : difference
    }

    private static let aSecond: Int64 = 1_000_000_000

    /// Whether a pause may take effect later than it was given, because an edit just before it waits for a room that is out of
    /// reach. The rooms resume at the place at which it was given.
    private func waitsForEdit(_ time: Int64) -> Bool {
        edits.contains { edit in
            edit <= time && time < edit + Self.aSecond / 2
                && troubles.contains { $0.isCut && $0.from <= edit && $0.to + Self.reaction >= edit }
        }
    }

    /// Frames of a packet of a realtime stream.
    private static let packetFrames = 352
    /// Frames for which rooms play on while an edit waits.
    private static let editWait = 0.5 * 44_100

    /// The frame at which sound begins again after commands; `nil` if the room has left or joined.
    private func place(after acts: [HouseScript.Act], from last: HeardRun.Point) -> Double? {
        var place = last.frame
        for act in acts {
            switch act {
            case .seek(let seconds): place = seconds * 44_100
            case .skip: place = 0
            case .leave, .join, .takeOver: return nil
            default: break
            }
        }
        return place
    }

    /// Whether there was no command and no fault just before, and no command that a cut may hold up.
    private func isQuiet(at time: Int64, _ room: Int) -> Bool {
        if deafTimes[room].contains(where: { $0.contains(time) }) { return false }
        let own = commands.filter { command in
            (command.room == nil || command.room == room) && command.time <= time + Self.instant
        }
        let all = own.map(\.time) + edits
        let settling = house.speakers[room].kind.clockSettling
        // A room that joins may meet the clock behind the sound that fills the others.
        return !own.contains { $0.time >= time - ($0.isJoin ? settling : Self.reaction) }
            && !troubles.contains { trouble in
                guard trouble.room == nil || trouble.room == room, trouble.from <= time else { return false }
                let isHeldUp =
                    trouble.isCut
                    && all.contains { $0 >= trouble.from - Self.reaction && $0 <= trouble.to }
                return trouble.to >= time - (isHeldUp ? Self.recovery : settling)
            }
    }
}
