import AVFoundation
import Dispatch
import TuttiTestSupport

/// A delegate that provides a file's bytes in one of several ways, and logs its requests.
final class ProvidingDelegate: NSObject, AVAssetResourceLoaderDelegate, Sendable {
    enum Way: Sendable, Equatable {
        case ranges
        case whole
        /// Provides bytes without any content information.
        case silentAboutFacts
        case redirects(URL)
        case refuses
        case fails
        case neverAnswers
        case promisesTooMuch
        case promisesNegative
    }

    struct Question: Sendable {
        var offset: Int64
        var length: Int
        var wantsFacts: Bool
    }

    let way: Way
    let bytes: Data
    let queue = DispatchQueue(label: "provider")
    let questions = Recorder<[Question]>([])
    let cancelled = Recorder<Int>(0)

    init(_ way: Way, bytes: [UInt8]) { (self.way, self.bytes) = (way, Data(bytes)) }

    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        shouldWaitForLoadingOfRequestedResource request: AVAssetResourceLoadingRequest
    ) -> Bool {
        dispatchPrecondition(condition: .onQueue(queue))
        guard let wanted = request.dataRequest else { return false }
        let facts = request.contentInformationRequest
        questions.update {
            $0.append(
                Question(
                    offset: wanted.requestedOffset, length: wanted.requestedLength, wantsFacts: facts != nil))
        }
        switch way {
        case .refuses: return false
        case .neverAnswers: return true
        case .fails:
            request.finishLoading(with: NSError(domain: "Vault", code: 7))
            return true
        case .redirects(let url):
            request.redirect = URLRequest(url: url)
            request.finishLoading()
            return true
        case .promisesNegative: facts?.contentLength = -5
        case .promisesTooMuch: facts?.contentLength = Int64(bytes.count) + 50_000_000
        case .ranges, .whole: facts?.contentLength = Int64(bytes.count)
        case .silentAboutFacts: break
        }
        facts?.isByteRangeAccessSupported = way == .ranges || way == .promisesTooMuch
        let start = Int(clamping: wanted.requestedOffset)
        let rest = bytes.dropFirst(start)
        for piece in stride(from: 0, to: min(rest.count, wanted.requestedLength), by: 100_000) {
            wanted.respond(with: Data(rest.dropFirst(piece).prefix(100_000)))
        }
        request.finishLoading()
        return true
    }

    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader, didCancel loadingRequest: AVAssetResourceLoadingRequest
    ) { cancelled.update { $0 += 1 } }
}
