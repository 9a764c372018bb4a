import AudioOutput
import Dispatch
import Foundation
import Synchronization

/// The devices of this machine, as outputs that can be chosen, and the one that is open.
final class LocalDevices: Sendable {
    private struct State {
        /// What the id ``RouteCatalogue/localID`` stands for; `nil` for what the system prefers.
        var specification: OutputSpecification?
        var selected = RouteCatalogue.localID
        var sinks: [OutputDescription] = []
        weak var open: LocalDevice?
        var openSpecification: OutputSpecification?
    }

    private let state: Mutex<State>
    /// One opening at a time: two would fight over one device.
    private let opening = Mutex(())

    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        var state = State()
        // A text that names no output is told of when sound is to come out.
        if let text = environment["TUTTI_OUTPUT"] {
            state.specification = try? OutputSpecification(parsing: text)
        }
        self.state = Mutex(state)
    }

    /// One local output, and every sink of the sound server once ``refresh()`` has asked for them.
    var options: [RouteOption] {
        state.withLock { state in
            let own = RouteOption(
                id: RouteCatalogue.localID, name: state.specification.map { "\($0)" } ?? "This computer",
                kind: .local, isSelected: state.selected == RouteCatalogue.localID)
            return [own]
                + state.sinks.map { sink in
                    let id = "\(sink.specification)"
                    return RouteOption(
                        id: id, name: sink.text, kind: Self.kind(of: sink.specification),
                        isSelected: state.selected == id)
                }
        }
    }

    /// PulseAudio and PipeWire name Bluetooth sinks alike.
    private static func kind(of specification: OutputSpecification) -> RouteOption.Kind {
        if case .pulse(let sink?) = specification.kind, sink.hasPrefix("bluez_") { return .bluetooth }
        return .local
    }

    /// What is chosen now.
    var selectedKind: RouteOption.Kind { options.first { $0.isSelected }?.kind ?? .local }

    /// Asks the sound server for its sinks. Waits for at most two seconds.
    ///
    /// - Returns: whether there are others than before.
    func refresh() -> Bool {
        let sinks = (try? OutputListing.pulse()) ?? []
        return state.withLock { state in
            defer { state.sinks = sinks }
            return state.sinks != sinks
        }
    }

    func setSpecification(_ specification: OutputSpecification) {
        state.withLock { ($0.specification, $0.selected) = (specification, RouteCatalogue.localID) }
    }

    func select(_ id: RouteOption.ID) { state.withLock { $0.selected = id } }

    /// The chosen device, opened if it is not. May wait for it.
    ///
    /// - Throws: an `OutputError` that says why there is none.
    func device() throws -> LocalDevice {
        try opening.withLock { _ in
            let wanted = try specification()
            let open = state.withLock { $0.openSpecification == wanted ? $0.open : nil }
            if let open { return open }
            let device = try LocalDevice(wanted)
            state.withLock { ($0.open, $0.openSpecification) = (device, wanted) }
            return device
        }
    }

    /// Ends the device's sound at once; what was heard is in the file where it is one.
    func close() { state.withLock { $0.open }?.close() }

    private func specification() throws -> OutputSpecification {
        let (own, selected, sinks) = state.withLock { ($0.specification, $0.selected, $0.sinks) }
        if let sink = sinks.first(where: { "\($0.specification)" == selected }) { return sink.specification }
        return try own ?? OutputSpecification.preferred()
    }
}
