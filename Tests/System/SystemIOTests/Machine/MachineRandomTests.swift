import Testing
import TuttiSystemIO

@Suite("Random numbers of a machine")
struct MachineRandomTests {
    @Test(
        "the text of a UUID has the version, the variant and the form of a random one, and is new each time")
    func uuid() {
        var random = MachineRandom(SystemMachine())
        let texts = (0..<100).map { _ in random.uuid() }
        #expect(Set(texts).count == texts.count)
        for text in texts {
            let parts = text.split(separator: "-")
            #expect(parts.map(\.count) == [8, 4, 4, 4, 12])
            #expect(text.allSatisfy { "0123456789ABCDEF-".contains($0) }, "\(text)")
            #expect(parts[2].first == "4" && ["8", "9", "A", "B"].contains(parts[3].first), "\(text)")
        }
    }
}
