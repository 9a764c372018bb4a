import TuttiCryptography
import TuttiRTP

/// Reads the data packets of one realtime stream: sealed ones of AirPlay 2, or plain ones of AirPlay 1. Not
/// thread-safe.
enum RealtimeReader: ~Copyable, Sendable {
    case sealed(RealtimePacketOpener)
    case plain

    /// - Parameter key: The key of the packets; `nil` if they are plain.
    init(key: SymmetricKey?) throws(CryptographyError) {
        self = if let key { .sealed(try RealtimePacketOpener(key: key)) } else { .plain }
    }

    /// - Throws: ``RTPError``; the next packet may be readable.
    mutating func read(_ datagram: ArraySlice<UInt8>) throws(RTPError) -> RealtimePacket {
        switch consume self {
        case .sealed(var opener):
            let result: Result<RealtimePacket, RTPError>
            do throws(RTPError) { result = .success(try opener.open(datagram)) } catch {
                result = .failure(error)
            }
            self = .sealed(opener)
            return try result.get()
        case .plain:
            self = .plain
            return try RealtimePacket(plain: datagram)
        }
    }
}
