import Playback

/// The opening of zones' inputs: sound of other programs in place of the queue.
struct InputOpener {
    let zones: ZoneRegistry
    let environment: HouseEnvironment

    /// Makes the inputs of a zone, in place of those it had under another name.
    func open(for zone: Zone) {
        let isFirst = zone.inputs.isEmpty
        let closing = zone.closeInputs()
        if isFirst { return openNew(for: zone) }
        // Servers and pipes know them by the same names: the old ones go first.
        Task { [tasks = environment.tasks, id = zone.id] in
            await closing.value
            await tasks.run(.openInputs(id))
        }
    }

    /// Makes the inputs of a zone that has none.
    func openNew(for zone: Zone) {
        for input in environment.configuration.inputs(zone.id, zone.stored.name) { open(input, for: zone) }
        zones.showVolume(atInputsOf: zone)
    }

    private func open(_ input: HouseInput, for zone: Zone) {
        let (events, emit) = AsyncStream<InputEvent>.makeStream(bufferingPolicy: .bufferingNewest(64))
        let name = input.snapshot.name
        let listening = Task { [tasks = environment.tasks, id = zone.id] in
            for await event in events { await tasks.run(.input(event, of: name, in: id)) }
        }
        do throws(RouteError) {
            let player = try zone.player.open(input) { emit.yield($0) }
            zone.inputs.add(ZoneInput(input, player: player, listening: listening))
        } catch {
            listening.cancel()
            environment.log(.warning, "\(zone.stored.name) has no input '\(name)': \(error.description)")
        }
    }
}
