import CoreMedia
import Foundation
import Synchronization
import TuttiKeyValueObserving

/// A reader of the samples of an asset within a time range.
///
/// Add outputs, set ``timeRange``, start, then take buffers from each output until the output returns `nil`.
/// Callable from any thread.
open class AVAssetReader: NSObject, @unchecked Sendable {
    // Safe to share: `configuration` and `state` have locks; only `init` sets `asset`.

    /// The progress of a reader.
    public enum Status: Int, Sendable {
        /// The reading has not begun.
        case unknown = 0
        /// Outputs may have more buffers.
        case reading = 1
        /// All outputs have delivered all buffers.
        case completed = 2
        /// The reading failed; ``AVAssetReader/error`` has the cause.
        case failed = 3
        /// ``AVAssetReader/cancelReading()`` was called.
        case cancelled = 4
    }

    private struct Configuration {
        var timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
        var outputs: [AVAssetReaderOutput] = []
    }

    /// The asset to read.
    open private(set) var asset: AVAsset

    private let state = ReadingState()
    private let configuration = Mutex(Configuration())

    /// - Throws: The asset's error if loading the asset has failed.
    public init(asset: AVAsset) throws {
        self.asset = asset
        if case .finished(.failure(let error)) = asset.loading.progress { throw error }
        super.init()
    }

    deinit { state.interrupt.cancel() }

    /// The progress of the reading.
    open var status: Status { state.status }

    /// The cause of a `failed` ``status``; else `nil`.
    open var error: (any Error)? { state.error }

    /// The range to read, in asset time; the whole asset at first. Set the property before the reading
    /// begins.
    open var timeRange: CMTimeRange {
        get { configuration.withLock { $0.timeRange } }
        set {
            let isEarly = status == .unknown
            guard checkAPIUse(isEarly, "the time range must be set before reading starts") else { return }
            configuration.withLock { $0.timeRange = newValue }
        }
    }

    // MARK: Outputs

    /// The added outputs.
    open var outputs: [AVAssetReaderOutput] { configuration.withLock { $0.outputs } }

    /// Whether the output reads a track of this asset, belongs to no reader yet, and supports its settings.
    open func canAdd(_ output: AVAssetReaderOutput) -> Bool {
        guard status == .unknown, output.isFree, let output = output as? AVAssetReaderTrackOutput,
            output.track.asset === asset
        else { return false }
        do throws(AVError) {
            _ = try output.form()
            return true
        } catch {
            return false
        }
    }

    /// Adds an output for which ``canAdd(_:)`` returns `true`, before the reading begins.
    open func add(_ output: AVAssetReaderOutput) {
        let isAdded = canAdd(output) && output.attach(state)
        guard checkAPIUse(isAdded, "an output can be added only if canAdd(_:) accepts it") else { return }
        configuration.withLock { $0.outputs.append(output) }
    }

    // MARK: Reading

    /// Opens the asset for reading; may block on the disk or a server.
    ///
    /// - Returns: `false` if the asset cannot be opened; ``error`` has the cause.
    open func startReading() -> Bool {
        let (range, outputs) = configuration.withLock { ($0.timeRange, $0.outputs) }
        guard status == .unknown else {
            checkAPIUse(status == .cancelled, "a reader can be started only once")
            return false
        }
        do throws(AVError) {
            for output in outputs { try output.prepare(range, state) }
        } catch {
            state.fail(error)
            return false
        }
        return state.begin(outputCount: outputs.count)
    }

    /// Cancels the reading, from any thread; a blocked output returns `nil`.
    open func cancelReading() { state.cancel() }
}

/// The former name of `AVAssetReader.Status`.
@available(*, deprecated, renamed: "AVAssetReader.Status")
public typealias AVAssetReaderStatus = AVAssetReader.Status
