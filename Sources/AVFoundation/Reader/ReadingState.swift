import Codecs
import Foundation
import Synchronization

/// How far one reader is, shared with its outputs.
final class ReadingState: Sendable {
    private struct State {
        var status = AVAssetReader.Status.unknown
        var error: AVError?
        /// Outputs that still have something to give.
        var busyCount = 0
    }

    /// Ends the waiting of all outputs.
    let interrupt = MediaInterrupt()
    private let state = Mutex(State())

    var status: AVAssetReader.Status { state.withLock { $0.status } }

    var error: AVError? { state.withLock { $0.error } }

    /// - Returns: false if it was begun before.
    func begin(outputCount: Int) -> Bool {
        state.withLock { state in
            guard state.status == .unknown else { return false }
            (state.status, state.busyCount) = (outputCount == 0 ? .completed : .reading, outputCount)
            return true
        }
    }

    /// One output has given all it has.
    func finishOutput() {
        state.withLock { state in
            state.busyCount -= 1
            if state.status == .reading, state.busyCount <= 0 { state.status = .completed }
        }
    }

    /// An error that comes after the end, or after a cancellation, changes nothing.
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
