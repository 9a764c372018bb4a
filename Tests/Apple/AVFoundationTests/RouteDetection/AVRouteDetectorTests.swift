import Playback
import Testing
import TuttiRouteTestSupport
import TuttiTestSupport

@testable import AVFoundation

@Suite("The route detector")
struct AVRouteDetectorTests {
    let routes = FakeRoutes([FakeRoutes.machine])
    let time = ManualDetectionClock()
    let detector: AVRouteDetector
    let both = [FakeRoutes.machine, FakeRoutes.kitchen]

    init() { detector = AVRouteDetector(routes: routes, clock: time, wakeUp: time) }

    @Test("a disabled detector costs nothing and finds nothing")
    func off() {
        routes.set(both)
        #expect(!detector.isRouteDetectionEnabled && !detector.multipleRoutesDetected)
        #expect(routes.log.value.searches == 0 && routes.log.value.observers == 0 && time.waiting == 0)
        detector.isRouteDetectionEnabled = false
        #expect(routes.log.value.searches == 0)
    }

    @Test("an enabled detector searches once")
    func on() {
        detector.isRouteDetectionEnabled = true
        detector.isRouteDetectionEnabled = true
        #expect(routes.log.value.searches == 1 && routes.log.value.observers == 1)
        #expect(detector.isRouteDetectionEnabled && !detector.multipleRoutesDetected)
        routes.set(both)
        #expect(detector.multipleRoutesDetected)
        detector.isRouteDetectionEnabled = false
        #expect(!detector.multipleRoutesDetected && !detector.isRouteDetectionEnabled)
        #expect(routes.log.value.searches == 0 && routes.log.value.observers == 0)
    }

    @Test("outputs already known are found at once")
    func atOnce() {
        routes.set(both)
        detector.isRouteDetectionEnabled = true
        #expect(detector.multipleRoutesDetected)
    }

    @Test("an output that vanishes counts for ten seconds")
    func vanishing() {
        detector.isRouteDetectionEnabled = true
        routes.set(both)
        routes.set([FakeRoutes.machine])
        time.advance(by: .milliseconds(9999))
        #expect(detector.multipleRoutesDetected)
        time.advance(by: .milliseconds(1))
        #expect(!detector.multipleRoutesDetected)
        #expect(time.waiting == 0)
    }

    @Test("an output that returns in time counts as never gone")
    func flapping() async {
        let notes = notifications()
        detector.isRouteDetectionEnabled = true
        for _ in 0..<100 {
            routes.set(both)
            time.advance(by: .seconds(3))
            routes.set([FakeRoutes.machine])
            time.advance(by: .seconds(7))
        }
        #expect(detector.multipleRoutesDetected)
        // One timer serves all outputs.
        #expect(time.waiting <= 2)
        time.advance(by: .seconds(10))
        #expect(!detector.multipleRoutesDetected)
        #expect(await notes.heard(2) == 2)
    }

    @Test("each output has its own ten seconds")
    func several() {
        detector.isRouteDetectionEnabled = true
        routes.set(both + [FakeRoutes.bath])
        routes.set([FakeRoutes.bath])
        time.advance(by: .seconds(5))
        routes.set([])
        time.advance(by: .seconds(5))
        // One output counts for another five seconds, and one output alone is not multiple.
        #expect(!detector.multipleRoutesDetected)
        routes.set([FakeRoutes.machine])
        #expect(detector.multipleRoutesDetected)
        time.advance(by: .seconds(5))
        #expect(!detector.multipleRoutesDetected)
    }

    @Test("results of an earlier enablement are discarded")
    func again() {
        detector.isRouteDetectionEnabled = true
        routes.set(both)
        routes.set([FakeRoutes.machine])
        detector.isRouteDetectionEnabled = false
        detector.isRouteDetectionEnabled = true
        #expect(!detector.multipleRoutesDetected)
        time.advance(by: .seconds(20))
        #expect(!detector.multipleRoutesDetected)
    }

    @Test("observers and notifications hear each change on their thread, and may disable the detector")
    func told() async {
        let notes = notifications()
        let observed = Notes()
        let observation = detector.observe(\.multipleRoutesDetected, options: [.old, .new]) { _, change in
            observed.note("\(change.oldValue == true) \(change.newValue == true)")
        }
        detector.isRouteDetectionEnabled = true
        routes.set(both)
        routes.set(both + [FakeRoutes.bath])
        detector.isRouteDetectionEnabled = false
        detector.isRouteDetectionEnabled = false
        #expect(observed.list == ["false true", "true false"])
        observation.invalidate()
        let off = detector.observe(\.multipleRoutesDetected) { detector, _ in
            detector.isRouteDetectionEnabled = false
        }
        detector.isRouteDetectionEnabled = true
        #expect(!detector.multipleRoutesDetected && routes.log.value.searches == 0)
        off.invalidate()
        // Two changes by the test, and two by the observer that disabled the detector.
        #expect(await notes.heard(4) == 4)
    }

    @Test("a deallocated detector stops searching")
    func lifetime() {
        do {
            let other = AVRouteDetector(routes: routes, clock: time, wakeUp: time)
            other.isRouteDetectionEnabled = true
            #expect(routes.log.value.searches == 1)
        }
        #expect(routes.log.value.searches == 0 && routes.log.value.observers == 0)
    }

    @Test("a default detector searches the process's network, and finds nothing in an empty one")
    func standard() async {
        await WholeProcess.alone {
            let standard = AVRouteDetector()
            standard.isRouteDetectionEnabled = true
            #expect(standard.isRouteDetectionEnabled)
            standard.isRouteDetectionEnabled = false
            #expect(!standard.multipleRoutesDetected && !standard.detectsCustomRoutes)
        }
    }

    private func notifications() -> NotedNotifications { NotedNotifications(detector) }
}

/// Counts the notifications of a detector.
private final class NotedNotifications: Sendable {
    private let notes = Notes()
    private let token: Token

    init(_ detector: AVRouteDetector) {
        let notes = notes
        token = Token(
            NotificationCenter.default.addObserver(
                forName: .AVRouteDetectorMultipleRoutesDetectedDidChange, object: detector, queue: nil
            ) { note in
                notes.note("\(note.object is AVRouteDetector)")
            })
    }

    deinit { NotificationCenter.default.removeObserver(token.value) }

    /// Waits for a number of notifications; returns how many there were.
    func heard(_ count: Int) async -> Int {
        await notes.reached(count)
        return notes.list.count { $0 == "true" }
    }

    private struct Token: @unchecked Sendable {
        // Safe to share: only passed back to the notification center.
        let value: any NSObjectProtocol

        init(_ value: any NSObjectProtocol) { self.value = value }
    }
}
