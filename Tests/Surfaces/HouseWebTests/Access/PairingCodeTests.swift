import Testing

@testable import TuttiHouseWeb

@Suite("A pairing code")
struct PairingCodeTests {
    private let start = PairingCode.Instant.now

    @Test("the right code lets one device in, once")
    func once() {
        var code = PairingCode()
        #expect(code.use("123456", at: start) == .needsNewCode)
        code.set("123456", at: start)
        #expect(code.use("123456", at: start) == .accepted)
        #expect(code.use("123456", at: start) == .needsNewCode)
    }

    @Test("a code is valid for five minutes")
    func lifetime() {
        var code = PairingCode()
        code.set("123456", at: start)
        var early = code
        #expect(early.use("123456", at: start.advanced(by: .seconds(299))) == .accepted)
        #expect(code.use("123456", at: start.advanced(by: .seconds(300))) == .needsNewCode)
    }

    @Test("a code that is voided lets nobody in, and the pause after a wrong try stays")
    func cancelled() {
        var code = PairingCode()
        code.set("123456", at: start)
        #expect(code.use("000000", at: start) == .wrong)
        code.cancel()
        #expect(code.use("123456", at: start) == .tooFast(wait: .seconds(1)))
        #expect(code.use("123456", at: start.advanced(by: .seconds(1))) == .needsNewCode)
    }

    @Test("five wrong tries end a code, and each waits longer than the one before")
    func wrongTries() {
        var code = PairingCode()
        code.set("123456", at: start)
        var now = start
        for pause in [1, 2, 4, 8, 16] {
            #expect(code.use("000000", at: now) == .wrong)
            let early = now.advanced(by: .milliseconds(pause * 1_000 - 1))
            #expect(code.use("123456", at: early) == .tooFast(wait: .milliseconds(1)))
            now = now.advanced(by: .seconds(pause))
        }
        #expect(code.use("123456", at: now) == .needsNewCode)
        code.set("654321", at: now)
        #expect(code.use("111111", at: now) == .wrong)
        #expect(code.use("654321", at: now) == .tooFast(wait: PairingCode.longestPause))
        #expect(code.use("654321", at: now.advanced(by: PairingCode.longestPause)) == .accepted)
    }

    @Test(
        "texts of other forms are wrong",
        arguments: ["", "12345", "1234567", "１２３４５６", " 123456", "123456\n"])
    func forms(text: String) {
        var code = PairingCode()
        code.set("123456", at: start)
        #expect(code.use(text, at: start) == .wrong)
    }

    @Test("random codes have six digits")
    func random() {
        for _ in 0..<1_000 {
            let code = PairingCode.random()
            #expect(code.utf8.count == 6 && code.utf8.allSatisfy { (0x30...0x39).contains($0) })
        }
    }
}
