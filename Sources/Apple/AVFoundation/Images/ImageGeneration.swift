import CoreMedia
import Dispatch
import Foundation
import Playback
import Synchronization
import TuttiCodecs

/// The work of an image generator: its requests, one after the other on its own queue, in the order of their times.
///
/// Any thread; only the queue blocks. Each handler is called once, without a lock held.
final class ImageGeneration: @unchecked Sendable {
    // Safe to share: only `queue` touches `film`; all others are immutable or locked.

    /// An image and the time of its picture.
    struct Made: Sendable {
        let image: CGImage
        let time: CMTime
    }

    typealias Outcome = Swift.Result<Made, AVError>
    typealias Handler = @Sendable (Outcome) -> Void

    private struct Request: Sendable {
        let id: Int
        let time: CMTime
        let settings: ImageSettings
        let handler: Handler
    }

    private struct State {
        /// Requests without an outcome, by number; the one being served, too.
        var requests: [Int: Request] = [:]
        /// Numbers that were cancelled before their request came.
        var gone: Set<Int> = []
        var lastID = 0
        var isScheduled = false
        /// The time that was served last.
        var position = CMTime.negativeInfinity
        /// Counts cancellations of all requests.
        var epoch = 0
        /// Interrupts the request being served.
        var interrupt = MediaInterrupt()
    }

    /// An opened film, with the interrupt that it was opened with.
    private struct Film {
        let reader: PictureReader
        let interrupt: MediaInterrupt
        let contents: AssetContents
        /// The last time whose picture may be shown, if edit lists leave out pictures after it.
        let last: CMTime?
    }

    /// Seconds without requests after which the film is closed.
    private static let idleSeconds = 10.0

    private let asset: AVAsset
    private let queue = DispatchQueue(label: "tutti.images", qos: .userInitiated)
    private let state = Mutex(State())
    private var film: Film?
    private let maker = ImageMaker()

    init(_ asset: AVAsset) { self.asset = asset }

    // MARK: Requests

    /// The number of cancellations so far.
    var epoch: Int { state.withLock { $0.epoch } }

    /// Adds a request.
    ///
    /// - Parameters:
    ///   - ticket: The request's number; `nil` for a fresh one.
    ///   - epoch: The number of cancellations before the request was meant; `nil` if that is now.
    func add(
        _ time: CMTime, _ settings: ImageSettings, ticket: Int? = nil, epoch: Int? = nil,
        handler: @escaping Handler
    ) {
        let isAdded = state.withLock { state in
            let id = ticket ?? Self.nextID(&state)
            guard state.gone.remove(id) == nil, epoch ?? state.epoch == state.epoch else { return false }
            state.requests[id] = Request(id: id, time: time, settings: settings, handler: handler)
            return true
        }
        if isAdded { schedule() } else { handler(.failure(Self.cancelled)) }
    }

