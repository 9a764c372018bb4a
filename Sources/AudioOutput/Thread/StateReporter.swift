internal import Dispatch
internal import Synchronization

/// Tells a source what has become of its device, in order, on a queue of its own.
final class StateReporter: Sendable {
    private let source: any RenderSource
    private let hasEnded = Atomic<Bool>(false)
    private let queue = DispatchQueue(label: "tutti.output")

    init(source: any RenderSource) { self.source = source }

    func report(_ state: OutputState) {
        queue.async { [self] in
            if !hasEnded.load(ordering: .acquiring) { source.outputChanged(state) }
        }
    }

    /// Nothing more is told, but what is being told just now.
    func end() { hasEnded.store(true, ordering: .releasing) }
}
