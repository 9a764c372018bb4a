import Testing
import TuttiSystemIO

@testable import AirPlaySender

@Suite("The path delay of a control connection")
struct PathDelayTests {
    private static func roundTrip(_ milliseconds: Int) -> TCPRoundTrip {
        TCPRoundTrip(minimum: .milliseconds(milliseconds), smoothed: .milliseconds(milliseconds * 2))
    }

    @Test("the TCP handshake counts unless it was longer than a path: a packet was lost in it")
    func early() {
        #expect(PathDelay.early(Self.roundTrip(4)) == .milliseconds(2))
        #expect(PathDelay.early(Self.roundTrip(40)) == .milliseconds(20))
        #expect(PathDelay.early(Self.roundTrip(1018)) == .zero)
        #expect(PathDelay.early(nil) == .zero)
    }

    @Test("after some requests the least round trip counts, however long it is")
    func measured() {
        #expect(PathDelay.measured(Self.roundTrip(4)) == .milliseconds(2))
        #expect(PathDelay.measured(Self.roundTrip(240)) == .milliseconds(120))
        #expect(PathDelay.measured(nil) == nil)
    }
}
