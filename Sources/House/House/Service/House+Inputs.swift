import Playback
import TuttiMusicLibrary

/// Inputs of zones: sound of other programs in place of the queue.
extension House {
    // MARK: Life

    /// Makes the inputs of a zone, in place of those it had under another name.
    func openInputs(of zone: Zone) {
        let isFirst = zone.inputs.isEmpty
        let closing = closeInputs(of: zone)
        if isFirst { return openNewInputs(of: zone) }
        // Servers and pipes know them by the same names: the old ones go first.
        Task { [weak self, id = zone.id] in
            await closing.value
            await self?.reopenInputs(of: id)
        }
    }

    private func reopenInputs(of id: ZoneID) {
        guard let zone = zones[id], zone.inputs.isEmpty, !isStopping else { return }
        openNewInputs(of: zone)
        changed(zone)
    }

    private func openNewInputs(of zone: Zone) {
        for input in configuration.inputs(zone.id, zone.stored.name) {
            let (events, emit) = AsyncStream<InputEvent>.makeStream(bufferingPolicy: .bufferingNewest(64))
            let name = input.snapshot.name
            let listening = Task { [weak self, id = zone.id] in
                for await event in events { await self?.handle(event, ofInput: name, in: id) }
            }
            do throws(RouteError) {
                let player = try zone.player.open(input) { emit.yield($0) }
                zone.inputs.append(ZoneInput(input, player: player, listening: listening))
            } catch {
                listening.cancel()
                log(.warning, "\(zone.stored.name) has no input '\(name)': \(error.description)")
            }
        }
        // Without a volume, a slider shows the sound server's, and its next step would bring the rooms there.
        showVolume(snapshot(of: zone).volume, atInputsOf: zone)
    }

    /// Ends the inputs of a zone.
    @discardableResult
    func closeInputs(of zone: Zone) -> Task<Void, Never> {
        let inputs = zone.inputs
        if zone.input != nil { zone.idleSince = now() }
        (zone.inputs, zone.input) = ([], nil)
        let sources = inputs.map { input in
            input.player.stop()
            input.listening.cancel()
            return input.input.source
        }
        return Task { for source in sources { await source.close() } }
    }

    // MARK: Events

    func handle(_ event: InputEvent, ofInput name: String, in id: ZoneID) {
        guard let zone = zones[id], !isStopping, let input = zone.inputs.first(where: { $0.name == name })
        else { return }
        switch event {
        case .live(let event): handle(event, of: input, in: zone)
        case .volume(let percent):
            guard abs(percent - (input.shownVolume ?? -1)) > 0.5 else { return }
            input.shownVolume = percent
            do throws(HouseError) { try setVolume(max(0, min(100, percent)), of: zone) } catch {
                log(.info, "\(zone.stored.name): \(error.description)")
            }
        }
    }

    private func handle(_ event: LiveEvent, of input: ZoneInput, in zone: Zone) {
        let isActive = zone.input?.input === input
        switch event {
        case .soundArrived:
            if isActive, zone.input?.isPaused == true { return input.decline() }
            guard zone.announcement == nil else {
                input.waits = true
                return
            }
            take(input, in: zone)
        case .running:
            if isActive { zone.input?.isRunning = true }
            input.input.source.phaseDidChange()
            publish(zone)
        case .latency(let seconds): input.input.source.setLatency(seconds)
        case .idle:
            input.input.source.phaseDidChange()
            guard isActive else { return }
            log(.info, "\(zone.stored.name): \(input.name) is silent, and lets its rooms go")
            zone.input = nil
            close(zone)
            changed(zone)
        case .halted:
            guard isActive else { return }
            zone.input?.isRunning = false
            // An announcement gives the rooms back.
            if zone.announcement != nil { return input.stop() }
            letInputGo(zone)
            changed(zone)
        }
    }

    // MARK: The active input

