import AirPlaySender
import Playback

/// The settings of rooms. Those who set them learn what is to be sent to the room's speakers.
extension RoomRegistry {
    /// - Returns: Whether this changed it.
    func setEqualizer(_ equalizer: Equalizer?, of id: RoomID) throws(HouseError) -> Bool {
        let room = try room(id)
        if let gains = equalizer?.gains {
            guard gains.count == Equalizer.frequencies.count, gains.allSatisfy(Equalizer.range.contains)
            else {
                throw HouseError(
                    .invalid,
                    "An equaliser needs \(Equalizer.frequencies.count) gains, each between -12 and 12 dB.")
            }
        }
        guard room.stored.equalizer != equalizer else { return false }
        // A slider sends many.
        change(id, isDurable: false) { $0.stored.equalizer = equalizer }
        return true
    }

    /// - Returns: Whether this changed it.
    func setNightMode(_ isOn: Bool, of id: RoomID) throws(HouseError) -> Bool {
        guard try room(id).stored.nightMode ?? false != isOn else { return false }
        change(id) { $0.stored.nightMode = isOn }
        return true
    }

    /// - Returns: Whether this changed it.
    func setMaximumVolume(_ percent: Double, of id: RoomID) throws(HouseError) -> Bool {
        let room = try room(id)
        guard percent.isFinite, (1...100).contains(percent) else {
            throw HouseError(.invalid, "The maximum volume must be between 1 and 100 percent.")
        }
        guard room.stored.maximumVolume != percent else { return false }
        change(id) { $0.stored.maximumVolume = percent }
        return true
    }

    /// - Returns: The delay; `nil` if it is as it was.
    func setDelay(_ milliseconds: Double, of id: RoomID) throws(HouseError) -> SpeakerDelay? {
        let room = try room(id)
        guard let delay = SpeakerDelay(milliseconds: milliseconds) else {
            throw HouseError(.invalid, "The delay must be between -1000 and 1000 milliseconds.")
        }
        guard room.stored.delay != milliseconds else { return nil }
        change(id) { $0.stored.delay = milliseconds }
        return delay
    }

    // MARK: Volumes

    func setVolume(_ percent: Double, of id: RoomID) throws(HouseError) {
        try Self.validate(percent: percent)
        _ = try room(id)
        change(id, isDurable: false) { $0.stored.volume = percent }
    }

    static func validate(percent: Double) throws(HouseError) {
        guard percent.isFinite, (0...100).contains(percent) else {
            throw HouseError(.invalid, "The volume must be between 0 and 100 percent.")
        }
    }

    /// The volume of a zone's loudest room; `nil` if none is known.
    func volume(of zone: ZoneID) -> Double? { ids(of: zone).compactMap { all[$0]?.stored.volume }.max() }

    /// Returns the volumes of a zone's rooms for a new one of the loudest.
    func volumes(of zone: ZoneID, scaledTo percent: Double) -> [RoomID: Double] {
        let ids = ids(of: zone)
        let known = ids.compactMap { id in all[id]?.stored.volume.map { (id, $0) } }
        return ZoneVolume.scaled(Dictionary(known, uniquingKeysWith: { $1 }), known: ids, to: percent)
    }

    // MARK: Passwords

    /// Refuses a password that no room has, or one of an unknown room.
    func validate(password: String, of id: RoomID) throws(HouseError) {
        _ = try room(id)
        guard !password.isEmpty, password.utf8.count <= 256 else {
            throw HouseError(.invalid, "A password must have 1 to 256 characters.")
        }
    }

    /// Notes that a user is asked for a room's password.
    func notePrompt(of id: RoomID) {
        guard let name = all[id]?.stored.name else { return }
        change(id) { room in
            room.needsPassword = true
            room.trouble = Trouble(
                code: "password-needed", message: "\(name) needs a password, or the PIN that it shows now.")
        }
    }

    func setPassword(_ password: String, of id: RoomID) {
        change(id) { room in
            (room.stored.password, room.targets, room.trouble) = (password, nil, nil)
        }
    }

    /// Forgets a password that a room does not take; the next session asks for another.
    func forgetPassword(of id: RoomID) {
        change(id) { room in
            (room.stored.password, room.targets, room.needsPassword) = (nil, nil, true)
        }
    }
}
