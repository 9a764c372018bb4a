import TuttiTestSupport

@testable import CoreMedia

/// Sequence parameter sets with tools that encoders seldom use, and what a reader must find in them.
struct CraftedSequence {
    let nalUnit: [UInt8]
    let width: Int
    let height: Int
    /// The pixel shape at the end, which only a reader finds that has read all fields before.
    let ratio: VideoUsability.PixelAspectRatio

    private static func someRatio(_ random: inout SeededGenerator) -> VideoUsability.PixelAspectRatio {
        .init(
            horizontal: .random(in: 1...65_535, using: &random),
            vertical: .random(in: 1...65_535, using: &random))
    }

    /// Writes the start of a VUI: a ratio and the places of the chroma samples.
    private static func usability(
        _ ratio: VideoUsability.PixelAspectRatio, _ output: inout BitWriter
    ) {
        output.flag(true)
        output.flag(true)
        output.bits(255, 8)
        output.bits(ratio.horizontal, 16)
        output.bits(ratio.vertical, 16)
        output.flag(true)
        output.flag(false)
        output.flag(false)
        output.flag(true)
        output.exponential(5)
        output.exponential(0)
    }

    static func h264(_ random: inout SeededGenerator) -> CraftedSequence {
        var output = BitWriter()
        output.bits(0x67, 8)
        let chroma = Int.random(in: 0...3, using: &random)
        let hasSeparateColors = chroma == 3 && Bool.random(using: &random)
        output.bits([100, 110, 122, 244, 44].randomElement(using: &random) ?? 100, 8)
        output.bits(0, 8)
        output.bits(40, 8)
        output.exponential(.random(in: 0...31, using: &random))
        output.exponential(chroma)
        if chroma == 3 { output.flag(hasSeparateColors) }
        output.exponential(2)
        output.exponential(.random(in: 0...6, using: &random))
        output.flag(false)
        output.flag(true)
        for list in 0..<(chroma == 3 ? 12 : 8) {
            let isPresent = Bool.random(using: &random)
            output.flag(isPresent)
            if isPresent { scalingList(list < 6 ? 16 : 64, &output, &random) }
        }
        output.exponential(4)
        pictureOrder(&output, &random)
        output.exponential(4)
        output.flag(false)
        let columns = Int.random(in: 1...200, using: &random)
        let rows = Int.random(in: 1...200, using: &random)
        output.exponential(columns - 1)
        output.exponential(rows - 1)
        let hasOnlyFrames = Bool.random(using: &random)
        output.flag(hasOnlyFrames)
        if !hasOnlyFrames { output.flag(true) }
        output.flag(true)
        let crop = (0..<4).map { _ in Int.random(in: 0...1, using: &random) }
        output.flag(true)
        crop.forEach { output.exponential($0) }
        let ratio = someRatio(&random)
        usability(ratio, &output)
        // Without times, buffer sizes, picture structure and restrictions.
        output.bits(0, 5)
        // Table 6-1 of ITU-T H.264: how many luma samples belong to a chroma sample.
        let unit = [0: (1, 1), 1: (2, 2), 2: (2, 1), 3: (1, 1)][hasSeparateColors ? 0 : chroma] ?? (1, 1)
        let fields = hasOnlyFrames ? 1 : 2
        return CraftedSequence(
            nalUnit: output.nalUnit, width: columns * 16 - unit.0 * (crop[0] + crop[1]),
            height: rows * 16 * fields - unit.1 * fields * (crop[2] + crop[3]), ratio: ratio)
    }

    /// Writes a list whose values may reach zero, after which no difference follows.
    private static func scalingList(
        _ count: Int, _ output: inout BitWriter, _ random: inout SeededGenerator
    ) {
        var last = 8
        for _ in 0..<count {
            let next = Int.random(in: 0...31, using: &random)
            output.signedExponential(next - last)
            if next == 0 { return }
            last = next
        }
    }

    private static func pictureOrder(_ output: inout BitWriter, _ random: inout SeededGenerator) {
        let type = Int.random(in: 0...2, using: &random)
        output.exponential(type)
        if type == 0 { output.exponential(4) }
        guard type == 1 else { return }
        output.flag(true)
        output.signedExponential(-3)
        output.signedExponential(2)
        let count = Int.random(in: 0...255, using: &random)
        output.exponential(count)
        for _ in 0..<count { output.signedExponential(.random(in: -100...100, using: &random)) }
    }

