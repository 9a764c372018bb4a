import CoreMedia
import Foundation
import KeyValueObserving
import Synchronization

/// Reads the samples of an asset, from one time to another, through its outputs.
///
/// Add outputs, set ``timeRange``, start, then take buffers from each output until it has no more. Any thread.
open class AVAssetReader: NSObject, @unchecked Sendable {
    // Safe to share: what changes is in `configuration` and `state`, which have locks; `asset` is set by `init` alone.

    /// How far the reading is.
    public enum Status: Int, Sendable {
        /// It has not begun.
        case unknown = 0
        /// Outputs have or may have more to give.
        case reading = 1
        /// All outputs have given everything.
        case completed = 2
        /// It cannot go on; ``AVAssetReader/error`` says why.
        case failed = 3
        /// ``AVAssetReader/cancelReading()`` was called.
        case cancelled = 4
    }

    private struct Configuration {
        var timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
        var outputs: [AVAssetReaderOutput] = []
    }

    /// What is read.
    open private(set) var asset: AVAsset

    private let state = ReadingState()
    private let configuration = Mutex(Configuration())

    /// - Throws: the asset's own error if its loading has failed.
    public init(asset: AVAsset) throws {
        self.asset = asset
        if case .finished(.failure(let error)) = asset.loading.progress { throw error }
        super.init()
    }

    deinit { state.interrupt.cancel() }

    /// How far the reading is.
    open var status: Status { state.status }

    /// Why the reading failed; `nil` unless it did.
    open var error: (any Error)? { state.error }

    /// What part of the asset is read: everything unless set before the reading begins.
    open var timeRange: CMTimeRange {
        get { configuration.withLock { $0.timeRange } }
        set {
            let isEarly = status == .unknown
            guard isRightUse(isEarly, "the time range is set before the reading begins") else { return }
            configuration.withLock { $0.timeRange = newValue }
        }
    }

    // MARK: Outputs

    /// What gives the samples.
    open var outputs: [AVAssetReaderOutput] { configuration.withLock { $0.outputs } }

    /// Whether an output belongs to this asset and to no reader yet, and can do what its settings say.
    open func canAdd(_ output: AVAssetReaderOutput) -> Bool {
        guard status == .unknown, output.isFree, let output = output as? AVAssetReaderTrackOutput,
            output.track.asset === asset
        else { return false }
        do throws(AVError) {
            _ = try output.target()
            return true
        } catch {
            return false
        }
    }

    /// Adds an output before the reading begins.
    open func add(_ output: AVAssetReaderOutput) {
        let isAdded = canAdd(output) && output.attach(state)
        guard isRightUse(isAdded, "an output is added that canAdd(_:) says yes to") else { return }
        configuration.withLock { $0.outputs.append(output) }
    }

    // MARK: Reading

    /// Opens the asset for reading; may wait for a disk or a server.
    ///
    /// - Returns: false if that is not possible; ``error`` says why.
    open func startReading() -> Bool {
        let (range, outputs) = configuration.withLock { ($0.timeRange, $0.outputs) }
        guard status == .unknown else {
            isRightUse(status == .cancelled, "a reader starts once")
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

    /// Ends the reading, from any thread; an output that waits gives `nil`.
    open func cancelReading() { state.cancel() }
}

/// How far the reading is.
@available(*, deprecated, renamed: "AVAssetReader.Status")
public typealias AVAssetReaderStatus = AVAssetReader.Status
