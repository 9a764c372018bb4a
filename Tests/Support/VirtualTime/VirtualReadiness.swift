import TuttiSystemIO

/// Calls a handler on a queue while a virtual socket is ready.
final class VirtualReadiness: Readiness, @unchecked Sendable {
    // Safe to share: see `VirtualWorld`.
    private let queue: SerialQueue
    private let isReady: () -> Bool
    private let handler: @Sendable () -> Void
    private var isArmed = false
    private var isOnItsWay = false

    init(
        on queue: SerialQueue, while isReady: @escaping () -> Bool, _ handler: @escaping @Sendable () -> Void
    ) {
        (self.queue, self.isReady, self.handler) = (queue, isReady, handler)
    }

    func arm() {
        isArmed = true
        look()
    }

    func disarm() { isArmed = false }

    /// Looks whether the socket has become ready.
    func look() {
        guard isArmed, !isOnItsWay, isReady() else { return }
        isOnItsWay = true
        queue.async { [weak self] in self?.fire() }
    }

    private func fire() {
        isOnItsWay = false
        guard isArmed else { return }
        handler()
        look()
    }
}

/// The handlers of one socket; they live as long as their owners keep them.
struct VirtualReadinessList {
    private var all: [Entry] = []

    private struct Entry { weak var readiness: VirtualReadiness? }

    mutating func add(_ readiness: VirtualReadiness) {
        all.removeAll { $0.readiness == nil }
        all.append(Entry(readiness: readiness))
    }

    func look() {
        for entry in all { entry.readiness?.look() }
    }
}
