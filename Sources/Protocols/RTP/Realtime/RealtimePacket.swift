import TuttiCryptography
import TuttiMediaTime
import TuttiWire

/// A packet of a realtime stream, in the clear.
///
/// Layout, big-endian: `80`; payload type 96, with the marker in the first packet; 16-bit sequence number;
/// RTP time; SSRC, any value; then, in AirPlay 2, ciphertext, 16 bytes of tag and 8 bytes of nonce, or, in
/// AirPlay 1, the encoded audio. *Observed* from senders of both.
package struct RealtimePacket: Hashable, Sendable {
    /// The sequence number.
    package var sequenceNumber: UInt16
    /// RTP time of the first frame in the packet.
    package var rtpTime: RTPTime
    /// Whether the packet is the first after a start or a flush.
    package var isFirst: Bool
    /// The encoded audio.
    package var payload: [UInt8]

    /// Creates a packet from its parts.
    package init(sequenceNumber: UInt16, rtpTime: RTPTime, isFirst: Bool = false, payload: [UInt8]) {
        self.sequenceNumber = sequenceNumber
        self.rtpTime = rtpTime
        self.isFirst = isFirst
        self.payload = payload
    }

    /// Bytes of the header, which is all that a packet of AirPlay 1 adds to its payload.
    package static let headerByteCount = 12
    static let version: UInt8 = 0x80
    static let payloadType: UInt8 = 96
    /// The part of the header that the tag protects: RTP time and SSRC.
    static let authenticatedRange = 4..<12
    /// Bytes of a packet besides its payload: header, tag and nonce.
    package static let overhead =
        headerByteCount + ChaChaPolyCipher.tagByteCount + ChaChaPolyNonce.trailingByteCount

    /// Reads a datagram of AirPlay 1, which is not encrypted.
    ///
    /// - Throws: ``RTPError`` if the header is malformed or nothing follows it.
    package init(plain datagram: ArraySlice<UInt8>) throws(RTPError) {
        guard datagram.count > Self.headerByteCount else {
            throw .packetTooShort(byteCount: datagram.count)
        }
        try self.init(header: datagram, payload: Array(datagram.dropFirst(Self.headerByteCount)))
    }

    /// The datagram of AirPlay 1; `source` is the SSRC.
    package func plain(source: UInt32 = 0) -> [UInt8] {
        var writer = ByteWriter(reserving: Self.headerByteCount + payload.count)
        writeHeader(source: source, to: &writer)
        writer.append(payload)
        return writer.bytes
    }

    /// Reads the header at the start of a datagram.
    fileprivate init(header datagram: ArraySlice<UInt8>, payload: [UInt8]) throws(RTPError) {
        var reader = ByteReader(datagram)
        do throws(WireError) {
            let version = try reader.byte(field: "version")
            guard version == Self.version else {
                throw WireError.unexpected(field: "version", value: UInt64(version))
            }
            let kind = try reader.byte(field: "payload type")
            guard kind & 0x7F == Self.payloadType else {
                throw WireError.unexpected(field: "payload type", value: UInt64(kind))
            }
            isFirst = kind & 0x80 != 0
            sequenceNumber = try reader.integer(UInt16.self, field: "sequence number")
            rtpTime = RTPTime(rawValue: try reader.integer(UInt32.self, field: "RTP time"))
        } catch {
            throw .malformedHeader(error)
        }
        self.payload = payload
    }

    fileprivate func writeHeader(source: UInt32, to writer: inout ByteWriter) {
        writer.integer(Self.version)
        writer.integer(Self.payloadType | (isFirst ? 0x80 : 0))
        writer.integer(sequenceNumber)
        writer.integer(rtpTime.rawValue)
        writer.integer(source)
    }
}

/// Decrypts the packets of one realtime stream. Not thread-safe.
package struct RealtimePacketOpener: ~Copyable, Sendable {
    private var cipher: ChaChaPolyCipher

    /// - Parameter key: `shk` of the stream.
    package init(key: SymmetricKey) throws(CryptographyError) { cipher = try ChaChaPolyCipher(key: key) }

    /// Authenticates and decrypts one datagram.
    ///
    /// The tag does not protect the sequence number; a forged one can only misplace the packet.
    /// - Throws: ``RTPError``; the opener stays usable.
    package mutating func open(_ datagram: ArraySlice<UInt8>) throws(RTPError) -> RealtimePacket {
        typealias Layout = RealtimePacket
        guard datagram.count >= Layout.overhead else { throw .packetTooShort(byteCount: datagram.count) }
        var packet = try RealtimePacket(header: datagram, payload: [])
        let start = datagram.startIndex
        let clear =
            datagram[
                start + Layout.authenticatedRange.lowerBound..<start + Layout.authenticatedRange.upperBound]
        let sealed = datagram.dropFirst(Layout.headerByteCount)
            .dropLast(ChaChaPolyNonce.trailingByteCount)
        do {
            let nonce = try ChaChaPolyNonce(trailing: datagram.suffix(ChaChaPolyNonce.trailingByteCount))
            try cipher.open(sealed, nonce: nonce, authenticating: clear, appendingTo: &packet.payload)
        } catch .authenticationFailed {
            throw .authenticationFailed
        } catch {
            throw .cipherFailed(error)
        }
        return packet
    }
}

