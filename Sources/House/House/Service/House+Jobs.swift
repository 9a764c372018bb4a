/// Jobs of the tasks of parts.
extension House: HouseJobRunning {
    func run(_ job: HouseJob) async {
        switch job {
        case .tick: await tick()
        case .checkAlarms: alarmClock.check()
        case .ring(let alarm):
            let effect = await alarmClock.ring(alarm)
            if let zone = zones[alarm.zone] { carryOut(effect, in: zone) }
        case .announce(let id): await announcer.play(id)
        case .playPart(let part, let id):
            let effect = await announcer.play(part, in: id)
            if let zone = id.flatMap({ zones[$0] }) { carryOut(effect, in: zone) }
        case .bringRooms(let id):
            await sessions.reconcile(id)
            if let zone = zones[id] { changed(zone) }
        case .locate(let id): await sessions.locateAndWait(id)
        case .cancelPrompt(let id): prompts.answer(nil, of: id)
        }
    }
}
