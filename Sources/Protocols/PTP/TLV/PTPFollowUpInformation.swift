import TuttiWire

/// The 802.1AS follow-up information: changes of the grandmaster's clock.
///
/// Source: IEEE 802.1AS-2020, 11.4.4.3. All zero in the AirPlay profile (*observed*).
package struct PTPFollowUpInformation: WireFormat, Hashable {
    /// The scaled rate offset from the grandmaster.
    package var cumulativeScaledRateOffset: UInt32 = 0
    /// A counter of the grandmaster's changes of time base.
    package var grandmasterTimeBaseIndicator: UInt16 = 0
    /// The last phase change, 96 bits as encoded.
    package var lastGrandmasterPhaseChange = [UInt8](repeating: 0, count: 12) {
        didSet { precondition(lastGrandmasterPhaseChange.count == 12, "the phase change has 96 bits") }
    }
    /// The scaled frequency change at the last change of grandmaster.
    package var scaledLastGrandmasterFrequencyChange: UInt32 = 0

    static let byteCount = 22

    /// Creates all-zero information.
    package init() {}

    package init(parsing input: inout ByteReader) throws(WireError) {
        cumulativeScaledRateOffset = try input.integer(UInt32.self, field: "cumulativeScaledRateOffset")
        grandmasterTimeBaseIndicator = try input.integer(UInt16.self, field: "gmTimeBaseIndicator")
        lastGrandmasterPhaseChange = try input.bytes(count: 12, field: "lastGmPhaseChange")
        scaledLastGrandmasterFrequencyChange = try input.integer(UInt32.self, field: "scaledLastGmFreqChange")
    }

    package func encode(into output: inout ByteWriter) {
        output.integer(cumulativeScaledRateOffset)
        output.integer(grandmasterTimeBaseIndicator)
        output.append(lastGrandmasterPhaseChange)
        output.integer(scaledLastGrandmasterFrequencyChange)
    }
}
