import Testing

@testable import VideoWindow

@Suite("A window's wishes for an awake display")
struct AwakeWishesTests {
    /// Returns whether the display stays awake after each change.
    private func results(program: Bool, _ changes: [(inout WindowInbox) -> Void]) -> [Bool] {
        var wishes = AwakeWishes(program: program)
        return changes.map { change in
            var inbox = WindowInbox()
            change(&inbox)
            wishes.apply(inbox)
            return wishes.keepsAwake
        }
    }

    @Test("a layer lets the display sleep while it shows nothing, and the program always can")
    func both() {
        let found = results(
            program: true,
            [
                { _ in }, { $0.layerKeepsAwake = false }, { $0.layerKeepsAwake = true },
                { $0.setPreventsDisplaySleep(false) }, { $0.layerKeepsAwake = true },
            ])
        #expect(found == [true, false, true, false, false])
    }

    @Test("a program that wants the display awake has it so until the layer's next change")
    func later() {
        let found = results(
            program: false,
            [
                { $0.layerKeepsAwake = true }, { $0.layerKeepsAwake = false },
                { $0.setPreventsDisplaySleep(true) }, { $0.layerKeepsAwake = false },
            ])
        #expect(found == [false, false, true, false])
    }
}
