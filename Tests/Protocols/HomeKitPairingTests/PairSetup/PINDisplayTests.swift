import HomeKitPairing
import Testing

@Suite("A displayed PIN")
struct PINDisplayTests {
    @Test("a PIN is valid until an attempt has ended or its time is over")
    func counts() {
        var display = PINDisplay()
        let first = display.pin(at: .zero)
        #expect(first.isNew)
        #expect(display.pin(at: .seconds(299)) == (first.pin, false))
        #expect(display.pin(at: .seconds(300)).isNew)
        let second = display.pin(at: .seconds(301))
        #expect(!second.isNew)
        display.end()
        #expect(display.pin(at: .seconds(302)).isNew)
    }

    @Test("a PIN is never printed")
    func redacted() {
        var display = PINDisplay()
        let pin = display.pin(at: .zero).pin
        #expect(!"\(display)".contains(pin) && !String(reflecting: display).contains(pin))
    }
}