/// The first 12 bytes of a packet of a realtime stream, encrypted (AirPlay 2) or not (AirPlay 1).
package struct RealtimePacketHeader: Hashable, Sendable {
    /// Bytes of a header.
    package static let byteCount = RealtimePacket.headerByteCount

    /// The sequence number.
    package var sequenceNumber: UInt16
    /// RTP time of the first frame in the packet.
    package var rtpTime: RTPTime
    /// Whether the packet is the first after a start or a flush.
    package var isFirst: Bool
    /// The SSRC.
    package var source: UInt32

    /// Creates a header from its parts.
    package init(sequenceNumber: UInt16, rtpTime: RTPTime, isFirst: Bool, source: UInt32) {
        (self.sequenceNumber, self.rtpTime) = (sequenceNumber, rtpTime)
        (self.isFirst, self.source) = (isFirst, source)
    }

    /// Writes the header to the beginning of `output`, which has at least ``byteCount`` bytes.
    package func write(to output: UnsafeMutableRawBufferPointer) {
        output.storeBytes(of: RealtimePacket.version, as: UInt8.self)
        output.storeBytes(
            of: RealtimePacket.payloadType | (isFirst ? 0x80 : 0), toByteOffset: 1, as: UInt8.self)
        output.storeBytes(of: sequenceNumber.bigEndian, toByteOffset: 2, as: UInt16.self)
        output.storeBytes(of: rtpTime.rawValue.bigEndian, toByteOffset: 4, as: UInt32.self)
        output.storeBytes(of: source.bigEndian, toByteOffset: 8, as: UInt32.self)
    }
}

/// Encrypts the packets of one realtime stream; the nonce counts packets from 0. Allocates only in `init`. Not
/// thread-safe.
package struct RealtimePacketSealer: ~Copyable, Sendable {
    private var cipher: ChaChaPolyCipher
    private var counter: UInt64

    /// - Parameters:
    ///   - key: `shk` of the stream; never share it with another sealer whose nonces may be the same.
    ///   - firstNonce: The nonce of the first packet.
    package init(key: SymmetricKey, firstNonce: UInt64 = 0) throws(CryptographyError) {
        cipher = try ChaChaPolyCipher(key: key)
        counter = firstNonce
    }

    /// Encrypts and writes one packet.
    ///
    /// - Parameters:
    ///   - payload: The encoded audio. Must not overlap `output`.
    ///   - output: At least `payload.count` + ``RealtimePacket/overhead`` bytes.
    /// - Returns: The number of bytes written to `output`.
    /// - Throws: ``RTPError``; the content of `output` is then undefined. Never uses a nonce twice.
    package mutating func seal(
        payload: UnsafeRawBufferPointer, header: RealtimePacketHeader,
        into output: UnsafeMutableRawBufferPointer
    ) throws(RTPError) -> Int {
        typealias Layout = RealtimePacket
        let byteCount = payload.count + Layout.overhead
        guard output.count >= byteCount else {
            throw .outputTooSmall(needed: byteCount, available: output.count)
        }
        header.write(to: output)
        let nonceStart = byteCount - ChaChaPolyNonce.trailingByteCount
        output.storeBytes(of: counter.littleEndian, toByteOffset: nonceStart, as: UInt64.self)
        let nonce = ChaChaPolyNonce(counter: counter)
        counter += 1
        do {
            try cipher.seal(
                payload, nonce: nonce,
                authenticating: UnsafeRawBufferPointer(rebasing: output[Layout.authenticatedRange]),
                into: UnsafeMutableRawBufferPointer(rebasing: output[Layout.headerByteCount..<nonceStart]))
        } catch {
            throw .cipherFailed(error)
        }
        return byteCount
    }

    /// Encrypts one packet to a datagram; `source` is the SSRC.
    package mutating func seal(_ packet: RealtimePacket, source: UInt32 = 0) throws(RTPError) -> [UInt8] {
        let header = RealtimePacketHeader(
            sequenceNumber: packet.sequenceNumber, rtpTime: packet.rtpTime, isFirst: packet.isFirst,
            source: source)
        var datagram = [UInt8](repeating: 0, count: packet.payload.count + RealtimePacket.overhead)
        let sealed = datagram.withUnsafeMutableBytes { output in
            packet.payload.withUnsafeBytes { payload in
                Result { () throws(RTPError) in try seal(payload: payload, header: header, into: output) }
            }
        }
        _ = try sealed.get()
        return datagram
    }
}
