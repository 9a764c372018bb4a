/// The volumes of zones that fall asleep or wake.
extension House {
    /// Brings the volumes of a zone's rooms to where its fade is now, if it has one. When the house stops, it has set them back.
    func updateFade(_ zone: Zone) {
        guard !isStopping else { return }
        zone.updateFade { room in
            // A room that leaves still sounds; its next session begins with its own volume. An announcement has its own.
            guard let stored = rooms[room]?.stored, stored.zone == zone.id,
                !announcer.hasOwnVolume(in: room)
            else { return nil }
            return stored.volume
        }
        keepFading()
    }

    /// Runs the fader while a zone fades. The ticker finds the beginning of a fade.
    private func keepFading() {
        guard fader == nil, !isStopping, fadeInterval != nil else { return }
        fader = Task { [weak self] in
            while !Task.isCancelled {
                guard let interval = await self?.fadeInterval else { break }
                do { try await Task.sleep(for: .seconds(interval)) } catch { return }
                await self?.stepFades()
            }
            await self?.endFading()
        }
    }

    private func stepFades() {
        for zone in zones.all.values { updateFade(zone) }
    }

    private func endFading() {
        fader = nil
        // A fade may have begun meanwhile.
        keepFading()
    }

    /// Seconds to the next step of any zone; `nil` if none fades.
    private var fadeInterval: Double? { zones.all.values.compactMap(\.fadeInterval).min() }
}
