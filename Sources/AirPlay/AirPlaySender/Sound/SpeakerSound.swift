import AirPlayMessages
import Synchronization
import TuttiPCM

/// The packets of a group as one speaker gets them: with the speaker's own treatment, and with the announcements that
/// it is to play. Without either, the packets of the store themselves.
///
/// Packets are made when a session reads them, on the session's queue, so that each speaker costs its own queue only.
/// The same packet, read again, has the same sound. Any thread.
package final class SpeakerSound: PacketReading {
    /// An announcement with its place.
    struct PlacedOverlay: Sendable {
        let id: Int
        let overlay: SoundOverlay
        /// The timeline frame at which it begins.
        let frame: Int64

        var endFrame: Int64 { frame + overlay.frameCount }
    }

    private struct State {
        var treatment = SoundTreatment.none
        var overlays: [PlacedOverlay] = []
        var processor: SoundProcessor?
        /// The packet that was made last, because sessions look at a packet before they take it.
        var last: PacketStore.Packet?

        func changes(_ packet: PacketStore.Packet) -> Bool {
            !treatment.isNone
                || overlays.contains { $0.frame < packet.endFrame && packet.frame < $0.endFrame }
        }
    }

    private let store: PacketStore
    private let state = Mutex(State())
    /// Whether packets go out as they are in the store.
    private let isPlain = Atomic<Bool>(true)

    /// Makes the sound of a speaker from a group's packets.
    package init(of store: PacketStore, treatment: SoundTreatment = .none) {
        self.store = store
        setTreatment(treatment)
    }

    // MARK: Changes

    /// The equaliser and night mode of packets that are read now.
    package var treatment: SoundTreatment { state.withLock { $0.treatment } }

    /// Sets what packets go through that are read from now on.
    package func setTreatment(_ treatment: SoundTreatment) { change { $0.treatment = treatment } }

    /// Adds an announcement to packets that are read from now on.
    func add(_ overlay: PlacedOverlay) { change { $0.overlays.append(overlay) } }

    /// Lets an announcement end at a frame, in packets that are read from now on.
    func endOverlay(_ id: Int, at frame: Int64) {
        change { state in
            state.overlays = state.overlays.compactMap { placed in
                guard placed.id == id else { return placed }
                guard frame > placed.frame else { return nil }
                let ending = placed.overlay.ending(at: Int(frame - placed.frame))
                return PlacedOverlay(id: id, overlay: ending, frame: placed.frame)
            }
        }
    }

    /// Removes an announcement from packets that are read from now on.
    func removeOverlay(_ id: Int) { change { $0.overlays.removeAll { $0.id == id } } }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            (state.processor, state.last) = (nil, nil)
            isPlain.store(state.treatment.isNone && state.overlays.isEmpty, ordering: .releasing)
        }
    }

    // MARK: Reading

    package func packet(atOrAfter index: Int64) -> PacketStore.Packet? {
        guard let packet = store.packet(atOrAfter: index) else { return nil }
        if isPlain.load(ordering: .acquiring) { return packet }
        return state.withLock { state in
            guard state.changes(packet) else {
                state.processor = nil
                return packet
            }
            if let last = state.last, last.index == packet.index { return last }
            let made = process(packet, &state)
            state.last = made
            return made
        }
    }

    /// Returns the packet with its own sound; the packet as it is if a codec fails; `nil` if the packets that an
    /// encoder needs after it are not there yet.
    private func process(_ packet: PacketStore.Packet, _ state: inout State) -> PacketStore.Packet? {
        if state.processor?.continues(with: packet) != true {
            state.processor = try? SoundProcessor(packet.format, treatment: state.treatment)
        }
        do {
            let payload = try state.processor?.payload(of: packet, in: store, with: state.overlays)
            if payload == nil, state.processor != nil { return nil }
            return payload.map { PacketStore.Packet(packet, payload: $0) } ?? packet
        } catch {
            state.processor = nil
            return packet
        }
    }

    package var endIndex: Int64 { store.endIndex }
    package var endFrame: Int64? { store.endFrame }
    package func packet(holding frame: Int64) -> PacketStore.Packet? { store.packet(holding: frame) }
    package func index(holding frame: Int64, leading: Int) -> Int64 {
        store.index(holding: frame, leading: leading)
    }
    package func silence(_ format: AudioWireFormat) -> PacketStore.Packet? { store.silence(format) }
    package func watch(_ body: @escaping @Sendable () -> Void) -> Int { store.watch(body) }
    package func unwatch(_ token: Int) { store.unwatch(token) }
}
