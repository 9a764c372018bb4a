import Synchronization
import Testing
import TuttiDBus

@testable import TuttiHouseMPRIS

@Suite struct BusTroublesTests {
    /// The sentences that were told.
    private final class Receiver: Sendable {
        let told = Mutex<[String?]>([])
        var count: Int { told.withLock { $0.count } }
        var last: String?? { told.withLock { $0.last } }
    }

    private let receiver = Receiver()
    private let troubles: BusTroubles
    private let watches: [BusTroubles.Watch]

    init() {
        troubles = BusTroubles(.system) { [receiver] sentence in
            receiver.told.withLock { $0.append(sentence) }
        }
        watches = [troubles.watch(), troubles.watch()]
    }

    @Test("a trouble is told once for all zones, and its end when the last one is ready")
    func sentences() {
        for watch in watches { troubles.note(.failed("the bus is gone"), of: watch) }
        troubles.note(.connecting, of: watches[0])
        troubles.note(.ready(name: "a"), of: watches[0])
        #expect(receiver.count == 1)
        troubles.note(.ready(name: "b"), of: watches[1])
        #expect(receiver.count == 2)
        #expect(receiver.last == .some(nil))
    }

    @Test("a zone that is removed takes its trouble along, and its late connection counts for nothing")
    func removal() {
        troubles.note(.failed("the bus is gone"), of: watches[0])
        troubles.forget(watches[0])
        #expect(receiver.count == 2)
        troubles.note(.failed("the bus is gone"), of: watches[0])
        #expect(receiver.count == 2)
        #expect(receiver.last == .some(nil))
    }

    @Test("after its end, troubles are neither told nor taken back")
    func end() {
        troubles.note(.failed("the bus is gone"), of: watches[0])
        troubles.close()
        troubles.forget(watches[0])
        troubles.note(.failed("the bus is gone again"), of: watches[1])
        #expect(receiver.count == 1)
    }
}
