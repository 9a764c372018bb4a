import AudioOutput
import Dispatch
import Foundation
import Synchronization

/// The devices of this machine, as outputs that can be chosen, and those that are open.
final class LocalDevices: Sendable {
    /// What is asked of the machine.
    struct System: Sendable {
        /// The sinks of the sound server. Waits for at most two seconds.
        var sinks: @Sendable () -> [OutputDescription] = { (try? OutputListing.pulse()) ?? [] }
        /// What to use when nothing was said.
        var preferred: @Sendable () throws -> OutputSpecification = { try OutputSpecification.preferred() }
        var output: @Sendable (OutputSpecification) throws -> any AudioOutput = { try $0.makeOutput() }
    }

    private struct State {
        /// What the id ``RouteCatalogue/localID`` stands for; `nil` for what the system prefers.
        var specification: OutputSpecification?
        var selected = RouteCatalogue.localID
        var sinks: [OutputDescription] = []
        var open: [OutputSpecification: WeakDevice] = [:]
        /// What the selection was, when it was opened last.
        var used: OutputSpecification?
        var onLoss: @Sendable (OutputSpecification) -> Void = { _ in }
    }

    private struct WeakDevice { weak var value: LocalDevice? }

    private let state: Mutex<State>
    private let system: System
    /// One opening at a time: two would fight over one device.
    private let opening = Mutex(())

    init(
        environment: [String: String] = ProcessInfo.processInfo.environment, system: System = System()
    ) {
        var state = State()
        // A text that names no output is told of when sound is to come out.
        if let text = environment["TUTTI_OUTPUT"] {
            state.specification = try? OutputSpecification(parsing: text)
        }
        self.state = Mutex(state)
        self.system = system
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

    /// Whether the program or its user named the output; else it is the one that the machine prefers.
    var isNamed: Bool {
        state.withLock { $0.specification != nil || $0.selected != RouteCatalogue.localID }
    }

    /// What is chosen now.
    var selectedKind: RouteOption.Kind { options.first { $0.isSelected }?.kind ?? .local }

    /// Asks the sound server for its sinks. Waits for at most two seconds.
    ///
    /// - Returns: whether there are others than before.
    @discardableResult
    func refresh() -> Bool {
        let sinks = system.sinks()
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
        let wanted = try selectedSpecification()
        state.withLock { $0.used = wanted }
        return try device(wanted)
    }

    /// The device of one option, opened if it is not. May wait for it, and for the sound server.
    ///
    /// - Throws: a ``RouteError`` when there is no such option, an `OutputError` when it cannot be opened; both name it.
    func device(_ id: RouteOption.ID) throws -> LocalDevice {
        if id == RouteCatalogue.localID { return try device(ownSpecification()) }
        if sink(id) == nil { refresh() }
        guard let wanted = sink(id) else { throw RouteError("this machine has no output '\(id)'") }
        return try device(wanted)
    }

    private func device(_ wanted: OutputSpecification) throws -> LocalDevice {
        try opening.withLock { _ in
            if let open = state.withLock({ $0.open[wanted]?.value }) { return open }
            let device = try LocalDevice(system.output(wanted)) { [weak self] in
                self?.state.withLock { $0.onLoss }(wanted)
            }
            state.withLock { state in
                state.open = state.open.filter { $0.value.value != nil }
                state.open[wanted] = WeakDevice(value: device)
            }
            return device
        }
    }

    /// Ends the sound of all devices at once; what was heard is in the file where it is one.
    func close() {
        for device in state.withLock({ $0.open.values.compactMap(\.value) }) { device.close() }
    }

    private func sink(_ id: RouteOption.ID) -> OutputSpecification? {
        state.withLock { $0.sinks.first { "\($0.specification)" == id }?.specification }
    }

    private func ownSpecification() throws -> OutputSpecification {
        try state.withLock { $0.specification } ?? system.preferred()
    }

    private func selectedSpecification() throws -> OutputSpecification {
        let selected = state.withLock { $0.selected }
        return try sink(selected) ?? ownSpecification()
    }

    // MARK: Loss

    /// - Parameter body: told of every device that is gone, on a thread that must not wait.
    func setOnLoss(_ body: @escaping @Sendable (OutputSpecification) -> Void) {
        state.withLock { $0.onLoss = body }
    }

    /// Whether the selection plays on this device, and it is gone.
    func isLostSelection(_ specification: OutputSpecification) -> Bool {
        state.withLock { $0.used == specification && $0.open[specification]?.value?.loss != nil }
    }

    /// Selects this machine's own device in place of one that is gone; that is the same one when there is no other.
    ///
    /// - Returns: whether another device is to be used. May wait for the sound server.
    func replace(_ lost: OutputSpecification) -> Bool {
        refresh()
        select(RouteCatalogue.localID)
        return (try? ownSpecification()).map { $0 != lost } ?? false
    }
}
