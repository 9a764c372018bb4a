import Testing

@testable import VideoWindow

@Suite("Drawing of subtitles' layers")
struct SubtitleImageTests {
    private let canvas = PixelSize(width: 10, height: 10)

    @Test("an opaque layer has its color, and the rest is transparent")
    func opaque() {
        var blender = LayerBlender(place: PixelRect(x: 2, y: 2, width: 2, height: 1), canvas: canvas)
        let mask: [UInt8] = [255, 0]
        blender.draw(
            mask: mask, stride: 2, at: PixelRect(x: 2, y: 2, width: 2, height: 1), color: 0x1020_3000)
        #expect(blender.finish().pixels == [0x30, 0x20, 0x10, 255, 0, 0, 0, 0])
    }

    @Test("a translucent layer keeps its color and has its opacity")
    func translucent() {
        var blender = LayerBlender(place: PixelRect(x: 0, y: 0, width: 1, height: 1), canvas: canvas)
        blender.draw(
            mask: [128], stride: 1, at: PixelRect(x: 0, y: 0, width: 1, height: 1), color: 0xFFFF_FF00)
        #expect(blender.finish().pixels == [255, 255, 255, 128])
    }

    @Test("a later layer covers an earlier one by its opacity")
    func layers() {
        let place = PixelRect(x: 0, y: 0, width: 1, height: 1)
        var blender = LayerBlender(place: place, canvas: canvas)
        blender.draw(mask: [255], stride: 1, at: place, color: 0x0000_0000)
        // White at half transparency.
        blender.draw(mask: [255], stride: 1, at: place, color: 0xFFFF_FF80)
        #expect(blender.finish().pixels == [127, 127, 127, 255])
    }

    @Test("layers are clipped to the place")
    func clipped() {
        var blender = LayerBlender(place: PixelRect(x: 1, y: 1, width: 1, height: 1), canvas: canvas)
        let mask: [UInt8] = [1, 2, 3, 4, 255, 6, 7, 8, 9]
        blender.draw(
            mask: mask, stride: 3, at: PixelRect(x: 0, y: 0, width: 3, height: 3), color: 0xFF00_0000)
        blender.draw(mask: mask, stride: 3, at: PixelRect(x: 5, y: 5, width: 3, height: 3), color: 0)
        #expect(blender.finish().pixels == [0, 0, 255, 255])
    }

    @Test("an image follows the size of its window until it is drawn anew")
    func scales() {
        let image = SubtitleImage(
            place: PixelRect(x: 2, y: 6, width: 5, height: 1), canvas: canvas, pixels: [])
        #expect(image.place(in: canvas) == image.place)
        #expect(
            image.place(in: PixelSize(width: 20, height: 5)) == PixelRect(x: 4, y: 3, width: 10, height: 1))
    }
}
