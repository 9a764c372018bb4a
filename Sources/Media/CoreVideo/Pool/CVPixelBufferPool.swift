import Foundation
import Synchronization

/// A store of pixel buffers of one kind, which reuses the memory of released buffers.
///
/// A buffer that comes out of the pool has no attachments; its pixels may be those of a former buffer.
/// Buffers may outlive the pool. Any thread may create and release buffers.
public final class CVPixelBufferPool: Sendable {
    /// Memory without a buffer.
    private struct FreeMemory {
        let memory: PixelMemory
        /// The time at which its buffer was released.
        let freed: HostNanoseconds
    }

    private struct State {
        /// Free memory, the longest free first.
        var free: [FreeMemory] = []
        var useCount = 0
        /// Whether a creation was refused since the last notification.
        var wasRefused = false
    }

    /// Nanoseconds of the host clock.
    typealias HostNanoseconds = Int64

    /// The age in seconds at which free memory is released unless the pool's attributes state another one.
    static let usualMaximumAge = 1.0

    let layout: PixelLayout
    let poolAttributes: PoolAttributes
    let bufferAttributes: BufferAttributes
    private let state = Mutex(State())

    init(
        _ poolAttributes: PoolAttributes, _ bufferAttributes: BufferAttributes
    ) throws(PixelBufferError) {
        self.poolAttributes = poolAttributes
        self.bufferAttributes = bufferAttributes
        layout = try bufferAttributes.layout()
    }

    /// Creates a buffer, with free memory if there is any.
    ///
    /// - Parameter threshold: The number of buffers in use at which the pool allocates no more memory.
    /// - Throws: `kCVReturnWouldExceedAllocationThreshold`, or `kCVReturnAllocationFailed`.
    func makeBuffer(
        threshold: Int? = nil, at now: HostNanoseconds = currentTime()
    ) throws(PixelBufferError) -> CVPixelBuffer {
        var former: [FreeMemory] = []
        let reused = try state.withLock { state throws(PixelBufferError) -> PixelMemory? in
            // The memory freed last is the most likely to be in the processor's caches.
            let reused = state.free.popLast()?.memory
            former = takeExpired(from: &state, at: now)
            if reused == nil, let threshold, state.useCount >= threshold {
                state.wasRefused = true
                throw PixelBufferError(kCVReturnWouldExceedAllocationThreshold)
            }
            state.useCount += 1
            return reused
        }
        withExtendedLifetime(former) {}
        let memory: PixelMemory
        do throws(PixelBufferError) {
            if let reused { memory = reused } else { memory = try PixelMemory(layout) }
        } catch {
            state.withLock { $0.useCount -= 1 }
            throw error
        }
        return CVBuffer(
            memory, owner: PooledMemory(memory, pool: self), attributes: bufferAttributes.dictionary)
    }

    /// Takes back the memory of a released buffer, and notifies observers if a creation was refused before.
    fileprivate func takeBack(_ memory: PixelMemory, at now: HostNanoseconds = currentTime()) {
        let (former, wasRefused) = state.withLock { state in
            state.useCount -= 1
            state.free.append(FreeMemory(memory: memory, freed: now))
            let former = takeExpired(from: &state, at: now)
            defer { state.wasRefused = false }
            return (former, state.wasRefused)
        }
        withExtendedLifetime(former) {}
        guard wasRefused else { return }
        NotificationCenter.default.post(
            name: Notification.Name(kCVPixelBufferPoolFreeBufferNotification as String), object: self)
    }

    /// Releases all free memory, or the free memory beyond the maximum age.
    func flush(_ flags: CVPixelBufferPoolFlushFlags, at now: HostNanoseconds = currentTime()) {
        let former = state.withLock { state in
            guard flags.contains(.excessBuffers) else { return takeExpired(from: &state, at: now) }
            defer { state.free = [] }
            return state.free
        }
        withExtendedLifetime(former) {}
    }

    /// The number of free pieces of memory.
    var freeCount: Int { state.withLock { $0.free.count } }

    /// Removes and returns the free memory beyond the maximum age, except that the minimum count stays.
    private func takeExpired(from state: inout State, at now: HostNanoseconds) -> [FreeMemory] {
        guard let maximumAge = poolAttributes.maximumAge else { return [] }
        let excess = state.useCount + state.free.count - poolAttributes.minimumCount
        let expired = state.free.prefix(max(0, excess)).prefix { now - $0.freed > maximumAge }
        state.free.removeFirst(expired.count)
        return Array(expired)
    }
}

/// Returns the host clock's reading in nanoseconds.
private func currentTime() -> CVPixelBufferPool.HostNanoseconds { hostNanoseconds() }

/// The memory of a buffer from a pool, which goes back to the pool with the buffer.
private final class PooledMemory: @unchecked Sendable {
    // Safe to share: nothing changes after `init`; the weak reference only becomes `nil`, which the runtime
    // synchronises.

    private let memory: PixelMemory
    private weak let pool: CVPixelBufferPool?

    init(_ memory: PixelMemory, pool: CVPixelBufferPool) {
        self.memory = memory
        self.pool = pool
    }

    deinit { pool?.takeBack(memory) }
}
