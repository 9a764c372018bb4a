import Foundation
import Synchronization
import TuttiCodecs

/// The progress of one reader, shared with its outputs.
final class ReadingState: Sendable {
    private struct State {
        var status = AVAssetReader.Status.unknown
        var error: AVError?
        /// Number of outputs that may have more buffers.
        var busyCount = 0
    }

    /// Interrupts all blocked outputs.
    let interrupt = MediaInterrupt()
    private let state = Mutex(State())

    var status: AVAssetReader.Status { state.withLock { $0.status } }

    var error: AVError? { state.withLock { $0.error } }

    /// - Returns: `false` if the reading has begun before.
    func begin(outputCount: Int) -> Bool {
        state.withLock { state in
            guard state.status == .unknown else { return false }
            (state.status, state.busyCount) = (outputCount == 0 ? .completed : .reading, outputCount)
            return true
        }
    }

    /// Counts an output that has delivered all buffers.
    func finishOutput() {
        state.withLock { state in
            state.busyCount -= 1
            if state.status == .reading, state.busyCount <= 0 { state.status = .completed }
        }
    }

    /// Records a failure; has no effect after the end or a cancellation.
    func fail(_ error: AVError) {
        state.withLock { state in
            if state.status == .reading || state.status == .unknown {
                (state.status, state.error) = (.failed, error)
            }
        }
    }

    func cancel() {
        interrupt.cancel()
        state.withLock { state in
            if state.status == .reading || state.status == .unknown { state.status = .cancelled }
        }
    }
}
