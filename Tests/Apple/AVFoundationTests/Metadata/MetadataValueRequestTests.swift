import Foundation
import Synchronization
import Testing

@testable import AVFoundation

@Suite("Metadata values that a program provides on demand")
struct MetadataValueRequestTests {
    /// An item whose requests the test answers.
    private struct Asked {
        let item: AVMetadataItem
        let requests: AsyncStream<AVMetadataItemValueRequest>

        init() {
            let (requests, continuation) = AsyncStream<AVMetadataItemValueRequest>.makeStream()
            self.requests = requests
            item = AVMetadataItem(propertiesOf: MetadataValueRequestTests.template) { continuation.yield($0) }
        }
    }

    private static var template: AVMutableMetadataItem {
        let item = AVMutableMetadataItem()
        item.identifier = .commonIdentifierTitle
        item.extendedLanguageTag = "de"
        item.value = "early" as NSString
        return item
    }

    private static func isLoaded(_ item: AVMetadataItem) -> Bool {
        if case .loaded = item.status(of: .stringValue) { true } else { false }
    }

    @Test("the handler is called once, at the first request for the value, and the rest is the template's")
    func once() async throws {
        let calls = Mutex<[AVMetadataIdentifier?]>([])
        let item = AVMetadataItem(propertiesOf: Self.template) { request in
            calls.withLock { $0.append(request.metadataItem?.identifier) }
            request.respond(value: "12" as NSString)
        }
        #expect(item.identifier == .commonIdentifierTitle && item.extendedLanguageTag == "de")
        guard case .notYetLoaded = item.status(of: .stringValue) else {
            Issue.record("the status does not load")
            return
        }
        #expect(item.statusOfValue(forKey: "value", error: nil) == .unknown)
        #expect(item.statusOfValue(forKey: "identifier", error: nil) == .loaded)
        #expect(calls.withLock { $0.isEmpty })
        #expect(try await item.load(.value) as? String == "12")
        #expect(try await item.load(.numberValue) == 12)
        #expect(item.stringValue == "12" && item.value as? String == "12")
        #expect(calls.withLock { $0 } == [.commonIdentifierTitle])
        #expect(Self.isLoaded(item) && item.statusOfValue(forKey: "value", error: nil) == .loaded)
    }

    @Test("concurrent requests share one answer, which may come later")
    func shared() async throws {
        let asked = Asked()
        let item = asked.item
        let first = Task { try await item.load(.stringValue) }
        let second = Task { try await item.load(.dataValue) }
        var requests = asked.requests.makeAsyncIterator()
        let next = await requests.next()
        let request = try #require(next)
        guard case .loading = item.status(of: .stringValue) else {
            Issue.record("not loading")
            return
        }
        #expect(item.statusOfValue(forKey: "value", error: nil) == .loading)
        request.respond(value: "late" as NSString)
        #expect(try await first.value == "late")
        #expect(try await second.value == Data("late".utf8))
    }

    @Test("loading by keys calls the handler, and its completion when the value has come")
    func keys() async throws {
        let item = AVMetadataItem(propertiesOf: Self.template) { $0.respond(value: "late" as NSString) }
        await withCheckedContinuation { continuation in
            item.loadValuesAsynchronously(forKeys: ["identifier"]) { continuation.resume() }
        }
        #expect(!Self.isLoaded(item))
        await withCheckedContinuation { continuation in
            item.loadValuesAsynchronously(forKeys: ["identifier", "value"]) { continuation.resume() }
        }
        #expect(Self.isLoaded(item) && item.stringValue == "late")
    }

    @Test("a deprecated getter loads the value and waits for it")
    func getter() {
        let item = AVMetadataItem(propertiesOf: Self.template) { $0.respond(value: NSNumber(value: 3)) }
        #expect(item.numberValue == 3)
    }

    @Test("the first answer counts: an error is thrown by every later request")
    func failure() async throws {
        let item = AVMetadataItem(propertiesOf: Self.template) { request in
            request.respond(error: CocoaError(.fileNoSuchFile))
            request.respond(value: "too late" as NSString)
        }
        for _ in 0..<2 {
            let error = await #expect(throws: CocoaError.self) { try await item.load(.stringValue) }
            #expect(error?.code == .fileNoSuchFile)
        }
        guard case .failed = item.status(of: .stringValue) else {
            Issue.record("not failed")
            return
        }
        var error: NSError?
        #expect(item.statusOfValue(forKey: "stringValue", error: &error) == .failed)
        #expect(error?.domain == CocoaError.errorDomain)
        #expect(item.stringValue == nil)
    }

    @Test("a request that is released without an answer makes loading fail")
    func forgotten() async {
        let item = AVMetadataItem(propertiesOf: Self.template) { _ in }
        await #expect(throws: AVError.self) { try await item.load(.stringValue) }
    }

    @Test("a task that waits can be cancelled, and the value still comes")
    func cancelled() async throws {
        let asked = Asked()
        let item = asked.item
        let waiting = Task { try await item.load(.stringValue) }
        var requests = asked.requests.makeAsyncIterator()
        let next = await requests.next()
        let request = try #require(next)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        request.respond(value: "late" as NSString)
        #expect(try await item.load(.stringValue) == "late")
    }

    @Test("copies ask once together, and a mutable copy can be given another value")
    func copies() async throws {
        let count = Mutex(0)
        let item = AVMetadataItem(propertiesOf: Self.template) { request in
            count.withLock { $0 += 1 }
            request.respond(value: "late" as NSString)
        }
        let copy = try #require(item.copy() as? AVMetadataItem)
        let own = try #require(item.mutableCopy() as? AVMutableMetadataItem)
        let waiting = try #require(item.mutableCopy() as? AVMutableMetadataItem)
        own.value = "own" as NSString
        #expect(own.stringValue == "own" && count.withLock { $0 } == 0)
        #expect(try await copy.load(.stringValue) == "late")
        #expect(try await item.load(.stringValue) == "late")
        #expect(waiting.value as? String == "late" && count.withLock { $0 } == 1)
        #expect(own.stringValue == "own")
    }
}
