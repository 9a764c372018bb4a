import Testing
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlayReceiver

@Suite("Admission and ownership")
struct OwnershipTests {
    @Test("the newest session owns the speaker")
    func claims() {
        var ownership = SpeakerOwnership()
        #expect(ownership.claim(by: 1, sessionUUID: "A") == .first)
        #expect(ownership.claim(by: 1, sessionUUID: "A") == .same)
        #expect(ownership.claim(by: 2, sessionUUID: "A") == .continues(from: 1))
        #expect(ownership.claim(by: 3, sessionUUID: "B") == .takesOver(from: 2))
        #expect(ownership.claim(by: 4, sessionUUID: nil) == .takesOver(from: 3))
        #expect(ownership.claim(by: 5, sessionUUID: nil) == .takesOver(from: 4))
        let late = ownership.release(3)
        #expect(!late)
        let lost = ownership.lose(5)
        #expect(lost && ownership.owner?.isConnected == false)
        ownership.release(5)
        #expect(ownership.owner == nil)
    }

    private static let limits = {
        var limits = SessionLimits()
        (limits.connections, limits.connectionsPerAddress) = (4, 3)
        return limits
    }()

    @Test("unpaired connections make room for newcomers, sessions do not")
    func room() {
        var admission = Admission(limits: Self.limits)
        let (one, two) = (IPAddress(10, 0, 0, 1), IPAddress(10, 0, 0, 2))
        func time(_ seconds: Int) -> HostTime { HostTime(nanoseconds: Int64(seconds) * 1_000_000_000) }
        #expect(admission.admit(1, from: one, at: time(0)) == .admitted)
        admission.set(.inSession, of: 1, at: time(0))
        #expect(admission.admit(2, from: one, at: time(1)) == .admitted)
        #expect(admission.admit(3, from: one, at: time(2)) == .admitted)
        #expect(admission.admit(4, from: one, at: time(3)) == .admittedInsteadOf(2))
        admission.set(.paired, of: 3, at: time(3))
        #expect(admission.admit(5, from: two, at: time(4)) == .admitted)
        #expect(admission.admit(6, from: two, at: time(5)) == .admittedInsteadOf(4))
        for id: UInt64 in [3, 5, 6] { admission.set(.inSession, of: id, at: time(6)) }
        #expect(admission.admit(7, from: two, at: time(7)) == .refused)
        #expect(admission.count == 4)
        // A connection never returns to a lower state: a session that lists its pairings stays a session.
        admission.set(.pairing, of: 1, at: time(8))
        #expect(admission.expired(at: time(9000)).isEmpty)
    }

    @Test("ten thousand unpaired connections never exceed their limit")
    func flood() {
        var admission = Admission(limits: SessionLimits())
        for number in 0..<10_000 {
            let address = IPAddress(10, 0, UInt8(number / 256 % 256), UInt8(number % 256))
            _ = admission.admit(UInt64(number), from: address, at: HostTime(nanoseconds: Int64(number)))
            #expect(admission.count <= 64)
        }
    }

    @Test("each state of a connection has its time limit")
    func expiry() {
        var admission = Admission(limits: SessionLimits())
        let start = HostTime(nanoseconds: 0)
        for id: UInt64 in 1...4 { _ = admission.admit(id, from: .loopbackV4, at: start) }
        admission.set(.pairing, of: 2, at: start)
        admission.set(.paired, of: 3, at: start)
        admission.set(.inSession, of: 4, at: start)
        #expect(admission.expired(at: start.advanced(by: .seconds(9))).isEmpty)
        #expect(admission.expired(at: start.advanced(by: .seconds(10))) == [1])
        #expect(admission.expired(at: start.advanced(by: .seconds(60))) == [1, 3])
        #expect(admission.expired(at: start.advanced(by: .seconds(9000))) == [1, 2, 3])
    }

    @Test("unpaired peers cannot cause unlimited computation")
    func budget() {
        var budget = PairingBudget(at: HostTime(nanoseconds: 0))
        var taken = 0
        for millisecond in 0..<10_000 {
            let now = HostTime(nanoseconds: Int64(millisecond) * 1_000_000)
            if budget.take(for: .loopbackV4, at: now) { taken += 1 }
        }
        #expect((55...62).contains(taken))
    }

