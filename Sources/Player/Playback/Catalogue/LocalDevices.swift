import Foundation
import Synchronization
import TuttiAudioOutput
import TuttiSystemIO

/// The devices of this machine as one zone has them: the selected one, and its part of those that are open.
final class LocalDevices: Sendable {
    private struct State {
        /// The output behind the id ``RouteCatalogue/localID``; `nil` for the system's default.
        var specification: OutputSpecification?
        /// The reason why `TUTTI_OUTPUT` cannot be used; `nil` once the program chose an output.
        var invalidVariable: RouteError?
        var selected = RouteCatalogue.localID
        var open: [OutputSpecification: WeakReference<LocalDevice>] = [:]
        /// The selected output at its last opening.
        var used: OutputSpecification?
        /// Observes the losses of devices.
        var losses: RouteObservation?
        var onLoss: (@Sendable (OutputSpecification) -> Void)?
        /// Incremented by ``close()``.
        var closings = 0
    }

    /// The devices of all zones.
    let shared: MachineDevices
    private let state: Mutex<State>
    /// Serializes openings: the players of a zone share a device.
    private let opening = Mutex(())

    init(
        environment: [String: String] = ProcessInfo.processInfo.environment, shared: MachineDevices
    ) {
        var state = State()
        if let text = environment["TUTTI_OUTPUT"] {
            do throws(OutputSpecificationError) {
                state.specification = try OutputSpecification(parsing: text)
            } catch {
                state.invalidVariable = RouteError(
                    "the environment variable TUTTI_OUTPUT cannot be used: \(error)")
            }
        }
        self.state = Mutex(state)
        self.shared = shared
    }

    /// Makes the devices of another zone, with the same output behind ``RouteCatalogue/localID``.
    func makeSelection() -> LocalDevices {
        let devices = LocalDevices(environment: [:], shared: shared)
        let (specification, invalid) = state.withLock { ($0.specification, $0.invalidVariable) }
        devices.state.withLock { ($0.specification, $0.invalidVariable) = (specification, invalid) }
        return devices
    }

    /// One local output, and the sound server's sinks after ``MachineDevices/refresh()``.
    var options: [RouteOption] {
        let sinks = shared.sinks
        return state.withLock { state in
            let own = RouteOption(
                id: RouteCatalogue.localID, name: state.specification.map { "\($0)" } ?? "This computer",
                kind: .local, isSelected: state.selected == RouteCatalogue.localID)
            return [own]
                + sinks.map { sink in
                    let id = "\(sink.specification)"
                    return RouteOption(
                        id: id, name: sink.text, kind: Self.kind(of: sink.specification),
                        isSelected: state.selected == id)
                }
        }
    }

    /// PulseAudio and PipeWire use the same names for Bluetooth sinks.
    private static func kind(of specification: OutputSpecification) -> RouteOption.Kind {
        if case .pulse(let sink?) = specification.kind, sink.hasPrefix("bluez_") { return .bluetooth }
        return .local
    }

    /// Whether the program or its user named the output; otherwise the machine's default is used.
    var isNamed: Bool {
        state.withLock {
            $0.specification != nil || $0.invalidVariable != nil || $0.selected != RouteCatalogue.localID
        }
    }

    /// The reason why this machine's output cannot be used; `nil` if an attempt to open it makes sense.
    var invalidVariable: RouteError? {
        state.withLock { $0.selected == RouteCatalogue.localID ? $0.invalidVariable : nil }
    }

    func setSpecification(_ specification: OutputSpecification) {
        state.withLock { state in
            (state.specification, state.invalidVariable) = (specification, nil)
            state.selected = RouteCatalogue.localID
        }
    }

    func select(_ id: RouteOption.ID) { state.withLock { $0.selected = id } }

    /// Returns the selected device, opened if necessary. May block until it is open.
    ///
    /// - Throws: An `OutputError` with the reason, if the device cannot be opened; a ``RouteError`` if the
    ///   environment's `TUTTI_OUTPUT` names no output.
    func device() throws -> LocalDevice {
        let wanted = try selectedSpecification()
        state.withLock { $0.used = wanted }
        return try device(wanted)
    }

    /// Returns the device of one option, opened if necessary. May block until it is open, and for the sound
    /// server.
    ///
    /// - Throws: A ``RouteError`` if there is no such option, an `OutputError` if it cannot be opened; both
    ///   name the option.
    func device(_ id: RouteOption.ID) throws -> LocalDevice {
        if id == RouteCatalogue.localID { return try device(ownSpecification()) }
        if sink(id) == nil { shared.refresh() }
        guard let wanted = sink(id) else { throw RouteError("this machine has no output '\(id)'") }
        return try device(wanted)
    }

    /// Returns a device, opened if necessary. May block until it is open. One that is lost already is reported as lost.
    func device(_ wanted: OutputSpecification) throws -> LocalDevice {
        try opening.withLock { _ in
            if let open = state.withLock({ $0.open[wanted]?.object }) { return open }
            let closings = state.withLock { $0.closings }
            let device = try shared.open(wanted)
            let isClosed = state.withLock { state in
                guard state.closings == closings else { return true }
                state.open = state.open.filter { $0.value.object != nil }
                state.open[wanted] = WeakReference(device)
                return false
            }
            if isClosed { device.close() }
            if device.loss != nil { state.withLock { $0.onLoss }?(wanted) }
            return device
        }
    }

    /// Ends the zone's sound on all devices at once, also on those that are being opened, and stops those that no other zone
    /// has open; their wave files then hold all sound that was heard.
    func close() {
        let open = state.withLock { state in
            defer { state.open = [:] }
            state.closings += 1
            return state.open.values.compactMap(\.object)
        }
        for device in open { device.close() }
    }

    private func sink(_ id: RouteOption.ID) -> OutputSpecification? {
        shared.sinks.first { "\($0.specification)" == id }?.specification
    }

    private func ownSpecification() throws -> OutputSpecification {
        let (named, invalid) = state.withLock { ($0.specification, $0.invalidVariable) }
        if let invalid { throw invalid }
        return try named ?? shared.system.preferred()
    }

    private func selectedSpecification() throws -> OutputSpecification {
        let selected = state.withLock { $0.selected }
        return try sink(selected) ?? ownSpecification()
    }

    // MARK: Loss

    /// - Parameter body: Called for every lost device, on a thread that must not block.
    func setOnLoss(_ body: @escaping @Sendable (OutputSpecification) -> Void) {
        let observation = shared.losses.add(body)
        state.withLock { ($0.losses, $0.onLoss) = (observation, body) }
    }

    /// Returns whether the selection plays on this device and the device is lost.
    func isLostSelection(_ specification: OutputSpecification) -> Bool {
        state.withLock { $0.used == specification && $0.open[specification]?.object?.loss != nil }
    }

    /// Selects this machine's default device, which may be the lost device itself. May block for the sound
    /// server.
    ///
    /// - Returns: Whether the default is another device; `false` without a default, which the next opening reports.
    func replace(_ lost: OutputSpecification) -> Bool {
        shared.refresh()
        select(RouteCatalogue.localID)
        return (try? ownSpecification()).map { $0 != lost } ?? false
    }
}
