/// A conversion of 4:2:0 pictures to BGRA, within 1 of 255 of the exact value.
///
/// All arithmetic has 16 bits, with 5 bits of fraction in the sums, so that the compiler handles many pixels
/// at a time: the largest sum is 17,000. A chroma sample applies to its four pixels.
struct ColorConverter {
    /// Luma has 7 bits of fraction before the multiplication, chroma 8: the most that 16 bits hold.
    private static let lumaBits: Int16 = 7
    private static let chromaBits: Int16 = 8
    private static let fractionBits: Int16 = 5

    private let lumaOffset: Int16
    private let lumaScale: Int16
    private let redCr: Int16
    private let greenCb: Int16
    private let greenCr: Int16
    private let blueCb: Int16

    init(_ coefficients: ColorCoefficients) {
        // The multiplication drops 16 bits: bits of the value + bits of the factor − 16 = bits of the fraction.
        func factor(_ value: Double, bits: Int16) -> Int16 {
            let scale = Double(1 << Int(16 + Self.fractionBits - bits))
            return Int16((value * scale).rounded())
        }
        lumaOffset = Int16(coefficients.lumaOffset)
        lumaScale = factor(coefficients.lumaScale, bits: Self.lumaBits)
        redCr = factor(coefficients.redCr, bits: Self.chromaBits)
        greenCb = factor(coefficients.greenCb, bits: Self.chromaBits)
        greenCr = factor(coefficients.greenCr, bits: Self.chromaBits)
        blueCb = factor(coefficients.blueCb, bits: Self.chromaBits)
    }

    /// Writes the picture's pixels as BGRA.
    ///
    /// - Parameters:
    ///   - picture: A picture in a 4:2:0 layout; another layout writes nothing.
    ///   - pixels: The top row of as many pixels as the picture has, aligned to 4 bytes.
    ///   - bytesPerRow: The distance between rows, a multiple of 4.
    func convert(_ picture: VideoPicture, to pixels: UnsafeMutableRawPointer, bytesPerRow: Int) {
        let planes = picture.planes
        for row in 0..<picture.height {
            func start(_ plane: Int, _ row: Int) -> UnsafePointer<UInt8> {
                (planes[plane].base + row * planes[plane].bytesPerRow).assumingMemoryBound(to: UInt8.self)
            }
            let output = (pixels + row * bytesPerRow).assumingMemoryBound(to: UInt32.self)
            switch picture.layout {
            case .planar420:
                convertRow(
                    luma: start(0, row), cb: start(1, row / 2), cr: start(2, row / 2), chromaStep: 1,
                    to: output, count: picture.width)
            case .biplanar420:
                let chroma = start(1, row / 2)
                convertRow(
                    luma: start(0, row), cb: chroma, cr: chroma + 1, chromaStep: 2, to: output,
                    count: picture.width)
            case .bgra: return
            }
        }
    }

    /// Inlined with a constant step, because the compiler handles many pixels at a time only then.
    @inline(__always)
    private func convertRow(
        luma: UnsafePointer<UInt8>, cb: UnsafePointer<UInt8>, cr: UnsafePointer<UInt8>, chromaStep: Int,
        to output: UnsafeMutablePointer<UInt32>, count: Int
    ) {
        for pair in 0..<(count / 2) {
            let chroma = terms(cb: cb[pair &* chromaStep], cr: cr[pair &* chromaStep])
            output[2 &* pair] = pixel(luma[2 &* pair], chroma)
            output[2 &* pair &+ 1] = pixel(luma[2 &* pair &+ 1], chroma)
        }
        if count % 2 == 1 {
            let chroma = terms(cb: cb[count / 2 * chromaStep], cr: cr[count / 2 * chromaStep])
            output[count - 1] = pixel(luma[count - 1], chroma)
        }
    }

    private typealias Terms = (red: Int16, green: Int16, blue: Int16)

    @inline(__always)
    private func terms(cb: UInt8, cr: UInt8) -> Terms {
        let cb = (Int16(cb) &- 128) &<< Self.chromaBits
        let cr = (Int16(cr) &- 128) &<< Self.chromaBits
        return (
            Self.high(cr, redCr), Self.high(cb, greenCb) &+ Self.high(cr, greenCr), Self.high(cb, blueCb)
        )
    }

    @inline(__always)
    private func pixel(_ luma: UInt8, _ chroma: Terms) -> UInt32 {
        // Half a unit rounds; the multiplications have rounded down by 1/32 on average.
        let rounding: Int16 = (1 &<< (Self.fractionBits &- 1)) &+ 1
        let luma = Self.high((Int16(luma) &- lumaOffset) &<< Self.lumaBits, lumaScale) &+ rounding
        let red = Self.byte(luma &+ chroma.red)
        let green = Self.byte(luma &+ chroma.green)
        let blue = Self.byte(luma &+ chroma.blue)
        return 0xFF00_0000 | red &<< 16 | green &<< 8 | blue
    }

    /// The upper 16 bits of the product.
    @inline(__always)
    private static func high(_ a: Int16, _ b: Int16) -> Int16 {
        Int16(truncatingIfNeeded: (Int32(a) &* Int32(b)) &>> 16)
    }

    @inline(__always)
    private static func byte(_ sum: Int16) -> UInt32 {
        UInt32(UInt8(truncatingIfNeeded: max(0, min(255, sum &>> fractionBits))))
    }
}
