import HomeKitPairing

/// First byte: cuts. Second byte: position of a change in the sealed bytes, in 256ths. Third: the
/// change. Then the bytes, which are opened as they are, and sealed and opened.
public func fuzzSecureChannel(_ bytes: [UInt8]) throws(BrokenInvariant) {
    var input = FuzzInput(bytes)
    let choice = input.byte()
    let place = Int(input.byte())
    let change = input.byte()
    try openForeign(Array(input.rest), choice: choice)
    try openSealed(Array(input.rest), choice: choice, place: place, change: change)
}

/// Checks that pieces and the whole have the same result.
private func openForeign(_ bytes: [UInt8], choice: UInt8) throws(BrokenInvariant) {
    let keys = try fixedKeys()
    var whole = SecureChannel(keys: keys)
    var cut = SecureChannel(keys: keys)
    let expected = Result { () throws(SecureChannelError) in try whole.open(bytes) }
    let received = openInPieces(bytes, with: &cut, choice: choice)
    switch (expected, received.failure) {
    case (.success(let plain), nil): try require(plain == received.plain, "pieces give the same bytes")
    case (.failure(let one), .some(let other)): try require(one == other, "pieces give the same error")
    default: throw BrokenInvariant(description: "pieces fail when the whole does")
    }
    try require(whole.blockCounts == cut.blockCounts, "pieces count the same blocks")
    guard let failure = received.failure else { return }
    let later = Result { () throws(SecureChannelError) in try cut.open([]) }
    try require(later == .failure(failure), "an error stays")
}

/// Checks that sealed bytes open, and that changed bytes yield at most the blocks before the change.
private func openSealed(
    _ plain: [UInt8], choice: UInt8, place: Int, change: UInt8
) throws(BrokenInvariant) {
    let keys = try fixedKeys()
    var sender = SecureChannel(keys: keys)
    // Two calls, so that a short block precedes the end, too.
    let half = plain.count / 2
    var sealed = sender.seal(Array(plain[..<half])) + sender.seal(Array(plain[half...]))
    let changed = place * sealed.count / 256
    if sealed.indices.contains(changed) { sealed[changed] ^= change }
    var receiver = SecureChannel(keys: keys.reversed)
    let received = openInPieces(sealed, with: &receiver, choice: choice)
    try require(plain.starts(with: received.plain), "only bytes that were sealed come out")
    if change == 0 {
        try require(received.plain == plain && received.failure == nil, "what was sealed opens")
    } else {
        try require(plain.isEmpty || received.plain.count < plain.count, "a change is noticed")
    }
}

private func openInPieces(
    _ bytes: [UInt8], with channel: inout SecureChannel, choice: UInt8
) -> (plain: [UInt8], failure: SecureChannelError?) {
    var plain: [UInt8] = []
    for piece in pieces(of: bytes[...], choice: choice) {
        do {
            plain += try channel.open(Array(piece))
        } catch {
            return (plain, error)
        }
    }
    return (plain, nil)
}
