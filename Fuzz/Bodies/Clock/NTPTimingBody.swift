import TuttiMediaTime
import TuttiRTP
import TuttiWire

/// Reads a timing packet, writes it and reads the result; then interprets the bytes as the answer to a
/// request with the answer's own number.
public func fuzzNTPTiming(_ bytes: [UInt8]) throws(BrokenInvariant) {
    let now = HostTime(nanoseconds: 1_000_000_000)
    let time = NetworkTime(nanoseconds: 3_900_000_000_000_000_000)
    var exchange = NTPTimingExchange(at: now)
    let stray = exchange.receive(bytes[...], at: now)
    try require(stray == nil, "an answer without a question does not count")
    guard let packet = try? NTPTimingPacket(exactly: bytes) else { return }
    let again = try? NTPTimingPacket(exactly: packet.encoded)
    try require(again == packet, "a packet that was encoded is the same")
    try require(packet.encoded.count == NTPTimingPacket.byteCount, "a packet has its length")
    for timestamp in [packet.reference, packet.received, packet.transmitted] {
        let near = timestamp.networkTime(near: time)
        let distance = near.since(timestamp.networkTime).wholeNanoseconds
        try require(distance % 4_294_967_296_000_000_000 == 0, "only the turn changes")
        try require(
            near.since(time).wholeNanoseconds.magnitude <= 1 << 61, "the nearest turn is taken")
    }
    let answer = NTPTimingExchange.answer(to: bytes[...], received: time, transmitted: time)
    try require((answer == nil) == (packet.kind == .answer), "questions are answered, answers are not")
    _ = exchange.question(token: packet.reference.rawValue, at: now)
    let measured = exchange.receive(bytes[...], at: now)
    try require((measured == nil) == (packet.kind == .question), "the answer to a question counts")
    let twice = exchange.receive(bytes[...], at: now)
    try require(twice == nil, "an answer counts once")
}
