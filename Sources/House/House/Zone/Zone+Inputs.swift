import Playback

/// Inputs of a zone: sound of other programs in place of the queue.
extension Zone {
    /// The source that is heard in place of the queue; `nil` for the queue.
    var input: ActiveInput? { inputs.active }

    func handle(_ event: LiveEvent, of source: ZoneInput, hasRooms: Bool) -> ZoneEffect {
        let isActive = input?.input === source
        switch event {
        case .soundArrived: return soundArrived(from: source, hasRooms: hasRooms)
        case .running:
            if isActive { inputs.active?.isRunning = true }
            source.input.source.phaseDidChange()
            return .told
        case .latency(let seconds):
            source.input.source.setLatency(seconds)
            return []
        case .idle:
            source.input.source.phaseDidChange()
            guard isActive else { return [] }
            log(.info, "\(stored.name): \(source.name) is silent, and releases its rooms")
            inputs.active = nil
            return playback.close()
        case .halted:
            guard isActive else { return [] }
            inputs.active?.isRunning = false
            // An announcement gives the rooms back.
            guard announcement == nil else {
                source.stop()
                return []
            }
            letInputGo()
            return .changed
        }
    }

    private func soundArrived(from source: ZoneInput, hasRooms: Bool) -> ZoneEffect {
        if let input, input.input === source, input.isPaused {
            source.decline()
            return []
        }
        guard announcement == nil else {
            source.waits = true
            return []
        }
        return take(source, hasRooms: hasRooms)
    }

    /// Plays an input in place of the queue, which keeps its position.
    func take(_ source: ZoneInput, hasRooms: Bool) -> ZoneEffect {
        guard hasRooms else {
            log(.warning, "\(stored.name) has no rooms to play \(source.name) in; choose one")
            source.decline()
            return []
        }
        if let other = input?.input, other !== source { other.decline() }
        follow()
        if wish == .playing { stored.wish = .paused }
        if input?.input !== source {
            log(.notice, "\(stored.name) plays the input \(source.name)")
            inputs.active = ActiveInput(input: source, since: now())
        }
        inputs.active?.isPaused = false
        (trouble, idleSince, isOpen) = (nil, nil, true)
        playback.applyRate()
        return [.rooms, .changed]
    }

    /// Ends the active input; its sound is dropped until it has been silent once.
    func letInputGo() {
        guard let active = input else { return }
        // The rooms wait for the queue, and go if it does not play.
        (inputs.active, idleSince) = (nil, now())
        active.input.decline()
    }

    /// Pauses the active input: its sound is dropped.
    ///
    /// - Returns: `nil` if there is none.
    func pauseInput() -> ZoneEffect? {
        guard let active = input else { return nil }
        guard !active.isPaused else { return [] }
        inputs.active?.isPaused = true
        inputs.active?.isRunning = false
        idleSince = now()
        active.input.decline()
        return .changed
    }

    /// Ends the inputs.
    ///
    /// - Returns: The task that ends when others may take their places.
    @discardableResult
    func closeInputs() -> Task<Void, Never> {
        if input != nil { idleSince = now() }
        return inputs.removeAll()
    }
}
