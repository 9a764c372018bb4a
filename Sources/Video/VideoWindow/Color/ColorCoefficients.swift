/// The factors from Y'CbCr to R'G'B', all with 8 bits per component.
///
///     luma = lumaScale · (Y − lumaOffset), Cb and Cr reduced by 128
///     R = luma + redCr · Cr,  G = luma + greenCb · Cb + greenCr · Cr,  B = luma + blueCb · Cb
///
/// Source: ITU-R BT.601-7, BT.709-6 and BT.2020-2, the derivation from Kr and Kb.
struct ColorCoefficients: Hashable {
    let lumaOffset: Int
    let lumaScale: Double
    let redCr: Double
    let greenCb: Double
    let greenCr: Double
    let blueCb: Double

    init(_ matrix: VideoPicture.Matrix, isFullRange: Bool) {
        let (kr, kb) =
            switch matrix {
            case .bt601: (0.299, 0.114)
            case .bt709: (0.2126, 0.0722)
            case .bt2020: (0.2627, 0.0593)
            }
        let kg = 1 - kr - kb
        let chromaScale = isFullRange ? 1 : 255.0 / 224
        lumaOffset = isFullRange ? 0 : 16
        lumaScale = isFullRange ? 1 : 255.0 / 219
        redCr = 2 * (1 - kr) * chromaScale
        blueCb = 2 * (1 - kb) * chromaScale
        greenCb = -2 * kb * (1 - kb) / kg * chromaScale
        greenCr = -2 * kr * (1 - kr) / kg * chromaScale
    }
}
