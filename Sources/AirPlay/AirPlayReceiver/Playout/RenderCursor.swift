/// The position that a device frame gets.
struct RenderCursor: Hashable, Sendable {
    var frame: Int64
    var position: Int64
    /// The fraction of a frame, 0 ..< 1.
    var fraction: Double

    /// Places a device frame `place` frames after a position.
    ///
    /// - Parameter isWhole: Whether to round to a whole frame, so that a start between two frames loses none.
    init(frame: Int64, place: Double, after position: Int64, isWhole: Bool) {
        let place = isWhole ? place.rounded(.toNearestOrEven) : place
        let whole = place.rounded(.down)
        self.frame = frame
        self.position = position + Int64(max(-0x1p40, min(0x1p40, whole)))
        fraction = place - whole
    }

    /// Returns the frames from the line's own position to the cursor.
    func place(on line: PlayLine) -> Double { Double(position - line.position) + fraction }

    /// Advances by device frames whose positions are `step` apart.
    mutating func advance(by frames: Int64, step: Double) {
        let place = fraction + Double(frames) * step
        let whole = place.rounded(.down)
        position += Int64(whole)
        fraction = place - whole
        frame += frames
    }
}
