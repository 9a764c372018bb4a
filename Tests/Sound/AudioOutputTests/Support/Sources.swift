import Dispatch
import Synchronization
import TuttiAudioOutput
import TuttiMediaTime

/// A source of a 16-bit ramp, equal on all channels, that records its calls.
final class RampSource: RenderSource {
    private struct Memory {
        var times: [DeviceTime] = []
        var states: [OutputState] = []
    }

    private let memory = Mutex(Memory())
    private let enough = DispatchSemaphore(value: 0)
    private let changed = DispatchSemaphore(value: 0)
    private let callCount: Int

    /// - Parameter callCount: Render calls after which ``waitForCalls()`` returns.
    init(callCount: Int = .max) { self.callCount = callCount }

    var times: [DeviceTime] { memory.withLock(\.times) }
    var states: [OutputState] { memory.withLock(\.states) }

    static func value(of frame: Int64) -> Int16 { Int16(truncatingIfNeeded: frame &* 7) }

    func render(_ destination: UnsafeMutableBufferPointer<Float>, frameCount: Int, at time: DeviceTime) {
        let channelCount = destination.count / frameCount
        for frame in 0..<frameCount {
            let value = Float(Self.value(of: time.frame + Int64(frame))) / 32768
            for channel in 0..<channelCount { destination[frame * channelCount + channel] = value }
        }
        let count = memory.withLock {
            $0.times.append(time)
            return $0.times.count
        }
        if count == callCount { enough.signal() }
    }

    func outputChanged(_ state: OutputState) {
        memory.withLock { $0.states.append(state) }
        changed.signal()
    }

    /// Seconds; reached only by a test that has failed.
    private static let limit = 120.0

    /// Returns `false` after ``limit``.
    func waitForCalls() -> Bool { enough.wait(timeout: .now() + Self.limit) == .success }
    /// Waits for the next change; `false` after ``limit``.
    func waitForChange() -> Bool { changed.wait(timeout: .now() + Self.limit) == .success }
}
