import Playback

/// Inputs of zones: sound of other programs in place of the queue.
extension House {
    // MARK: Life

    /// Makes the inputs of a zone, in place of those it had under another name.
    func openInputs(of zone: Zone) {
        let isFirst = zone.inputs.isEmpty
        let closing = zone.closeInputs()
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
                zone.inputs.add(ZoneInput(input, player: player, listening: listening))
            } catch {
                listening.cancel()
                log(.warning, "\(zone.stored.name) has no input '\(name)': \(error.description)")
            }
        }
        zones.showVolume(atInputsOf: zone)
    }

    // MARK: Events

    func handle(_ event: InputEvent, ofInput name: String, in id: ZoneID) {
        guard let zone = zones[id], !isStopping, let input = zone.inputs.input(name)
        else { return }
        switch event {
        case .live(let event):
            carryOut(zone.handle(event, of: input, hasRooms: zones.hasRooms(zone)), in: zone)
        case .volume(let percent):
            guard abs(percent - (input.shownVolume ?? -1)) > 0.5 else { return }
            input.shownVolume = percent
            do throws(HouseError) { try settings.setVolume(max(0, min(100, percent)), of: zone) } catch {
                log(.info, "\(zone.stored.name): \(error.description)")
            }
            ticker.start()
        }
    }
}
