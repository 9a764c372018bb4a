import Testing

@testable import VideoWindow

@Suite("Forms of pictures for a renderer")
struct TexturePlanTests {
    private func plan(
        _ test: TestPicture, hardware: Bool = true
    ) throws -> (plan: TexturePlan, picture: VideoPicture) {
        let picture = try test.make { _, _ in YCbCr(100, 128, 128) }
        let plan = TexturePlan(for: picture, turnsInHardware: hardware, takesPlanes: { _ in hardware })
        return (plan, picture)
    }

    @Test("planes reach hardware that knows their matrix")
    func planes() throws {
        #expect(try plan(TestPicture(matrix: .bt709)).plan.form == .planes(.planar420, .bt709))
        #expect(
            try plan(TestPicture(layout: .biplanar420, matrix: .bt601)).plan.form
                == .planes(.biplanar420, .bt601))
        #expect(
            try plan(TestPicture(matrix: .bt601, isFullRange: true)).plan.form
                == .planes(.planar420, .fullRange601))
    }

    @Test("other matrices, pixels and the processor's renderer use pixels")
    func pixels() throws {
        #expect(try plan(TestPicture(matrix: .bt709, isFullRange: true)).plan.form == .pixels)
        #expect(try plan(TestPicture(matrix: .bt2020)).plan.form == .pixels)
        #expect(try plan(TestPicture(matrix: .bt709), hardware: false).plan.form == .pixels)
        let picture = try TestPicture().makePixels { _, _ in [1, 2, 3] }
        let plan = TexturePlan(for: picture, turnsInHardware: true, takesPlanes: { _ in true })
        #expect(plan.form == .pixels)
    }

    @Test("pixels are turned in memory only for the processor's renderer")
    func turns() throws {
        let test = TestPicture(crop: PixelRect(x: 1, y: 2, width: 10, height: 5), orientation: .right)
        let hardware = try plan(test)
        #expect(!hardware.plan.turnsPixels)
        #expect(hardware.plan.crop(of: hardware.picture) == test.crop)
        let software = try plan(test, hardware: false)
        #expect(software.plan.turnsPixels)
        #expect(software.plan.size == PixelSize(width: 32, height: 64))
        // The bottom row, 32 − 2 − 5 = 25 rows below the crop, becomes the left column.
        #expect(
            software.plan.crop(of: software.picture) == PixelRect(x: 25, y: 1, width: 5, height: 10))
    }
}
