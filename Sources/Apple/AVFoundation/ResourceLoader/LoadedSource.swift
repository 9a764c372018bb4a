import Dispatch
import Foundation
import FoundationNetworking
import Synchronization
import TuttiWeb

/// A byte source of a custom-scheme URL, filled by the delegate of a resource loader.
///
/// If the delegate supports byte ranges, the source keeps a window in memory: the bytes just read and a
/// prefetch of the next megabyte or two. Otherwise the delegate delivers everything from the start, and
/// unread bytes wait in a temporary file. After a redirect to `http` or `https` the source forwards to a web
/// source. Reading may block; one reader at a time, on any thread.
final class LoadedSource: ByteSource {
    /// Default deadline for the next byte of a request; the source then cancels the request.
    static let usualTimeLimit = Duration.seconds(30)
    /// Bytes per range request.
    static let rangeByteCount: Int64 = 1 << 20
    /// Bytes of the first request, which asks for the content information.
    static let firstByteCount = 2
    private static let redirectLimit = 8
    private static let mostKept = 4 << 20

    let loader: AVAssetResourceLoader
    let state: Mutex<State>
    private let arrival = DispatchSemaphore(value: 0)

    struct State {
        var address: String
        var resource: WebResource
        var planner = LoadPlanner()
        var request: AVAssetResourceLoadingRequest?
        var serial = 0
        var redirectCount = 0
        /// The web source after a redirect to `http` or `https`.
        var web: WebSource?
        var isCancelled = false
        var keptBytes = WebLimits().keptBytes
    }

    init(_ address: String, loader: AVAssetResourceLoader) {
        self.loader = loader
        let resource = WebResource(address: address, length: nil, givesRanges: false, contentType: nil)
        state = Mutex(State(address: address, resource: resource))
    }

    deinit { drop(state.withLock { $0.request }) }

    // MARK: The reader

    func open() throws(WebError) -> WebResource {
        guard loader.hasDelegate else {
            throw Self.failure(
                "no program provides it; set a delegate of the asset's resource loader",
                NSURLErrorUnsupportedURL)
        }
        while true {
            if let web = state.withLock({ $0.web }) { return try web.open() }
            let step = next { $0.openingStep() }
            if case .ready = step { return resource }
            try take(step)
        }
    }

    func read(into target: UnsafeMutableRawBufferPointer) throws(WebError) -> Int {
        while true {
            if let web = state.withLock({ $0.web }) { return try web.read(into: target) }
            let kept = state.withLock { $0.keptBytes }
            let step = next { $0.read(into: target, keeping: kept) }
            switch step {
            case .bytes(let count): return count
            case .end: return 0
            default: try take(step)
            }
        }
    }

    private func next(_ body: (inout LoadPlanner) -> LoadPlanner.Step) -> LoadPlanner.Step {
        let (step, stale, question) = state.withLock { state in
            if state.isCancelled {
                return (.failed(.cancelled), nil, nil)
                    as (LoadPlanner.Step, AVAssetResourceLoadingRequest?, AVAssetResourceLoadingRequest?)
            }
            let step = body(&state.planner)
            guard let wanted = state.planner.takeQuestion() else { return (step, nil, nil) }
            let stale = state.request
            let question = makeRequest(wanted, &state)
            return (step, stale, question)
        }
        drop(stale)
        if let question { ask(question) }
        return step
    }

    /// Throws the error of a failed step, and blocks for data after a `wait` step.
    private func take(_ step: LoadPlanner.Step) throws(WebError) {
        switch step {
        case .failed(let error): throw error
        case .wait:
            let limit = loader.timeLimit
            let seconds = Double(limit.components.seconds) + Double(limit.components.attoseconds) * 1e-18
            guard arrival.wait(timeout: .now() + seconds) == .timedOut else { return }
            let late = state.withLock { state in
                defer { state.request = nil }
                state.planner.questionWasDropped()
                return state.request
            }
            drop(late)
            throw .timedOut(limit)
        case .ready, .bytes, .end: return
        }
    }

    // MARK: Requests

