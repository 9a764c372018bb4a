/// A parser for the value of `--clock-ports`.
public enum ClockPorts {
    /// Parses two different ports, separated by a comma; returns `nil` for no value.
    public static func parse(_ text: String?) throws(UsageError) -> (event: UInt16, general: UInt16)? {
        guard let text else { return nil }
        let ports = text.split(separator: ",", omittingEmptySubsequences: false).map { UInt16($0) }
        guard ports.count == 2, let event = ports[0], let general = ports[1], event > 0, general > 0,
            event != general
        else { throw UsageError("--clock-ports takes two different ports, such as 31900,32000") }
        return (event, general)
    }
}
