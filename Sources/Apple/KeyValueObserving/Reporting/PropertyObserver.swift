import Foundation

/// A type-erased observation, held by the observed objects.
class PropertyObserver: @unchecked Sendable {
    // Safe to share: `state` is touched only with the lock held, and subclasses add no mutable state.

    private struct State {
        var isValid = true
        var dependencies: Set<PropertyDependency> = []
        var lastTicket = 0
        var appliedTicket = 0
        var toldTicket = 0
    }

    // Recursive, because releasing a foreign observer with the lock held may end this observation on the same
    // thread.
    private let lock = NSRecursiveLock()
    private var state = State()

    /// Whether the handler may still be called.
    var isValid: Bool { lock.withLock { state.isValid } }

    /// Whether the last reading found a property whose changes are reported.
    var hasDependencies: Bool { lock.withLock { !state.dependencies.isEmpty } }

    /// Handles the start of a change and returns the closure to call after the change.
    func willChange() -> (() -> Void)? { nil }

    /// Returns the ticket of a new reading of the value; a higher ticket means a later start.
    func beginReading() -> Int {
        lock.withLock {
            state.lastTicket += 1
            return state.lastTicket
        }
    }

    /// Whether to report the result of a reading; `false` if a later reading was reported already.
    func mayTell(_ ticket: Int) -> Bool {
        lock.withLock {
            guard ticket >= state.toldTicket else { return false }
            state.toldTicket = ticket
            return true
        }
    }

    /// Replaces the observed dependencies with those found by a reading.
    ///
    /// Ignores a reading that began before the last applied reading, because its state is older.
    /// - Returns: Whether any dependency was new.
    func setDependencies(_ dependencies: Set<PropertyDependency>, ticket: Int) -> Bool {
        lock.withLock {
            guard state.isValid, ticket > state.appliedTicket else { return false }
            let old = state.dependencies
            state.appliedTicket = ticket
            state.dependencies = dependencies
            let fresh = dependencies.subtracting(old)
            for dependency in fresh { dependency.observations.add(self, to: dependency.property) }
            remove(from: old.subtracting(dependencies))
            if !state.isValid { remove(from: fresh) }
            return !fresh.isEmpty
        }
    }

    /// Ends the observation.
    func invalidate() {
        lock.withLock {
            let dependencies = state.dependencies
            state = State(isValid: false)
            remove(from: dependencies)
        }
    }

    private func remove(from dependencies: Set<PropertyDependency>) {
        for dependency in dependencies { dependency.observations.remove(self, from: dependency.property) }
    }
}

/// The observation of one key path from one object.
final class KeyPathObserver<Root: AnyObject, Value>: PropertyObserver, @unchecked Sendable {
    // Safe to share: after `init` only the weak reference changes, atomically. Key paths of properties are
    // immutable.

    private weak var root: Root?
    private let keyPath: KeyPath<Root, Value>
    private let options: NSKeyValueObservingOptions
    private let handler: @Sendable (Root, NSKeyValueObservedChange<Value>) -> Void
    private let log: MisuseLog

    init(
        root: Root, keyPath: KeyPath<Root, Value>, options: NSKeyValueObservingOptions,
        handler: @escaping @Sendable (Root, NSKeyValueObservedChange<Value>) -> Void,
        log: MisuseLog = .shared
    ) {
        self.root = root
        self.keyPath = keyPath
        self.options = options
        self.handler = handler
        self.log = log
    }

    /// Reads the value for the first time, and calls the handler with the option `initial`.
    func start() {
        guard let root else { return }
        let (value, _) = track(root)
        if !hasDependencies, !Self.isOurs {
            log.warn(
                "observing \(name(in: root)) never notifies: properties of the program's own classes report no changes on Linux; see docs/access-notes.md"
            )
        }
        if options.contains(.initial) { call(root, new: value, old: nil, isPrior: false) }
    }

    /// Returns the name of the observed property. Where the compiler kept none in the key path, returns the stored
    /// properties of the value's type.
    private func name(in root: Root) -> String {
        let path = "\(keyPath)"
        guard path.contains("<") else { return path }
        var names: [String] = []
        var mirror: Mirror? = Mirror(reflecting: root)
        while let one = mirror {
            names += one.children.compactMap { $0.value is Value ? $0.label : nil }
            mirror = one.superclassMirror
        }
        return names.isEmpty ? path : "\(Root.self).\(names.joined(separator: " or "))"
    }

    /// Whether the class is one of Apple's names. Some of its properties never change here, which needs no warning.
    private static var isOurs: Bool {
        let module = String(reflecting: Root.self).prefix { $0 != "." }
        return ourModules.contains(String(module))
    }

    override func willChange() -> (() -> Void)? {
        guard isValid, let root else { return nil }
        let wantsOld = !options.isDisjoint(with: [.old, .prior])
        let old = wantsOld ? root[keyPath: keyPath] : nil
        if options.contains(.prior) { call(root, new: nil, old: old, isPrior: true) }
        return { [weak self, weak root] in
            guard let self, let root, self.isValid else { return }
            var (value, ticket) = self.track(root)
            // If another thread has reported a later state, read again: an older state must not follow a
            // newer state.
            while !self.mayTell(ticket) { (value, ticket) = self.track(root) }
            self.call(root, new: value, old: old, isPrior: false)
        }
    }

    /// Reads the value and observes every property that reported a read.
    ///
    /// A new dependency may have changed before its observation began, so the value is then read again, at
    /// most four times in all for dependencies that never settle.
    private func track(_ root: Root) -> (value: Value, ticket: Int) {
        var rounds = 0
        while true {
            let ticket = beginReading()
            let recorder = DependencyRecorder()
            let value = recorder.record { root[keyPath: keyPath] }
            rounds += 1
            if !setDependencies(recorder.dependencies, ticket: ticket) || rounds == 4 {
                return (value, ticket)
            }
        }
    }

    private func call(_ root: Root, new: Value?, old: Value?, isPrior: Bool) {
        guard isValid else { return }
        let change = NSKeyValueObservedChange(
            kind: .setting, newValue: options.contains(.new) ? new : nil,
            oldValue: options.contains(.old) ? old : nil, indexes: nil, isPrior: isPrior)
        handler(root, change)
    }
}

/// The modules of Apple's names that have observable classes.
private let ourModules: Set<String> = [
    "AVFoundation", "AVFAudio", "AVKit", "AudioToolbox", "CoreMedia", "Foundation", "MediaPlayer",
]