    /// Returns an image; throws an ``AVError``, or `CancellationError` if the task is cancelled.
    func image(at time: CMTime, _ settings: ImageSettings, epoch: Int? = nil) async throws -> Made {
        let ticket = state.withLock { Self.nextID(&$0) }
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    add(time, settings, ticket: ticket, epoch: epoch) { outcome in
                        continuation.resume(with: outcome)
                    }
                }
            } onCancel: {
                cancel(ticket)
            }
        } catch {
            try Task.checkCancellation()
            throw error
        }
    }

    func cancelAll() {
        let (requests, interrupt) = state.withLock { state in
            defer { (state.requests, state.interrupt) = ([:], MediaInterrupt()) }
            state.epoch += 1
            return (state.requests, state.interrupt)
        }
        interrupt.cancel()
        for request in requests.sorted(by: { $0.key < $1.key }) {
            request.value.handler(.failure(Self.cancelled))
        }
    }

    private func cancel(_ id: Int) {
        let request = state.withLock { state in
            let found = state.requests.removeValue(forKey: id)
            if found == nil, id > 0 { state.gone.insert(id) }
            return found
        }
        request?.handler(.failure(Self.cancelled))
    }

    private static func nextID(_ state: inout State) -> Int {
        state.lastID += 1
        return state.lastID
    }

    private static var cancelled: AVError {
        AVError(.operationCancelled, reason: "the generation of images was cancelled")
    }

    // MARK: Work, on the queue

    private func schedule() {
        let isDue = state.withLock { state in
            guard !state.isScheduled, !state.requests.isEmpty else { return false }
            state.isScheduled = true
            return true
        }
        if isDue { queue.async { [self] in serve() } }
    }

    private func serve() {
        var failure: AVError?
        while let (request, interrupt) = next() {
            let outcome: Outcome
            do throws(AVError) {
                // A film that cannot be opened is opened once for all requests at hand.
                if let failure { throw failure }
                let film: Film
                do throws(AVError) {
                    film = try open(interrupt)
                } catch {
                    failure = error
                    throw error
                }
                outcome = .success(try make(request, film))
            } catch {
                outcome = .failure(error)
            }
            if interrupt.isCancelled { (film, failure) = (nil, nil) }
            let isWaiting = state.withLock { $0.requests.removeValue(forKey: request.id) != nil }
            if isWaiting { request.handler(outcome) }
        }
        queue.asyncAfter(deadline: .now() + Self.idleSeconds) { [weak self] in self?.closeIfIdle() }
    }

    /// Returns the request with the next later time, else the earliest one; `nil` without requests.
    private func next() -> (Request, MediaInterrupt)? {
        state.withLock { state in
            let waiting = state.requests.values
            func earliest(_ requests: [Request]) -> Request? {
                requests.min { ($0.time, $0.id) < ($1.time, $1.id) }
            }
            guard
                let request = earliest(waiting.filter { $0.time >= state.position })
                    ?? earliest(Array(waiting))
            else {
                (state.isScheduled, state.gone) = (false, [])
                return nil
            }
            state.position = request.time
            return (request, state.interrupt)
        }
    }

    private func closeIfIdle() {
        if state.withLock({ !$0.isScheduled }) { film = nil }
    }

    private func open(_ interrupt: MediaInterrupt) throws(AVError) -> Film {
        if let film, film.interrupt === interrupt { return film }
        film = nil
        let contents = try asset.loading.waitForContents()
        guard let stream = contents.info.stream(within: .zero) else { throw noPictures(contents.info) }
        let source = try asset.source.pictureSource(stream: stream.index, zero: contents.zeroTime)
        do {
            let opened = Film(
                reader: try PictureReader(source, interrupt: interrupt), interrupt: interrupt,
                contents: contents,
                last: contents.presentedEnd(of: stream).map { $0 - CMTime(value: 1, timescale: 90_000) })
            film = opened
            return opened
        } catch {
            throw AVError(error, url: asset.source.url)
        }
    }

    /// The error for a source without pictures, or with pictures that are too large.
    private func noPictures(_ info: MediaInfo) -> AVError {
        let name = asset.source.url.lastPathComponent
        let film = info.streams.first { $0.kind == .video }
        let reason = film.map { "\(name): \($0.sizeRefusal)" } ?? "\(name) has no pictures"
        return AVError(.operationNotSupportedForAsset, reason: reason, url: asset.source.url)
    }

    private func make(_ request: Request, _ film: Film) throws(AVError) -> Made {
        let (time, settings) = (request.time, request.settings)
        guard time.isNumeric else {
            throw AVError(.noImageAtTime, reason: "an image needs a time, not \(time)")
        }
        let earliest = time - settings.toleranceBefore.asTolerance
        let latest = time + settings.toleranceAfter.asTolerance
        do {
            let last = film.last ?? .positiveInfinity
            let picture = try film.reader.picture(
                near: min(time, last), earliest: min(earliest, last), latest: min(latest, last))
            guard let picture else {
                throw AVError(
                    film.reader.isUndecodable ? .decodeFailed : .noImageAtTime,
                    reason: "no picture of \(asset.source.url.lastPathComponent) could be decoded",
                    url: asset.source.url)
            }
            try check(picture, earliest: earliest, latest: latest, time: time, film.contents)
            let image = try maker.image(
                of: picture.frame, orientation: film.reader.parameters.orientation, settings)
            return Made(image: image, time: picture.time)
        } catch let error as AVError {
            throw error
        } catch let error as MediaError {
            throw AVError(error, url: asset.source.url)
        } catch {
            throw AVError(.decodeFailed, reason: "\(error)", url: asset.source.url)
        }
    }

    /// Throws if a time is outside the film: the first picture stands for the time before it, and the last one for the rest
    /// of the asset.
    private func check(
        _ picture: PictureReader.Picture, earliest: CMTime, latest: CMTime, time: CMTime,
        _ contents: AssetContents
    ) throws(AVError) {
        let end = contents.duration.isNumeric ? max(contents.duration, picture.end) : picture.end
        let isEarly = time < .zero && latest < min(picture.time, .zero)
        let isLate = picture.end <= earliest && time > end
        guard isEarly || isLate else { return }
        throw AVError(
            .noImageAtTime,
            reason: "\(asset.source.url.lastPathComponent) has no picture at \(time.seconds) s; "
                + "it ends at \(end.seconds) s", url: asset.source.url)
    }
}

/// The settings of an image generator that apply to a request.
struct ImageSettings: Sendable {
    var isUpright = false
    var maximumSize = CGSize.zero
    var apertureMode: AVAssetImageGenerator.ApertureMode?
    var toleranceBefore = CMTime.positiveInfinity
    var toleranceAfter = CMTime.positiveInfinity
}

extension CMTime {
    /// The time as a tolerance: never negative, and infinite if it is not a number.
    fileprivate var asTolerance: CMTime { isNumeric ? max(.zero, self) : .positiveInfinity }
}
