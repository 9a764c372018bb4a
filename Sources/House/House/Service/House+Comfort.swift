import Foundation
import Playback

/// Settings of rooms that are off until a user wants them.
extension House {
    /// A volume for rooms whose own is unknown, in percent: that of a room which gets a loudest one, and that which
    /// sliders of other programs show.
    public static let cautiousVolume = 30.0

    func setEqualizer(_ equalizer: Equalizer?, of id: RoomID) throws(HouseError) {
        let room = try room(id)
        if let gains = equalizer?.gains {
            guard gains.count == Equalizer.frequencies.count, gains.allSatisfy(Equalizer.range.contains)
            else {
                throw HouseError(
                    .invalid,
                    "An equaliser has \(Equalizer.frequencies.count) gains, each between -12 and 12 dB.")
            }
        }
        guard room.stored.equalizer != equalizer else { return }
        // A slider sends many.
        change(id, isDurable: false) { $0.stored.equalizer = equalizer }
        sendTreatment(of: id)
    }

    func setNightMode(_ isOn: Bool, of id: RoomID) throws(HouseError) {
        guard try room(id).stored.nightMode ?? false != isOn else { return }
        change(id) { $0.stored.nightMode = isOn }
        sendTreatment(of: id)
    }

    private func sendTreatment(of id: RoomID) {
        guard let room = rooms[id] else { return }
        holder(of: id)?.player.setTreatment(room.stored.treatment, of: id)
    }

    func setMaximumVolume(_ percent: Double, of id: RoomID) throws(HouseError) {
        let room = try room(id)
        guard percent.isFinite, (1...100).contains(percent) else {
            throw HouseError(.invalid, "A loudest volume is between 1 and 100 percent.")
        }
        guard room.stored.maximumVolume != percent else { return }
        change(id) { $0.stored.maximumVolume = percent }
        holder(of: id)?.player.setMaximumVolume(percent, of: id)
        // A volume that nobody knows may be above it.
        if room.stored.volume == nil { try setVolume(defaultVolume ?? Self.cautiousVolume, of: id) }
    }

    /// The zone that plays to a room now, or is about to let it go.
    func holder(of room: RoomID) -> Zone? { zones.values.first { $0.held.contains(room) } }
}