    static func hevc(_ random: inout SeededGenerator) -> CraftedSequence {
        var output = BitWriter()
        output.bits(0x4201, 16)
        output.bits(0, 4)
        let highestLayer = Int.random(in: 0...6, using: &random)
        output.bits(highestLayer, 3)
        output.flag(true)
        for byte in [1, 0x60, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, 93] { output.bits(byte, 8) }
        let layers = (0..<highestLayer).map { _ in
            (profile: Bool.random(using: &random), level: Bool.random(using: &random))
        }
        for layer in layers {
            output.flag(layer.profile)
            output.flag(layer.level)
        }
        if highestLayer > 0 { for _ in highestLayer..<8 { output.bits(0, 2) } }
        for layer in layers {
            if layer.profile { for byte in [1, 0x60, 0, 0, 0, 0x90, 0, 0, 0, 0, 0] { output.bits(byte, 8) } }
            if layer.level { output.bits(93, 8) }
        }
        output.exponential(0)
        let chroma = Int.random(in: 0...3, using: &random)
        output.exponential(chroma)
        if chroma == 3 { output.flag(false) }
        let size = (
            Int.random(in: 8...1024, using: &random) * 8, Int.random(in: 8...1024, using: &random) * 8
        )
        output.exponential(size.0)
        output.exponential(size.1)
        let crop = (0..<4).map { _ in Int.random(in: 0...3, using: &random) }
        output.flag(true)
        crop.forEach { output.exponential($0) }
        output.exponential(2)
        output.exponential(2)
        output.exponential(4)
        let statesEachLayer = Bool.random(using: &random)
        output.flag(statesEachLayer)
        for _ in 0...(statesEachLayer ? highestLayer : 0) {
            for value in [4, 2, 0] { output.exponential(value) }
        }
        for value in [0, 3, 0, 3, 1, 1] { output.exponential(value) }
        tools(&output, &random)
        let ratio = someRatio(&random)
        usability(ratio, &output)
        // Without fields, a display window, times, restrictions and extensions.
        output.bits(0, 7)
        let unit = [1: (2, 2), 2: (2, 1)][chroma] ?? (1, 1)
        return CraftedSequence(
            nalUnit: output.nalUnit, width: size.0 - unit.0 * (crop[0] + crop[1]),
            height: size.1 - unit.1 * (crop[2] + crop[3]), ratio: ratio)
    }

    private static func tools(_ output: inout BitWriter, _ random: inout SeededGenerator) {
        let hasLists = Bool.random(using: &random)
        output.flag(hasLists)
        if hasLists {
            output.flag(true)
            for (size, count) in [(0, 6), (1, 6), (2, 6), (3, 2)] {
                for matrix in 0..<count {
                    let isStated = Bool.random(using: &random)
                    output.flag(isStated)
                    guard isStated else {
                        output.exponential(.random(in: 0...matrix, using: &random))
                        continue
                    }
                    for _ in 0..<([16, 64, 65, 65][size]) {
                        output.signedExponential(.random(in: -4...4, using: &random))
                    }
                }
            }
        }
        output.bits(3, 2)
        let hasPCM = Bool.random(using: &random)
        output.flag(hasPCM)
        if hasPCM {
            output.bits(0x77, 8)
            output.exponential(0)
            output.exponential(1)
            output.flag(false)
        }
        referenceSets(&output, &random)
        let hasLongTerm = Bool.random(using: &random)
        output.flag(hasLongTerm)
        if hasLongTerm {
            output.exponential(3)
            // Eight bits of an order and a flag each: the order has log2_max_pic_order_cnt_lsb_minus4 + 4
            // bits.
            for _ in 0..<3 { output.bits(.random(in: 0...511, using: &random), 9) }
        }
        output.bits(3, 2)
    }

    /// Writes sets, most of them predicted, and follows equations 7-61 and 7-62 of ITU-T H.265.
    private static func referenceSets(_ output: inout BitWriter, _ random: inout SeededGenerator) {
        let count = Int.random(in: 0...8, using: &random)
        output.exponential(count)
        var (earlier, later): ([Int], [Int]) = ([], [])
        for index in 0..<count {
            if index > 0 {
                let isPredicted = Int.random(in: 0...3, using: &random) > 0
                output.flag(isPredicted)
                if isPredicted {
                    (earlier, later) = predicted(from: earlier, later, &output, &random)
                    continue
                }
            }
            let counts = (Int.random(in: 0...3, using: &random), Int.random(in: 0...3, using: &random))
            output.exponential(counts.0)
            output.exponential(counts.1)
            (earlier, later) = ([], [])
            for _ in 0..<counts.0 {
                let step = Int.random(in: 1...4, using: &random)
                output.exponential(step - 1)
                output.flag(.random(using: &random))
                earlier.append((earlier.last ?? 0) - step)
            }
            for _ in 0..<counts.1 {
                let step = Int.random(in: 1...4, using: &random)
                output.exponential(step - 1)
                output.flag(.random(using: &random))
                later.append((later.last ?? 0) + step)
            }
        }
    }

    private static func predicted(
        from earlier: [Int], _ later: [Int], _ output: inout BitWriter, _ random: inout SeededGenerator
    ) -> ([Int], [Int]) {
        let shift = (Int.random(in: 1...3, using: &random)) * (Bool.random(using: &random) ? 1 : -1)
        output.flag(shift < 0)
        output.exponential(abs(shift) - 1)
        let total = earlier.count + later.count
        let kept = (0...total).map { _ in
            let (isUsed, isKept) = (Bool.random(using: &random), Bool.random(using: &random))
            output.flag(isUsed)
            if !isUsed { output.flag(isKept) }
            return isUsed || isKept
        }
        var (before, after): ([Int], [Int]) = ([], [])
        for (index, distance) in later.enumerated().reversed()
        where distance + shift < 0 && kept[earlier.count + index] { before.append(distance + shift) }
        if shift < 0, kept[total] { before.append(shift) }
        for (index, distance) in earlier.enumerated() where distance + shift < 0 && kept[index] {
            before.append(distance + shift)
        }
        for (index, distance) in earlier.enumerated().reversed() where distance + shift > 0 && kept[index] {
            after.append(distance + shift)
        }
        if shift > 0, kept[total] { after.append(shift) }
        for (index, distance) in later.enumerated()
        where distance + shift > 0 && kept[earlier.count + index] { after.append(distance + shift) }
        return (before, after)
    }
}
