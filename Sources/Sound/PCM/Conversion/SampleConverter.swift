/// Converts samples from one format to another; channels and rate stay.
///
/// Widening is exact. Narrowing rounds to nearest and clamps to the target's range; NaN becomes 0. Dither is
/// added only if bits are lost on the way to 16 bit. Full scale: 1.0 = 2¹⁵ = 2³¹ in the target's unit. Equal
/// formats pass unchanged.
package struct SampleConverter: Sendable {
    /// Noise that is added before rounding to 16 bit.
    package enum Dither: Hashable, Sendable {
        /// No dither: samples are rounded to the nearest value.
        case none
        /// ``TriangularDither`` with this seed.
        case triangular(seed: UInt64)
    }

    /// The sample format of the output.
    package let target: SampleFormat
    private var dither: TriangularDither?

    /// Creates a converter.
    ///
    /// - Parameter dither: Noise for narrowing to 16 bit.
    package init(to target: SampleFormat, dither: Dither = .none) {
        self.target = target
        if case .triangular(let seed) = dither { self.dither = TriangularDither(seed: seed) }
    }

    /// Converts the next buffer of a stream; the dither continues.
    package mutating func convert(_ buffer: PCMBuffer) -> PCMBuffer {
        switch (buffer.format.sampleFormat, target) {
        case (.int16, .int16), (.int24in32, .int24in32), (.int32, .int32), (.float32, .float32): buffer
        case (.int16, .int24in32), (.int16, .int32): map(buffer) { (sample: Int16) in Int32(sample) << 16 }
        case (.int16, .float32): map(buffer) { (sample: Int16) in Float(sample) / 0x1p15 }
        case (.int24in32, .int32): map(buffer) { (sample: Int32) in sample }
        case (.int24in32, .float32), (.int32, .float32):
            map(buffer) { (sample: Int32) in Float(sample) / 0x1p31 }
        case (.int32, .int24in32): map(buffer, SampleMath.roundedTo24Bits)
        case (.float32, .int24in32): map(buffer, SampleMath.int24in32)
        case (.float32, .int32): map(buffer, SampleMath.int32)
        case (.int24in32, .int16), (.int32, .int16): narrow(buffer)
        case (.float32, .int16): narrowFloat(buffer)
        }
    }

    private mutating func narrow(_ buffer: PCMBuffer) -> PCMBuffer {
        guard var noise = dither else { return map(buffer, SampleMath.roundedTo16Bits) }
        defer { dither = noise }
        return map(buffer) { (sample: Int32) -> Int16 in
            // Exact in double: the noise has 24 bits below the target's last bit.
            SampleMath.int16(scaled: Double(sample) / 0x1p16 + Double(noise.next()))
        }
    }

    private mutating func narrowFloat(_ buffer: PCMBuffer) -> PCMBuffer {
        guard var noise = dither else {
            return map(buffer) { (sample: Float) in SampleMath.int16(scaled: Double(sample) * 0x1p15) }
        }
        defer { dither = noise }
        return map(buffer) { (sample: Float) in
            SampleMath.int16(scaled: Double(sample) * 0x1p15 + Double(noise.next()))
        }
    }

    private func map<Source: BitwiseCopyable, Target: BitwiseCopyable>(
        _ buffer: PCMBuffer, _ transform: (Source) -> Target
    ) -> PCMBuffer {
        PCMBuffer(format: buffer.format.with(target), capacity: buffer.frameCount) { room in
            buffer.withUnsafeBytes { raw in
                let source = raw.bindMemory(to: Source.self)
                let destination = room.bindMemory(to: Target.self)
                for index in 0..<min(source.count, destination.count) {
                    destination[index] = transform(source[index])
                }
            }
            return buffer.frameCount
        }
    }
}
