import CoreMedia
import Dispatch
import Foundation
import Synchronization

/// A handler of images that are generated at several times. Receives the requested time, the image, the time of the image,
/// the outcome, and the error if there is no image.
public typealias AVAssetImageGeneratorCompletionHandler =
    @Sendable (CMTime, CGImage?, CMTime, AVAssetImageGenerator.Result, (any Error)?) -> Void

/// A generator of still images of a film.
///
/// Images are generated one after the other on a queue of the generator, in the order of their times. A setting applies to
/// later requests. Any thread; requests continue if the generator is released.
open class AVAssetImageGenerator: NSObject, @unchecked Sendable {
    // Safe to share: `current` has a lock, and nothing else changes after `init`.

    /// The outcome of a request.
    public enum Result: Int, Sendable {
        /// The image was generated.
        case succeeded = 0
        /// The image could not be generated.
        case failed = 1
        /// The request was cancelled.
        case cancelled = 2
    }

    /// The part of a picture that an image shows.
    public struct ApertureMode: RawRepresentable, Hashable, Sendable {
        /// The name of the mode.
        public let rawValue: String

        /// Creates the mode with this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The part without artefacts at the edges, with square pixels; here the whole picture.
        public static let cleanAperture = ApertureMode(rawValue: "CleanAperture")
        /// The whole picture, with square pixels.
        public static let productionAperture = ApertureMode(rawValue: "ProductionAperture")
        /// The whole picture, pixels as stored.
        public static let encodedPixels = ApertureMode(rawValue: "EncodedPixels")
    }

    /// The asset of the images.
    public let asset: AVAsset

    private let current = Mutex(ImageSettings())
    let generation: ImageGeneration

    /// Creates a generator for the pictures of an asset.
    public init(asset: AVAsset) {
        self.asset = asset
        generation = ImageGeneration(asset)
        super.init()
    }

    var settings: ImageSettings { current.withLock { $0 } }

    /// Whether images are turned upright, as the file wants its pictures shown; `false` at first.
    open var appliesPreferredTrackTransform: Bool {
        get { settings.isUpright }
        set { current.withLock { $0.isUpright = newValue } }
    }

    /// The largest size of an image in pixels. Larger pictures are scaled down, with their proportions. A side of zero
    /// stands for no limit.
    open var maximumSize: CGSize {
        get { settings.maximumSize }
        set { current.withLock { $0.maximumSize = newValue } }
    }

    /// The part of a picture that an image shows; `nil` for the clean aperture.
    open var apertureMode: ApertureMode? {
        get { settings.apertureMode }
        set { current.withLock { $0.apertureMode = newValue } }
    }

    /// The time by which an image may be earlier than requested; infinite at first. With zero, the image is that shown at
    /// the requested time.
    open var requestedTimeToleranceBefore: CMTime {
        get { settings.toleranceBefore }
        set { current.withLock { $0.toleranceBefore = newValue } }
    }

    /// The time by which an image may be later than requested; infinite at first.
    open var requestedTimeToleranceAfter: CMTime {
        get { settings.toleranceAfter }
        set { current.withLock { $0.toleranceAfter = newValue } }
    }

    // MARK: One image

    /// Returns an image at a time, and the time of its picture.
    ///
    /// - Throws: An ``AVError``, or `CancellationError` if the task is cancelled.
    open func image(at time: CMTime) async throws -> (image: CGImage, actualTime: CMTime) {
        let made = try await generation.image(at: time, settings)
        return (made.image, made.time)
    }

    /// Generates an image at a time; calls the handler on any thread with the image and the time of its picture, or with an
    /// error.
    @preconcurrency
    open func generateCGImageAsynchronously(
        for requestedTime: CMTime,
        completionHandler handler: @escaping @Sendable (CGImage?, CMTime, (any Error)?) -> Void
    ) {
        generation.add(requestedTime, settings) { result in
            switch result {
            case .success(let made): handler(made.image, made.time, nil)
            case .failure(let error): handler(nil, .invalid, error)
            }
        }
    }

    /// Returns an image at a time. Blocks until it is generated, so do not call it on the main thread or in a task.
    @available(*, deprecated, message: "Use generateCGImageAsynchronously(for:completionHandler:) instead")
    open func copyCGImage(at requestedTime: CMTime, actualTime: UnsafeMutablePointer<CMTime>?) throws
        -> CGImage
    {
        let done = DispatchSemaphore(value: 0)
        let outcome = Mutex<ImageGeneration.Outcome>(.failure(AVError(.unknown)))
        generation.add(requestedTime, settings) { result in
            outcome.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        let made = try outcome.withLock { $0 }.get()
        actualTime?.pointee = made.time
        return made.image
    }

    // MARK: Several images

    /// Generates images at several times; calls the handler once for each time, on any thread.
    ///
    /// - Parameter requestedTimes: `NSValue`s of `CMTime`.
    @preconcurrency
    open func generateCGImagesAsynchronously(
        forTimes requestedTimes: [NSValue],
        completionHandler handler: @escaping AVAssetImageGeneratorCompletionHandler
    ) {
        for time in requestedTimes.map(\.timeValue) {
            generation.add(time, settings) { result in
                switch result {
                case .success(let made): handler(time, made.image, made.time, .succeeded, nil)
                case .failure(let error):
                    let isCancelled = error.code == .operationCancelled
                    handler(time, nil, .invalid, isCancelled ? .cancelled : .failed, error)
                }
            }
        }
    }

    /// Cancels all requests; their handlers get ``AVError/operationCancelled``.
    open func cancelAllCGImageGeneration() { generation.cancelAll() }
}

/// The former name of `AVAssetImageGenerator.Result`.
@available(*, deprecated, renamed: "AVAssetImageGenerator.Result")
public typealias AVAssetImageGeneratorResult = AVAssetImageGenerator.Result
