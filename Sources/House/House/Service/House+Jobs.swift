import Playback

/// The work that tasks bring back, the events of players and inputs, and the passing of time.
extension House: HouseJobRunning {
    func run(_ job: HouseJob) async {
        switch job {
        case .tick: await tick()
        case .stepFades: fader.step()
        case .checkAlarms: alarmClock.check()
        case .ring(let alarm): carryOut(await alarmClock.ring(alarm), in: alarm.zone)
        case .announce(let id): await announcer.play(id)
        case .playPart(let part, let zone): carryOut(await announcer.play(part, in: zone), in: zone)
        case .bringRooms(let id):
            await sessions.reconcile(id)
            carryOut(.changed, in: id)
        case .locate(let room): await sessions.locateAndWait(room)
        case .cancelPrompt(let room): prompts.answer(nil, of: room)
        case .openInputs(let id):
            guard let zone = zones[id], zone.inputs.isEmpty, !isStopping else { return }
            inputs.openNew(for: zone)
            changed(zone)
        case .player(let event, let zone): handle(event, of: zone)
        case .input(let event, let name, let zone): handle(event, ofInput: name, in: zone)
        }
    }

    // MARK: Events

    func handle(_ event: ZoneEvent, of id: ZoneID) {
        guard let zone = zones[id], !isStopping else { return }
        switch event {
        case .room, .roomTrouble, .session, .volume:
            RoomReports(zones: zones, sessions: sessions, log: log).take(event, of: zone)
            ticker.start()
        case .button(let button):
            let command = button.command(for: id)
            // A speaker shows no answer to its buttons; a refusal is in the log.
            Task { _ = try? await perform(command, from: CommandOrigin(surface: "speaker")) }
        case .current, .state, .interrupted, .playerFailed, .opened, .failed, .ended, .streamTitle:
            let effect = zone.handle(event)
            if case .state = event, zone.fade.rise != nil { fader.update(zone) }
            carryOut(effect, in: zone)
        }
    }

    func handle(_ event: InputEvent, ofInput name: String, in id: ZoneID) {
        guard let zone = zones[id], !isStopping, let input = zone.inputs.input(name) else { return }
        switch event {
        case .live(let event):
            carryOut(zone.handle(event, of: input, hasRooms: zones.hasRooms(zone)), in: zone)
        case .volume(let percent):
            settings.takeVolume(percent, of: input, in: zone)
            ticker.start()
        }
    }

    // MARK: Time

    /// Looks at the time.
    func tick() async {
        // A tick may be on its way when the house stops, and must not lower a volume that was set back.
        guard !isStopping else { return }
        let time = environment.now()
        for zone in zones.all.values {
            carryOut(zone.tick(at: time, idleSeconds: environment.configuration.idleMinutes * 60), in: zone)
            if zone.wish == .playing { zones.keepPosition(of: zone) }
            carryOut(zone.playback.updateAbsence(at: time), in: zone)
            fader.update(zone)
        }
        if environment.store.beginAttempt(at: time) { writeAll() }
        if publisher.hasSurfaces {
            let depths = await zones.depths()
            if !depths.isEmpty { publisher.tell(.depths(depths)) }
        }
        ticker.next()
    }

    /// Writes everything after an outage.
    private func writeAll() {
        environment.store.writeAll(
            zones: zones.all.values.map { ($0.stored, $0.queue) }, rooms: rooms.all.values.map(\.stored),
            alarms: Array(alarmClock.list.stored.values), environment.numbers.counters)
        troubles.publish()
    }
}