    /// Plays an input in place of the queue, which keeps its position.
    func take(_ input: ZoneInput, in zone: Zone) {
        guard !roomIDs(of: zone.id).isEmpty else {
            log(
                .warning, "\(zone.stored.name) has no rooms in which \(input.name) could be heard; choose one"
            )
            return input.decline()
        }
        if let other = zone.input?.input, other !== input { other.decline() }
        zone.follow()
        if zone.wish == .playing { zone.stored.wish = .paused }
        if zone.input?.input !== input {
            log(.notice, "\(zone.stored.name) plays the input \(input.name)")
            zone.input = ActiveInput(input: input, since: now())
        }
        zone.input?.isPaused = false
        (zone.trouble, zone.idleSince, zone.isOpen) = (nil, nil, true)
        bringRooms(of: zone)
        applyRate(zone)
        changed(zone)
    }

    /// Lets the active input play once the rooms are there.
    func applyInput(_ zone: Zone) {
        guard let active = zone.input, !active.isPaused, zone.isConnected, zone.announcement == nil else {
            return
        }
        active.input.start()
    }

    /// Lets the sound that has come during an announcement arrive anew.
    func wakeInputs(of zone: Zone) {
        for input in zone.inputs where input.waits {
            input.waits = false
            if zone.input?.input !== input { input.stop() }
        }
    }

    /// Ends the active input; its sound is dropped until it has been silent once.
    func letInputGo(_ zone: Zone) {
        guard let active = zone.input else { return }
        // The rooms wait for the queue, and go if it does not play.
        (zone.input, zone.idleSince) = (nil, now())
        active.input.decline()
    }

    /// Pauses the active input: its sound is dropped.
    ///
    /// - Returns: false if there is none.
    func pauseInput(_ zone: Zone) -> Bool {
        guard let active = zone.input else { return false }
        guard !active.isPaused else { return true }
        zone.input?.isPaused = true
        zone.input?.isRunning = false
        zone.idleSince = now()
        active.input.decline()
        changed(zone)
        return true
    }

    // MARK: Commands

    /// Carries out a command as far as it concerns an input.
    ///
    /// - Returns: false if the command concerns the queue.
    func carryOutForInput(_ command: HouseCommand) throws(HouseError) -> Bool {
        switch command {
        case .playInput(let id, let name):
            let zone = try zone(id)
            guard let input = zone.inputs.first(where: { $0.name == name }) else {
                throw HouseError(.notFound, "\(zone.stored.name) has no input '\(name)'.")
            }
            try requireRooms(of: zone)
            take(input, in: zone)
            return true
        case .pause(let id): return pauseInput(try zone(id))
        case .toggle(let id):
            let zone = try zone(id)
            guard let active = zone.input else { return false }
            if active.isPaused { take(active.input, in: zone) } else { _ = pauseInput(zone) }
            return true
        case .play(let id):
            let zone = try zone(id)
            guard let active = zone.input, active.isPaused else { return false }
            take(active.input, in: zone)
            return true
        case .next(let id), .previous(let id):
            let zone = try zone(id)
            guard zone.input != nil else { return false }
            letInputGo(zone)
            changed(zone)
            if case .next = command { try next(zone) } else { previous(zone) }
            if !zone.queue.isEmpty { try play(zone) }
            return true
        case .seek(let id, _), .skip(let id, _):
            guard try zone(id).input != nil else { return false }
            throw HouseError(.conflict, "The sound of an input cannot seek.")
        default: return false
        }
    }

    // MARK: Surfaces

    /// Shows the active input as the current entry.
    func showInput(of zone: Zone, in snapshot: inout ZoneSnapshot) {
        snapshot.inputs = zone.inputs.map(\.input.snapshot)
        guard let active = zone.input else { return }
        let description = active.input.input.snapshot
        snapshot.input = description
        (snapshot.index, snapshot.streamTitle) = (nil, nil)
        snapshot.current = QueueEntry(
            id: EntryID(rawValue: 0),
            track: PlayableTrack(location: "input:\(description.name)", title: description.name, isLive: true)
        )
        (snapshot.position, snapshot.rate) = (max(0, now() - active.since), 1)
    }

    /// Shows the zone's volume at its inputs, or a low one while the zone's is unknown.
    func showVolume(_ percent: Double?, atInputsOf zone: Zone) {
        let percent = percent ?? defaultVolume ?? Self.cautiousVolume
        for input in zone.inputs where abs(percent - (input.shownVolume ?? -1)) > 0.5 {
            input.shownVolume = percent
            input.input.source.setVolume(percent)
        }
    }
}