    @Test(
        "a sender pairs at its first attempt while one or two hundred addresses flood",
        arguments: [1, 200])
    func floods(addressCount: Int) {
        var budget = PairingBudget(at: HostTime(nanoseconds: 0))
        var (taken, refused) = (0, 0)
        var random = SeededGenerator(seed: 15)
        // A thousand messages a second; senders arrive from the tenth second on, with two connections each.
        for millisecond in 0..<60_000 {
            let now = HostTime(nanoseconds: Int64(millisecond) * 1_000_000)
            let flooding = IPAddress(10, 0, 0, UInt8.random(in: 0..<UInt8(addressCount), using: &random))
            if budget.take(for: flooding, at: now) { taken += 1 }
            guard millisecond > 10_000, millisecond % 1000 < 2 else { continue }
            let sender = IPAddress(10, 0, 1, UInt8(millisecond / 1000))
            if !budget.take(for: sender, at: now) { refused += 1 }
        }
        #expect(refused == 0)
        #expect(taken < 60 + 20 + 12 + 60 * (40 + 10 + 4))
    }

    @Test("hosts of one IPv6 network share a budget, and block nobody of another")
    func network() throws {
        var budget = PairingBudget(at: HostTime(nanoseconds: 0))
        var refused = 0
        for millisecond in 0..<60_000 {
            let now = HostTime(nanoseconds: Int64(millisecond) * 1_000_000)
            let host = String(millisecond, radix: 16)
            _ = budget.take(for: try #require(IPAddress("2001:db8::\(host)")), at: now)
            guard millisecond > 10_000, millisecond % 1000 < 2 else { continue }
            let sender = IPAddress(10, 0, 1, UInt8(millisecond / 1000))
            if !budget.take(for: sender, at: now) { refused += 1 }
        }
        #expect(refused == 0)
    }

    @Test("during any flood, a sender that owned the speaker before can pair, and so can the owner")
    func known() {
        var budget = PairingBudget(at: HostTime(nanoseconds: 0))
        let (known, owner) = (IPAddress(192, 0, 2, 1), IPAddress(192, 0, 2, 2))
        var (strangers, refused) = (0, 0)
        for millisecond in 0..<30_000 {
            let now = HostTime(nanoseconds: Int64(millisecond) * 1_000_000)
            // A thousand addresses, each new.
            let stranger = IPAddress(
                10, UInt8(millisecond >> 16), UInt8(millisecond >> 8 & 255), UInt8(millisecond & 255))
            if budget.take(for: stranger, at: now) { strangers += 1 }
            guard millisecond > 10_000, millisecond % 5000 < 2 else { continue }
            for (address, sender) in [(known, PairingBudget.Sender.known), (owner, .owner)] {
                if !budget.take(for: address, sender, at: now) { refused += 1 }
            }
        }
        #expect(refused == 0)
        #expect(strangers < 100 + 30 * 54)
        // A known address cannot cause unlimited computation either.
        var taken = 0
        for millisecond in 30_000..<60_000 {
            let now = HostTime(nanoseconds: Int64(millisecond) * 1_000_000)
            if budget.take(for: known, .known, at: now) { taken += 1 }
        }
        #expect(taken < 8 + 8 + 12 + 30 * 4)
    }

    @Test("thousands of unpaired connections a second do not evict a former owner")
    func knownPlaces() {
        var admission = Admission(limits: SessionLimits())
        let known = IPAddress(192, 0, 2, 1)
        _ = admission.admit(1, from: known, isKnown: true, at: HostTime(nanoseconds: 0))
        for number in 2..<20_000 {
            let address = IPAddress(10, 0, UInt8(number >> 8 & 7), UInt8(number & 255))
            let decision = admission.admit(
                UInt64(number), from: address, at: HostTime(nanoseconds: Int64(number) * 80_000))
            #expect(decision != .admittedInsteadOf(1))
        }
        // The connection has no longer than others to begin.
        #expect(admission.expired(at: HostTime(nanoseconds: 10_000_000_000)).contains(1))
    }

    @Test("the latest senders and the current owner are remembered")
    func remembered() {
        var known = KnownSenders()
        known.own(IPAddress(10, 0, 0, 1))
        for number in 0..<100 { known.own(IPAddress(10, 0, 1, UInt8(number))) }
        #expect(known.count == KnownSenders.limit)
        #expect(!known.contains(IPAddress(10, 0, 0, 1)))
        #expect(known.contains(IPAddress(10, 0, 1, 99)) && known.contains(IPAddress(10, 0, 1, 36)))
    }

    @Test("the number of remembered addresses is limited")
    func addresses() {
        var budget = PairingBudget(at: HostTime(nanoseconds: 0))
        for second in 0..<5000 {
            let address = IPAddress(10, 0, UInt8(second / 256), UInt8(second % 256))
            let isTaken = budget.take(for: address, at: HostTime(nanoseconds: Int64(second) * 1_000_000_000))
            #expect(isTaken && budget.visitorCount <= PairingBudget.addressLimit)
        }
    }
}
