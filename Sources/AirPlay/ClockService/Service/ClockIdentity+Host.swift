import TuttiMediaTime
import TuttiSystemIO

extension ClockIdentity {
    /// Returns the identity of this machine's clock: the same in every run, and different on other machines.
    public static func ofThisHost() -> ClockIdentity { ofHost(SystemMachine()) }

    /// Returns the identity of a machine's clock; ``ofThisHost()`` is that of the machine that the program runs on.
    package static func ofHost(_ machine: any Machine) -> ClockIdentity {
        ofHost(hardwareAddress: machine.hardwareAddress() ?? [], machine: machine.identityText())
    }

    /// Hashes the first hardware address and the machine's own identifier; neither can be read from the result.
    ///
    /// Bit 63 is clear, so that signed and unsigned readers see the same number. The result is never zero.
    static func ofHost(hardwareAddress: [UInt8], machine: String) -> ClockIdentity {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in hardwareAddress + [0] + Array(machine.utf8) {
            hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01B3
        }
        hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
        hash ^= hash >> 31
        return ClockIdentity(rawValue: max(1, hash & 0x7FFF_FFFF_FFFF_FFFF))
    }
}
