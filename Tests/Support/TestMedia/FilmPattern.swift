/// The pattern of a numbered picture: big black and white cells, which tell the number after any codec.
package struct FilmPattern: Sendable {
    /// Numbers of pictures that the cells can tell.
    package static let limit = 1 << bitCount
    private static let bitCount = 9
    private static let columns = 4
    private static let rows = 3

    let width: Int
    let height: Int

    /// Creates the pattern for pictures of a size.
    package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// Cells in order of rows: the number's bits from the lowest on, their parity, a white cell and a black one.
    private static func cells(_ number: Int) -> [Bool] {
        let bits = (0..<bitCount).map { number >> $0 & 1 == 1 }
        return bits + [bits.count { $0 }.isMultiple(of: 2), true, false]
    }

    /// Returns whether a pixel is white.
    func isWhite(_ number: Int, x: Int, y: Int) -> Bool {
        let (column, row) = (x * Self.columns / width, y * Self.rows / height)
        return Self.cells(number)[row * Self.columns + column]
    }

    /// Reads the number from a picture, which may have another size.
    ///
    /// - Parameter brightness: Returns 0…1 for the pixel at a place, given as parts of width and height.
    /// - Returns: `nil` if a cell is neither black nor white, or the cells contradict each other.
    package static func number(brightness: (_ x: Double, _ y: Double) -> Double) -> Int? {
        var cells: [Bool] = []
        for index in 0..<columns * rows {
            let (column, row) = (index % columns, index / columns)
            // The mean of some places in the cell's middle.
            var sum = 0.0
            for (dx, dy) in [(0.5, 0.5), (0.4, 0.4), (0.6, 0.4), (0.4, 0.6), (0.6, 0.6)] {
                sum += brightness(
                    (Double(column) + dx) / Double(columns), (Double(row) + dy) / Double(rows))
            }
            switch sum / 5 {
            case ..<0.3: cells.append(false)
            case 0.7...: cells.append(true)
            default: return nil
            }
        }
        let number = cells.prefix(bitCount).enumerated().reduce(0) { $0 | ($1.element ? 1 << $1.offset : 0) }
        return cells == self.cells(number) ? number : nil
    }
}
