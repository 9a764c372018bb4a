import AirPlaySender
import Playback

/// Rooms: those that are found, those that zones hold, and their passwords.
///
/// A room's `zone` is the desired state. One task for each zone reconciles its sessions; a room joins once no other zone
/// holds it.
extension House {
    /// The most rooms to remember.
    static let roomLimit = 256
    /// The time that a user has to enter a password or a PIN.
    static let passwordTime = Duration.seconds(120)

    // MARK: Search

    func roomsFound(_ all: [FoundRoom]) {
        let wasFull = lastFound.contains { rooms[$0.id] == nil && !isHidden($0.id, $0.name) }
        lastFound = all
        for room in rooms.values where isHidden(room.stored.id, room.stored.name) {
            assign(room.stored.id, from: zone(of: room), to: nil)
            forget(room.stored.id)
        }
        let found = all.filter { !isHidden($0.id, $0.name) }
        let there = Set(found.map(\.id))
        for id in rooms.keys where !there.contains(id) { leave(id) }
        var refused: FoundRoom?
        for room in found {
            if rooms[room.id] == nil {
                guard rooms.count < Self.roomLimit || forgetUnused(but: there) else {
                    refused = refused ?? room
                    continue
                }
                let stored = StoredRoom(id: room.id, name: room.name, model: room.model, kind: room.kind)
                rooms[room.id] = Room(stored)
                store.write(stored)
            }
            let isNew = rooms[room.id]?.isPresent == false
            change(room.id) { known in
                (known.stored.name, known.stored.model, known.stored.kind) = (
                    room.name, room.model, room.kind
                )
                (known.isPresent, known.needsPassword) = (true, room.needsPassword)
            }
            if isNew { appeared(room.id) }
        }
        if let refused, !wasFull {
            log(
                .warning,
                "\(refused.name) is on the network, but no room yet: the house has \(Self.roomLimit) rooms,"
                    + " and takes no more. Forget some with `tutti room forget`, or name some in [rooms] hidden."
            )
        }
    }

    /// Notes that a room is not on the network.
    private func leave(_ id: RoomID) {
        let time = now()
        change(id) { room in
            if room.isPresent { room.lastSeen = time }
            room.isPresent = false
        }
    }

    /// Forgets one room that nobody uses, in favour of another: of those that are not on the network and of
    /// which nothing was set, the one that has been away longest.
    ///
    /// - Parameter there: The rooms on the network.
    /// - Returns: Whether there was one.
    private func forgetUnused(but there: Set<RoomID>) -> Bool {
        let held = (Array(zones.values) + closing).reduce(into: Set(prompts.keys)) { $0.formUnion($1.held) }
        let unused = rooms.values.filter { room in
            room.stored.isUntouched && !there.contains(room.stored.id) && !held.contains(room.stored.id)
        }
        let oldest = unused.min { left, right in
            (left.lastSeen, left.stored.id.rawValue) < (right.lastSeen, right.stored.id.rawValue)
        }
        guard let oldest else { return false }
        forget(oldest.stored.id)
        return true
    }

    private func zone(of room: Room) -> Zone? { room.stored.zone.flatMap { zones[$0] } }

    private func isHidden(_ id: RoomID, _ name: String) -> Bool {
        hidden.contains(name) || hidden.contains(id.rawValue)
    }

    private func appeared(_ id: RoomID) {
        if rooms[id]?.state == .lost { locate(id) }
        guard let room = rooms[id], let zone = zone(of: room) else { return }
        if zone.isOpen { bringRooms(of: zone) }
    }

    // MARK: Sessions

    /// Brings the sessions of a zone to its rooms, or closes them if the zone is not open.
    func bringRooms(of zone: Zone) {
        guard zone.roomTask == nil, !isStopping else { return }
        zone.roomTask = Task { [weak self, id = zone.id] in await self?.bringRooms(of: id) }
    }

    private func bringRooms(of id: ZoneID) async {
        while let zone = zones[id], !isStopping {
            let ready = roomsToHold(by: zone)
            let new = Set(ready.map(\.id))
            guard new != zone.held else { break }
            zone.held.formUnion(new)
            for room in ready { zone.heldAddresses[room.id] = room.targets.map(\.addresses) }
            if new.isEmpty {
                zone.isConnected = false
                zone.player.setRate(0)
                await zone.player.release()
            } else {
                await zone.player.setRooms(ready)
                zone.isConnected = true
            }
            let left = zone.held.subtracting(new)
            zone.held = new
            for room in left {
                zone.heldAddresses[room] = nil
                change(room) { $0.take(.idle) }
            }
            zone.applyRate()
            bringRoomsOfOthers(than: zone, left)
        }
        zones[id]?.roomTask = nil
        if let zone = zones[id] { changed(zone) }
    }

