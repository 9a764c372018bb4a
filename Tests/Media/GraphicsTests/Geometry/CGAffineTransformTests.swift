import Testing
import TuttiGraphics
import TuttiTestSupport

@Suite("CGAffineTransform")
struct CGAffineTransformTests {
    static let quarterTurn = CGAffineTransform(rotationAngle: .pi / 2)

    static func isNear(_ left: CGPoint, _ right: CGPoint) -> Bool {
        abs(left.x - right.x) < 1e-9 && abs(left.y - right.y) < 1e-9
    }

    @Test("a rotation turns the x axis towards the y axis")
    func rotation() {
        #expect(Self.isNear(CGPoint(x: 1, y: 0).applying(Self.quarterTurn), CGPoint(x: 0, y: 1)))
        #expect(Self.isNear(CGPoint(x: 0, y: 1).applying(Self.quarterTurn), CGPoint(x: -1, y: 0)))
    }

    @Test("the transform of a portrait video places its picture at the origin")
    func portraitVideo() {
        // The matrix of a file that a phone recorded upright: 1920×1080 pixels, shown turned by 90°
        // clockwise.
        let transform = CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 1080, ty: 0)
        let picture = CGRect(x: 0, y: 0, width: 1920, height: 1080)
        #expect(picture.applying(transform) == CGRect(x: 0, y: 0, width: 1080, height: 1920))
        #expect(CGSize(width: 1920, height: 1080).applying(transform) == CGSize(width: -1080, height: 1920))
        #expect(CGPoint(x: 0, y: 0).applying(transform) == CGPoint(x: 1080, y: 0))
    }

    @Test("an added operation comes before the transform, a concatenated one after it")
    func order() {
        let shift = CGAffineTransform(translationX: 10, y: 20)
        #expect(CGPoint(x: 1, y: 1).applying(shift.scaledBy(x: 2, y: 3)) == CGPoint(x: 12, y: 23))
        let after = shift.concatenating(CGAffineTransform(scaleX: 2, y: 3))
        #expect(CGPoint(x: 1, y: 1).applying(after) == CGPoint(x: 22, y: 63))
        let scaling = CGAffineTransform(scaleX: 2, y: 3)
        #expect(CGPoint(x: 1, y: 1).applying(scaling.translatedBy(x: 10, y: 20)) == CGPoint(x: 22, y: 63))
        let turned = shift.rotated(by: .pi / 2)
        #expect(Self.isNear(CGPoint(x: 1, y: 0).applying(turned), CGPoint(x: 10, y: 21)))
    }

    @Test("the inverse undoes a transform, and a singular one is returned as it is", arguments: 0..<100)
    func inverse(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func number() -> CGFloat { .random(in: -9...9, using: &random) }
        let transform = CGAffineTransform(number(), number(), number(), number(), number(), number())
        let point = CGPoint(x: number(), y: number())
        let determinant = transform.a * transform.d - transform.b * transform.c
        if abs(determinant) > 1e-3 {
            let back = point.applying(transform).applying(transform.inverted())
            #expect(abs(back.x - point.x) < 1e-6 && abs(back.y - point.y) < 1e-6)
        }
        let singular = CGAffineTransform(a: 1, b: 2, c: 2, d: 4, tx: number(), ty: 0)
        #expect(singular.inverted() == singular)
    }

    @Test("a chain of points and one concatenated transform give the same place", arguments: 0..<50)
    func concatenation(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func transform() -> CGAffineTransform {
            let numbers = (0..<6).map { _ in CGFloat.random(in: -3...3, using: &random) }
            return CGAffineTransform(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5])
        }
        let (first, second) = (transform(), transform())
        let point = CGPoint(x: 2, y: -5)
        #expect(
            Self.isNear(
                point.applying(first).applying(second), point.applying(first.concatenating(second))))
    }

    @Test("only the identity is the identity")
    func identity() {
        #expect(CGAffineTransform.identity.isIdentity)
        #expect(!CGAffineTransform(translationX: 0, y: 1e-9).isIdentity && !CGAffineTransform().isIdentity)
        #expect(CGAffineTransform(rotationAngle: 0) == .identity)
        #expect(Set([CGAffineTransform.identity, CGAffineTransform(scaleX: 1, y: 1)]).count == 1)
    }

    @Test("a transform is coded as an array of six numbers")
    func coding() throws {
        let transform = CGAffineTransform(1, 2, 3, 4, 5.5, -6)
        let data = try JSONEncoder().encode(transform)
        #expect(String(bytes: data, encoding: .utf8) == "[1,2,3,4,5.5,-6]")
        #expect(try JSONDecoder().decode(CGAffineTransform.self, from: data) == transform)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(CGAffineTransform.self, from: Data("[1,2,3,4,5]".utf8))
        }
    }

    @Test("null and infinite rectangles stay as they are")
    func specialRectangles() {
        #expect(CGRect.null.applying(Self.quarterTurn).isNull)
        #expect(CGRect.infinite.applying(Self.quarterTurn) == .infinite)
        let negative = CGRect(x: 4, y: 0, width: -2, height: 3)
        #expect(negative.applying(.identity) == CGRect(x: 2, y: 0, width: 2, height: 3))
    }
}
