import CoreMedia
import Foundation

extension AVAssetImageGenerator {
    /// Returns the images at several times, as a sequence in the order of the times.
    ///
    /// An image is generated when it is asked for. The sequence ends early if its task is cancelled.
    public func images(for times: [CMTime]) -> Images {
        Images(times: times, generation: generation, settings: settings, epoch: generation.epoch)
    }

    /// A sequence of images in the order of their times.
    public struct Images: AsyncSequence, Sendable {
        /// The outcome at one time.
        public enum Result: Sendable {
            /// An image, and the time of its picture.
            case success(requestedTime: CMTime, image: CGImage, actualTime: CMTime)
            /// The error instead of an image.
            case failure(requestedTime: CMTime, error: any Error)

            /// The time that was requested.
            public var requestedTime: CMTime {
                switch self {
                case .success(let time, _, _), .failure(let time, _): time
                }
            }

            /// The image; throws the error in its place.
            public var image: CGImage {
                get throws {
                    switch self {
                    case .success(_, let image, _): return image
                    case .failure(_, let error): throw error
                    }
                }
            }

            /// The time of the image's picture; throws the error in its place.
            public var actualTime: CMTime {
                get throws {
                    switch self {
                    case .success(_, _, let time): return time
                    case .failure(_, let error): throw error
                    }
                }
            }
        }

        /// The outcome at one time.
        public typealias Element = Result

        /// An iterator over the images.
        public struct Iterator: AsyncIteratorProtocol {
            private var rest: ArraySlice<CMTime>
            private let images: Images

            fileprivate init(_ images: Images) {
                self.images = images
                rest = images.times.sorted { $0 < $1 }[...]
            }

            /// Generates the next image; returns `nil` after the last one, or if the task is cancelled.
            public mutating func next() async -> Result? {
                guard !Task.isCancelled, let time = rest.popFirst() else { return nil }
                do {
                    let made = try await images.generation.image(
                        at: time, images.settings, epoch: images.epoch)
                    return .success(requestedTime: time, image: made.image, actualTime: made.time)
                } catch is CancellationError {
                    rest = []
                    return nil
                } catch {
                    return .failure(requestedTime: time, error: error)
                }
            }
        }

        fileprivate let times: [CMTime]
        fileprivate let generation: ImageGeneration
        fileprivate let settings: ImageSettings
        /// The number of cancellations before the sequence was made.
        fileprivate let epoch: Int

        /// Returns an iterator from the first time on.
        public func makeAsyncIterator() -> Iterator { Iterator(self) }
    }
}