    private func makeRequest(
        _ question: LoadPlanner.Question, _ state: inout State
    ) -> AVAssetResourceLoadingRequest? {
        guard let url = URL(string: state.address) else { return nil }
        state.serial += 1
        let serial = state.serial
        let data = AVAssetResourceLoadingDataRequest(
            offset: question.offset, length: question.length, wantsAll: question.wantsAll
        ) { [weak self] in self?.receive($0, serial) }
        let request = AVAssetResourceLoadingRequest(
            URLRequest(url: url),
            information: question.wantsFacts ? AVAssetResourceLoadingContentInformationRequest() : nil,
            data: data
        ) { [weak self] in self?.finish($0, $1, serial) }
        state.request = request
        return request
    }

    private func ask(_ request: AVAssetResourceLoadingRequest) {
        loader.ask(request) { isLoaded in
            if isLoaded { return }
            request.finishLoading(
                with: NSError(
                    domain: NSURLErrorDomain, code: NSURLErrorUnsupportedURL,
                    userInfo: [NSLocalizedDescriptionKey: "the resource loader's delegate does not load it"]))
        }
    }

    private func drop(_ request: AVAssetResourceLoadingRequest?) {
        if let request, request.cancel() { loader.notifyCancelled(request) }
    }

    // MARK: Responses, on any thread

    private func receive(_ data: Data, _ serial: Int) {
        state.withLock { state in
            if state.serial == serial { state.planner.receive(data) }
        }
        arrival.signal()
    }

    private func finish(_ request: AVAssetResourceLoadingRequest, _ error: (any Error)?, _ serial: Int) {
        state.withLock { state in
            guard state.serial == serial else { return }
            state.request = nil
            if let error {
                let error = error as NSError
                return state.planner.fail(
                    .program(
                        reason: error.localizedDescription, domain: error.domain, code: error.code))
            }
            if let url = request.redirect?.url { return redirect(to: url, &state) }
            if let facts = request.contentInformationRequest?.content { learn(facts, &state) }
            state.planner.finish()
        }
        arrival.signal()
    }

    private func learn(
        _ facts: AVAssetResourceLoadingContentInformationRequest.Content, _ state: inout State
    ) {
        guard facts.length >= 0 else {
            return state.planner.fail(Self.failure("its length was given as \(facts.length) bytes"))
        }
        let length = facts.length == 0 ? nil : facts.length
        state.planner.learn(length: length, givesRanges: facts.givesRanges)
        state.resource = WebResource(
            address: state.address, length: length, givesRanges: facts.givesRanges || length != nil,
            contentType: facts.type)
    }

    private func redirect(to url: URL, _ state: inout State) {
        state.redirectCount += 1
        guard state.redirectCount <= Self.redirectLimit else {
            return state.planner.fail(.redirectLoop(limit: Self.redirectLimit))
        }
        state.address = url.absoluteString
        guard ["http", "https"].contains(url.scheme?.lowercased() ?? "") else {
            return state.planner.questionWasDropped()
        }
        do {
            let web = try WebSource(state.address, options: loader.options)
            web.keep(state.keptBytes)
            if state.planner.position > 0 { web.seek(to: state.planner.position) }
            state.web = web
        } catch {
            state.planner.fail(error)
        }
    }

    static func failure(_ reason: String, _ code: Int = NSURLErrorBadServerResponse) -> WebError {
        .program(reason: reason, domain: NSURLErrorDomain, code: code)
    }
}

extension LoadedSource {
    private var web: WebSource? { state.withLock { $0.web } }

    func seek(to offset: Int64) {
        if let web { return web.seek(to: offset) }
        state.withLock { $0.planner.position = max(0, offset) }
    }

    func keep(_ byteCount: Int) {
        state.withLock { $0.keptBytes = min(max(0, byteCount), Self.mostKept) }
        web?.keep(byteCount)
    }

    func cancel() {
        let (request, web) = state.withLock { state in
            state.isCancelled = true
            defer { state.request = nil }
            return (state.request, state.web)
        }
        drop(request)
        web?.cancel()
        arrival.signal()
    }

    var resource: WebResource { web?.resource ?? state.withLock { $0.resource } }

    var position: Int64 { web?.position ?? state.withLock { $0.planner.position } }

    var ranges: [Range<Int64>] { web?.ranges ?? state.withLock { $0.planner.ranges } }

    func takeTitles() -> [StreamTitle] { web?.takeTitles() ?? [] }

    func takeWarnings() -> [WebWarning] { web?.takeWarnings() ?? [] }
}