    /// Lets other zones have rooms that are free now.
    func bringRoomsOfOthers(than zone: Zone, _ free: Set<RoomID>) {
        for other in zones.values where other !== zone && other.isOpen {
            if !free.isDisjoint(with: roomIDs(of: other.id)) { bringRooms(of: other) }
        }
    }

    /// Returns the rooms that are ready, without a lost one whose address has changed: it leaves, and joins again.
    private func roomsToHold(by zone: Zone) -> [ZoneRoom] {
        readyRooms(of: zone).filter { room in
            guard zone.held.contains(room.id), rooms[room.id]?.state == .lost else { return true }
            return zone.heldAddresses[room.id] == room.targets.map(\.addresses)
        }
    }

    /// Returns the rooms that the zone is to play to and that are free; asks for the addresses of others.
    private func readyRooms(of zone: Zone) -> [ZoneRoom] {
        if let announced = zone.announcement { return readyRooms(announced, for: zone) }
        return zone.isOpen ? readyRooms(roomIDs(of: zone.id), for: zone) : []
    }

    func readyRooms(_ ids: some Sequence<RoomID>, for zone: Zone) -> [ZoneRoom] {
        ids.compactMap { id in
            let isTaken = (Array(zones.values) + closing).contains { $0 !== zone && $0.held.contains(id) }
            guard !isTaken, let room = rooms[id] else { return nil }
            let targets = targets(of: room)
            if targets.isEmpty || room.targets == nil && room.isPresent { locate(id) }
            guard !targets.isEmpty else { return nil }
            return ZoneRoom(
                id: id,
                targets: targets.map { target in
                    var target = target
                    target.name = uniqueName(target.name, of: id)
                    target.volume = zone.beginningVolume(of: id, own: room.stored.volume)
                    target.delay = SpeakerDelay(milliseconds: room.stored.delay) ?? .zero
                    target.maximumVolume = room.stored.maximumVolume ?? target.maximumVolume
                    target.treatment = room.stored.treatment
                    return target
                })
        }
    }

    /// Returns a speaker's name, numbered if speakers of other rooms have the same, so that messages tell them apart.
    private func uniqueName(_ name: String, of id: RoomID) -> String {
        let twins = rooms.values.count { other in
            other.stored.id.rawValue < id.rawValue && other.targets?.contains { $0.name == name } == true
        }
        return twins == 0 ? name : "\(name) (\(twins + 1))"
    }

    /// Returns the room's speakers as far as they are known: as the search found them, else as they were stored.
    private func targets(of room: Room) -> [SpeakerTarget] {
        if let targets = room.targets { return targets }
        return room.stored.references.compactMap { reference in
            var target = outputs.target(of: reference)
            if target?.password == nil { target?.password = room.stored.password }
            return target
        }
    }

    /// Asks for the speakers of a room that is there.
    func locate(_ id: RoomID) {
        guard let room = rooms[id], !room.isLocating else { return }
        guard room.isPresent else {
            let trouble = Trouble(
                code: "absent", message: "\(room.stored.name) is not on the network. Is it switched on?")
            return change(id) { $0.trouble = trouble }
        }
        rooms[id]?.isLocating = true
        Task { [weak self] in await self?.locateNow(id) }
    }

    func locateNow(_ id: RoomID) async {
        rooms[id]?.isLocating = true
        let result: Result<[SpeakerTarget], RouteError>
        do throws(RouteError) { result = .success(try await outputs.targets(of: id)) } catch {
            result = .failure(error)
        }
        located(id, result)
    }

    private func located(_ id: RoomID, _ result: Result<[SpeakerTarget], RouteError>) {
        rooms[id]?.isLocating = false
        switch result {
        case .success(let targets):
            change(id) { room in
                room.targets = targets
                room.stored.references = targets.compactMap { SpeakerReference($0) }
                // A PIN pairs once and is no part of the target; a password is.
                if let password = targets.first?.password { room.stored.password = password }
                room.wasLocated()
            }
            if let zone = rooms[id].flatMap({ zone(of: $0) }), zone.isOpen { bringRooms(of: zone) }
        case .failure(let error):
            log(.warning, error.description)
            change(id) { $0.trouble = Trouble(code: "not-opened", message: error.description) }
        }
    }

    // MARK: Passwords

    /// Returns the password of a room: the stored one, or the one that a user enters within two minutes.
    func password(for id: RoomID) async -> String? {
        guard let room = rooms[id], !isStopping else { return nil }
        if let password = room.stored.password { return password }
        let name = room.stored.name
        change(id) { room in
            room.needsPassword = true
            room.trouble = Trouble(
                code: "password-needed", message: "\(name) wants a password, or the PIN that it shows now.")
        }
        prompts.removeValue(forKey: id)?.resume(returning: nil)
        let timer = Task { [weak self] in
            do { try await Task.sleep(for: Self.passwordTime) } catch { return }
            await self?.answerPrompt(of: id, nil)
        }
        defer { timer.cancel() }
        return await withCheckedContinuation { prompts[id] = $0 }
    }

