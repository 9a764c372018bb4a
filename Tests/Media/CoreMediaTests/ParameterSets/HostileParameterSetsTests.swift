import Testing
import TuttiTestSupport

@testable import CoreMedia

/// Bytes from outside never trap: they give a format with a possible size, or the error for invalid
/// parameters.
@Suite("Parameter sets from outside")
struct HostileParameterSetsTests {
    /// Creates a format from sets of either encoding and checks what came of it.
    private func attempt(_ sets: [[UInt8]], isHEVC: Bool) {
        do {
            let data = sets.map { Data($0) }
            let format =
                try isHEVC
                ? CMFormatDescription(hevcParameterSets: data) : CMFormatDescription(h264ParameterSets: data)
            #expect((1...65_535).contains(format.dimensions.width))
            #expect((1...65_535).contains(format.dimensions.height))
            #expect(format.parameterSets.count == sets.count && format.nalUnitHeaderLength == 4)
        } catch {
            #expect((error as NSError).code == Int(kCMFormatDescriptionError_InvalidParameter))
        }
    }

    private static let all =
        ParameterSetVector.h264.map { ($0, false) } + ParameterSetVector.hevc.map { ($0, true) }

    @Test("sets with changed bits give a format or an error", arguments: 0..<40)
    func mutations(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for (vector, isHEVC) in Self.all {
            for _ in 0..<20 {
                var sets = vector.sets
                let index = sets.firstIndex(of: vector.sequence) ?? 0
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let place = Int.random(in: 1..<sets[index].count, using: &random)
                    switch Int.random(in: 0...3, using: &random) {
                    case 0: sets[index][place] ^= 1 << UInt8.random(in: 0...7, using: &random)
                    case 1: sets[index][place] = .random(in: 0...255, using: &random)
                    case 2: sets[index].insert([0, 0xFF].randomElement(using: &random) ?? 0, at: place)
                    default: if sets[index].count > 2 { sets[index].remove(at: place) }
                    }
                    if sets[index].count < 2 { sets[index].append(0) }
                }
                attempt(sets, isHEVC: isHEVC)
            }
        }
    }

    @Test("random bytes behind a valid header give a format or an error", arguments: 0..<40)
    func noise(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for (vector, isHEVC) in [Self.all[0], Self.all[Self.all.count - 1]] {
            for _ in 0..<50 {
                let count = Int.random(in: 0...200, using: &random)
                let mask = [0xFF, 0x11, 0x00, 0x81].randomElement(using: &random) ?? 0xFF as UInt8
                let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) & mask }
                let sets = vector.sets.map { set in
                    set == vector.sequence ? Array(set.prefix(isHEVC ? 15 : 4)) + noise : set
                }
                attempt(sets, isHEVC: isHEVC)
            }
        }
    }

    @Test("every beginning of a set gives a format or an error")
    func truncations() {
        var refused = 0
        for (vector, isHEVC) in Self.all {
            for count in 0..<vector.sequence.count {
                let sets = vector.sets.map { $0 == vector.sequence ? Array($0.prefix(count)) : $0 }
                attempt(sets, isHEVC: isHEVC)
                if count < 10 {
                    #expect(throws: NSError.self) {
                        let data = sets.map { Data($0) }
                        _ =
                            try isHEVC
                            ? CMFormatDescription(hevcParameterSets: data)
                            : CMFormatDescription(h264ParameterSets: data)
                    }
                    refused += 1
                }
            }
        }
        #expect(refused == Self.all.count * 10)
    }

    @Test("records with changed bytes have readable parameter sets or none", arguments: 0..<20)
    func records(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for (vector, isHEVC) in Self.all {
            let codec: DecoderConfiguration.Codec = isHEVC ? .hevc : .h264
            let format =
                try isHEVC
                ? CMFormatDescription(hevcParameterSets: vector.data)
                : CMFormatDescription(h264ParameterSets: vector.data)
            var record = Array(try #require(format.decoderConfiguration))
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                record[.random(in: 0..<record.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            record.removeLast(.random(in: 0...record.count, using: &random))
            var extensions = CMFormatDescription.Extensions()
            extensions.setAtom(codec.atom, to: Data(record))
            let other = try CMFormatDescription(
                videoCodecType: isHEVC ? .hevc : .h264, width: 1, height: 1, extensions: extensions)
            #expect(other.parameterSets.reduce(0) { $0 + $1.count } <= record.count)
            #expect(other.nalUnitHeaderLength.map { [1, 2, 4].contains($0) } ?? other.parameterSets.isEmpty)
        }
    }
}
