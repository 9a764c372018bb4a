import Foundation
import Testing

@testable import TuttiHouseMQTT

@Suite("Values as JSON")
struct JSONTreeTests {
    @Test("every value is read back by another reader")
    func forms() throws {
        let strange = "\"\\/\u{0}\u{1F}\n\tü💡\u{2028}"
        let tree = JSONTree.object([
            "a": .null, "b": true, "c": -7, "d": .number(0.1), "e": .text(strange), "f": .list([]),
            "g": .list([1, .object([:]), "x"]), strange: .number(1e300), "h": .number(.nan),
            "i": .number(.infinity, decimals: 2), "j": .number(2.345, decimals: 2), "k": .number(-1e-9),
        ])
        let object = try JSONSerialization.jsonObject(with: Data(tree.encoded))
        let found = try #require(object as? [String: Any])
        #expect(found.count == 12 && found["a"] is NSNull && found["b"] as? Bool == true)
        #expect(found["c"] as? Int == -7 && found["d"] as? Double == 0.1 && found["e"] as? String == strange)
        #expect((found["g"] as? [Any])?.count == 3 && found[strange] as? Double == 1e300)
        #expect(found["h"] is NSNull && found["i"] is NSNull && found["j"] as? Double == 2.35)
        #expect(found["k"] as? Double == -1e-9)
    }

    @Test("members are in the order of their names")
    func order() {
        #expect(
            String(decoding: JSONTree.object(["b": 1, "a": .list([1, 2])]).encoded, as: UTF8.self)
                == "{\"a\":[1,2],\"b\":1}")
    }

    @Test("numbers have no needless zeros")
    func numbers() {
        #expect(
            Decimals.text(30, 1) == "30" && Decimals.text(30.25, 1) == "30.3"
                && Decimals.text(-0.04, 1) == "0")
        #expect(
            Decimals.text(nil, 1).isEmpty && Decimals.text(.nan, 1).isEmpty
                && Decimals.text(1e300, 1) == "1e+300")
    }
}