    /// Forgets a password that a room does not take; the next session asks for another.
    func forgetPassword(of id: RoomID) {
        change(id) { room in
            (room.stored.password, room.targets, room.needsPassword) = (nil, nil, true)
        }
    }

    /// Answers the question for a room's password.
    ///
    /// - Returns: whether the room has asked.
    @discardableResult
    func answerPrompt(of id: RoomID, _ password: String?) -> Bool {
        guard let prompt = prompts.removeValue(forKey: id) else { return false }
        prompt.resume(returning: password)
        return true
    }

    // MARK: Commands

    func moveRoom(_ id: RoomID, to target: ZoneID?) throws(HouseError) {
        let room = try room(id)
        let target = try target.map { id throws(HouseError) in try zone(id) }
        assign(id, from: zone(of: room), to: target)
    }

    private func assign(_ id: RoomID, from source: Zone?, to target: Zone?) {
        guard source !== target else { return }
        change(id) { room in
            room.stored.zone = target?.id
            if target != nil { room.stored.volume = room.stored.volume ?? defaultVolume }
        }
        if let source {
            if roomIDs(of: source.id).isEmpty, source.wish == .playing {
                carryOut(source.pause(), in: source)
            }
            if source.isOpen { bringRooms(of: source) }
            changed(source)
        }
        if let target {
            if target.isOpen { bringRooms(of: target) }
            changed(target)
        }
    }

    func setVolume(_ percent: Double, of id: RoomID) throws(HouseError) {
        let percent = try Self.percent(percent)
        let room = try room(id)
        change(id, isDurable: false) { $0.stored.volume = percent }
        if let zone = zone(of: room) {
            zone.touchVolume(of: id)
            if zone.held.contains(id) { zone.player.setVolume(percent, of: id) }
            publish(zone)
        }
    }

    func setVolume(_ percent: Double, of zone: Zone) throws(HouseError) {
        for (id, percent) in scaledVolumes(of: zone, to: try Self.percent(percent)) {
            try setVolume(percent, of: id)
        }
    }

    /// Stores the volumes of a zone's rooms, which a fade is to reach; the rooms are not told yet.
    func storeVolume(_ percent: Double, of zone: Zone) {
        for (id, percent) in scaledVolumes(of: zone, to: percent) {
            change(id, isDurable: false) { $0.stored.volume = percent }
        }
    }

    private func scaledVolumes(of zone: Zone, to percent: Double) -> [RoomID: Double] {
        let ids = roomIDs(of: zone.id)
        let known = ids.compactMap { id in rooms[id]?.stored.volume.map { (id, $0) } }
        return ZoneVolume.scaled(Dictionary(known, uniquingKeysWith: { $1 }), known: ids, to: percent)
    }

    private static func percent(_ value: Double) throws(HouseError) -> Double {
        guard value.isFinite, (0...100).contains(value) else {
            throw HouseError(.invalid, "A volume is between 0 and 100 percent.")
        }
        return value
    }

    func setDelay(_ milliseconds: Double, of id: RoomID) throws(HouseError) {
        let room = try room(id)
        guard let delay = SpeakerDelay(milliseconds: milliseconds) else {
            throw HouseError(.invalid, "A delay is between -1000 and 1000 milliseconds.")
        }
        guard room.stored.delay != milliseconds else { return }
        change(id) { $0.stored.delay = milliseconds }
        guard let zone = zone(of: room), zone.held.contains(id) else { return }
        zone.player.setDelay(delay, of: id)
    }

    func setPassword(_ password: String, of id: RoomID) throws(HouseError) {
        let room = try room(id)
        guard !password.isEmpty, password.utf8.count <= 256 else {
            throw HouseError(.invalid, "A password has 1 to 256 characters.")
        }
        // Once it is known to be right, and no PIN, it is stored.
        if answerPrompt(of: id, password) { return }
        change(id) { room in
            (room.stored.password, room.targets, room.trouble) = (password, nil, nil)
        }
        if let zone = zone(of: room), zone.isOpen { bringRooms(of: zone) }
    }

    func forgetRoom(_ id: RoomID) throws(HouseError) {
        let room = try room(id)
        guard room.stored.zone == nil, !room.isPresent else {
            throw HouseError(
                .conflict, "\(room.stored.name) is on the network or in a zone, so it cannot be forgotten.")
        }
        forget(id)
    }
}
