import Wire

/// The 802.1AS follow-up information: how the grandmaster's clock has changed.
///
/// Source: IEEE 802.1AS-2020, 11.4.4.3. All zero in the AirPlay profile (*observed*).
public struct PTPFollowUpInformation: WireFormat, Hashable {
    public var cumulativeScaledRateOffset: UInt32 = 0
    public var grandmasterTimeBaseIndicator: UInt16 = 0
    /// 96 bits, as they travel.
    public var lastGrandmasterPhaseChange = [UInt8](repeating: 0, count: 12) {
        didSet { precondition(lastGrandmasterPhaseChange.count == 12, "the phase change has 96 bits") }
    }
    public var scaledLastGrandmasterFrequencyChange: UInt32 = 0

    static let byteCount = 22

    public init() {}

    public init(parsing input: inout ByteReader) throws(WireError) {
        cumulativeScaledRateOffset = try input.integer(UInt32.self, field: "cumulativeScaledRateOffset")
        grandmasterTimeBaseIndicator = try input.integer(UInt16.self, field: "gmTimeBaseIndicator")
        lastGrandmasterPhaseChange = try input.bytes(count: 12, field: "lastGmPhaseChange")
        scaledLastGrandmasterFrequencyChange = try input.integer(UInt32.self, field: "scaledLastGmFreqChange")
    }

    public func encode(into output: inout ByteWriter) {
        output.integer(cumulativeScaledRateOffset)
        output.integer(grandmasterTimeBaseIndicator)
        output.append(lastGrandmasterPhaseChange)
        output.integer(scaledLastGrandmasterFrequencyChange)
    }
}
