import Foundation
import Synchronization
import Testing

@testable import TuttiKeyValueObserving

@Suite("Calls that raise exceptions on Apple's systems")
struct APIUseTests {
    @Test("misuse is reported once for each call site")
    func once() {
        let lines = Mutex<[String]>([])
        let log = MisuseLog { line in lines.withLock { $0.append(line) } }
        log.note("a rate is 0 or more", at: "A/B.swift:1")
        log.note("a rate is 0 or more", at: "A/B.swift:1")
        log.note("a reader starts once", at: "A/C.swift:7")
        #expect(
            lines.withLock { $0 } == [
                "A/B.swift:1: ignored: a rate is 0 or more\n", "A/C.swift:7: ignored: a reader starts once\n",
            ])
    }

    /// A program's own class, as for the Objective-C runtime.
    private final class Model: NSObject, @unchecked Sendable {
        // Safe to share: never changed.
        dynamic var isRendering = false
        let player = ObservedPlayer()
    }

    @Test("observing a property that reports no changes is told once, with its name and the page")
    func unreported() {
        let lines = Mutex<[String]>([])
        let log = MisuseLog { line in lines.withLock { $0.append(line) } }
        let model = Model()
        for _ in 0..<2 {
            KeyPathObserver(root: model, keyPath: \.isRendering, options: [], handler: { _, _ in }, log: log)
                .start()
        }
        KeyPathObserver(root: model, keyPath: \.player.rate, options: [], handler: { _, _ in }, log: log)
            .start()
        let told = lines.withLock { $0 }
        #expect(told.count == 1)
        #expect(told.first?.contains("isRendering") == true)
        #expect(told.first?.contains("docs/access-notes.md") == true)
    }

    @Test("correct use is silent")
    func right() {
        var words = 0
        func rule() -> String {
            words += 1
            return "a rule"
        }
        let answer = checkAPIUse(true, rule())
        #expect(answer && words == 0)
    }

    #if DEBUG
    @Test("misuse stops a debug build, with message and call site")
    func stops() async throws {
        let result = try #require(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                checkAPIUse(1 + 1 == 3, "the sum is wrong", file: "Program/Sum.swift", line: 12)
            })
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("the sum is wrong") && text.contains("Program/Sum.swift:12"))
    }
    #else
    @Test("misuse is ignored in a release build, and printed to standard error once")
    func ignored() async throws {
        let result = try #require(
            await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                for _ in 0..<3 {
                    checkAPIUse(1 + 1 == 3, "the sum is wrong", file: "Program/Sum.swift", line: 12)
                }
            })
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.components(separatedBy: "Program/Sum.swift:12: ignored: the sum is wrong\n").count == 2)
    }
    #endif
}
