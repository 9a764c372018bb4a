extension Int {
    /// Makes the nearest whole number; 0 for one that is not finite. Values beyond ±10¹⁵ become that limit.
    init(nearest value: Double) {
        self = value.isFinite ? Int(Swift.min(1e15, Swift.max(-1e15, value)).rounded()) : 0
    }
}
