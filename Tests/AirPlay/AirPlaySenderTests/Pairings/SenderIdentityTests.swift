import AirPlaySender
import Testing
import TuttiMediaTime
import TuttiSystemIO

@Suite("Identity of a sender")
struct SenderIdentityTests {
    @Test("a second program on a host has its own remote id and shares the device id")
    func secondProgram() {
        let clock = ClockIdentity(rawValue: 0x0123_4567_89AB_CDEF)
        let first = SenderIdentity(name: "Host", clock: clock)
        #expect(first.dacpID == "0123456789ABCDEF")
        for _ in 0..<100 {
            var second = SenderIdentity(name: "Host", clock: clock)
            second.useOwnRemoteID(machine: SystemMachine())
            #expect(second.dacpID != first.dacpID && second.deviceID == first.deviceID)
            #expect(
                second.dacpID.count == 16 && second.dacpID.allSatisfy { $0.isHexDigit && !$0.isLowercase })
        }
    }
}
