/// Splits bytes into pieces, as a socket does. The same choice always splits at the same offsets.
///
/// - Parameter choice: 0 splits after every byte, 255 nowhere; others give pieces of 1 ... `choice`
///   bytes.
func pieces(of bytes: ArraySlice<UInt8>, choice: UInt8) -> [ArraySlice<UInt8>] {
    guard choice < .max, !bytes.isEmpty else { return [bytes] }
    var found: [ArraySlice<UInt8>] = []
    var rest = bytes
    var state = UInt32(choice)
    while !rest.isEmpty {
        state = state &* 1_664_525 &+ 1_013_904_223
        let piece = rest.prefix(1 + Int(state >> 8) % (Int(choice) + 1))
        found.append(choice == 0 ? rest.prefix(1) : piece)
        rest = rest.dropFirst(found[found.count - 1].count)
    }
    return found
}
