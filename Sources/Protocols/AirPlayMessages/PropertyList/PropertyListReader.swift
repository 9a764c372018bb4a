import TuttiWire

extension PropertyList {
    /// Reads a binary property list.
    package init(parsing bytes: [UInt8], limits: PropertyListLimits = .standard) throws(PropertyListError) {
        var reader = try PropertyListReader(bytes, limits: limits)
        self = try reader.topObject()
    }
}

/// Reads `bplist00`: signature, objects, offset table, 32-byte trailer.
///
/// An object is a marker byte, with the kind in the high half and the size in the low, and its content.
/// References are indices into the table. All numbers are big-endian.
struct PropertyListReader {
    private static let signature = Array("bplist0".utf8)
    private static let trailerByteCount = 32

    private let bytes: [UInt8]
    private let limits: PropertyListLimits
    private let offsetSize: Int
    private let referenceSize: Int
    private let objectCount: UInt64
    private let topReference: UInt64
    private let tableStart: Int
    private var valueCount = 0
    private var expandedByteCount = 0

    init(_ bytes: [UInt8], limits: PropertyListLimits) throws(PropertyListError) {
        guard bytes.count <= limits.byteCount else { throw .tooLong(limit: limits.byteCount) }
        guard bytes.starts(with: Self.signature) else { throw .noSignature }
        let trailerStart = bytes.count - Self.trailerByteCount
        guard trailerStart >= 8 else { throw .malformed(field: "trailer") }
        var trailer = ByteReader(bytes[trailerStart...])
        do {
            try trailer.skip(6, field: "unused")
            offsetSize = Int(try trailer.byte(field: "offset size"))
            referenceSize = Int(try trailer.byte(field: "reference size"))
            objectCount = try trailer.integer(UInt64.self, field: "object count")
            topReference = try trailer.integer(UInt64.self, field: "top object")
            let start = try trailer.integer(UInt64.self, field: "table offset")
            guard start >= 8, start <= UInt64(trailerStart) else {
                throw PropertyListError.malformed(field: "table offset")
            }
            tableStart = Int(start)
        } catch let error as PropertyListError {
            throw error
        } catch {
            throw .malformed(field: "trailer")
        }
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
            throw .malformed(field: "sizes")
        }
        guard objectCount > 0, objectCount <= UInt64((trailerStart - tableStart) / offsetSize) else {
            throw .malformed(field: "object count")
        }
        self.bytes = bytes
        self.limits = limits
    }

    mutating func topObject() throws(PropertyListError) -> PropertyList {
        try object(topReference, depth: 0)
    }

    private mutating func object(_ reference: UInt64, depth: Int) throws(PropertyListError) -> PropertyList {
        guard depth <= limits.depth else { throw .tooDeep(limit: limits.depth) }
        valueCount += 1
        guard valueCount <= limits.valueCount else { throw .tooManyValues(limit: limits.valueCount) }
        var content = try reader(of: reference)
        let marker = UInt8(try integer(&content, byteCount: 1))
        let size = Int(marker & 0x0F)
        switch marker >> 4 {
        case 0x0: return try simple(marker)
        case 0x1: return .integer(try integerObject(&content, exponent: size, marker: marker))
        case 0x2: return .real(try real(&content, exponent: size, marker: marker))
        case 0x3 where size == 3: return .date(try real(&content, exponent: 3, marker: marker))
        case 0x4: return .data(Array(try expand(&content, count: count(size, &content))))
        case 0x5:
            return .string(
                String(decoding: try expand(&content, count: count(size, &content)), as: UTF8.self))
        case 0x6: return .string(try utf16(&content, size: size))
        case 0x8 where size < 8: return .uid(try integer(&content, byteCount: size + 1))
        case 0xA, 0xC:
            let references = try references(&content, count: count(size, &content))
            var values: [PropertyList] = []
            for reference in references { values.append(try object(reference, depth: depth + 1)) }
            return .array(values)
        case 0xD: return try dictionary(&content, size: size, depth: depth)
        default: throw .unknownObject(marker: marker)
        }
    }

    private func simple(_ marker: UInt8) throws(PropertyListError) -> PropertyList {
        switch marker {
        case 0x00: .null
        case 0x08: .boolean(false)
        case 0x09: .boolean(true)
        default: throw .unknownObject(marker: marker)
        }
    }

    private func integerObject(
        _ content: inout ByteReader, exponent: Int, marker: UInt8
    ) throws(PropertyListError) -> Int64 {
        switch exponent {
        case 0...3: return Int64(bitPattern: try integer(&content, byteCount: 1 << exponent))
        case 4:
            let high = try integer(&content, byteCount: 8)
            let low = try integer(&content, byteCount: 8)
            // Unsigned from 2⁶³, or a sign-extended negative number.
            guard high == 0 || (high == .max && low >> 63 == 1) else { throw .integerTooLarge }
            return Int64(bitPattern: low)
        default: throw .unknownObject(marker: marker)
        }
    }

    private func real(
        _ content: inout ByteReader, exponent: Int, marker: UInt8
    ) throws(PropertyListError) -> Double {
        switch exponent {
        case 2: Double(Float(bitPattern: UInt32(try integer(&content, byteCount: 4))))
        case 3: Double(bitPattern: try integer(&content, byteCount: 8))
        default: throw .unknownObject(marker: marker)
        }
    }

    private mutating func utf16(_ content: inout ByteReader, size: Int) throws(PropertyListError) -> String {
        let units = try count(size, &content)
        guard units <= content.remaining / 2 else { throw .malformed(field: "string") }
        let text = Array(try expand(&content, count: units * 2))
        return String(
            decoding: stride(from: 0, to: text.count, by: 2).map {
                UInt16(text[$0]) << 8 | UInt16(text[$0 + 1])
            },
            as: UTF16.self)
    }

    private mutating func dictionary(
        _ content: inout ByteReader, size: Int, depth: Int
    ) throws(PropertyListError) -> PropertyList {
        let count = try count(size, &content)
        let keys = try references(&content, count: count)
        let values = try references(&content, count: count)
        var result: [String: PropertyList] = [:]
        for (key, value) in zip(keys, values) {
            guard case .string(let name) = try object(key, depth: depth + 1) else { throw .keyIsNoString }
            let read = try object(value, depth: depth + 1)
            if result[name] == nil { result[name] = read }
        }
        return .dictionary(result)
    }

    /// Returns the bytes from an object's marker to the table.
    private func reader(of reference: UInt64) throws(PropertyListError) -> ByteReader {
        guard reference < objectCount else { throw .danglingReference(reference) }
        // In range: the table was validated to hold `objectCount` offsets.
        let place = tableStart + Int(reference) * offsetSize
        var entry = ByteReader(bytes[place..<place + offsetSize])
        let offset = try integer(&entry, byteCount: offsetSize)
        guard offset >= 8, offset < UInt64(tableStart) else { throw .malformed(field: "offset") }
        return ByteReader(bytes[Int(offset)..<tableStart])
    }

    /// Reads a size: from the marker, or, if that is full, from the integer after it.
    private func count(_ size: Int, _ content: inout ByteReader) throws(PropertyListError) -> Int {
        guard size == 0xF else { return size }
        let marker = UInt8(try integer(&content, byteCount: 1))
        guard (0x10...0x13).contains(marker) else { throw .malformed(field: "count") }
        let count = try integer(&content, byteCount: 1 << Int(marker & 0x0F))
        guard count <= UInt64(content.remaining) else { throw .malformed(field: "count") }
        return Int(count)
    }

    private func references(
        _ content: inout ByteReader, count: Int
    ) throws(PropertyListError) -> [UInt64] {
        guard count <= content.remaining / referenceSize else { throw .malformed(field: "references") }
        // Each reference counts as a value, so fail early, before allocating memory.
        guard count <= limits.valueCount - valueCount else {
            throw .tooManyValues(limit: limits.valueCount)
        }
        var references: [UInt64] = []
        for _ in 0..<count { references.append(try integer(&content, byteCount: referenceSize)) }
        return references
    }

    private mutating func expand(
        _ content: inout ByteReader, count: Int
    ) throws(PropertyListError) -> ArraySlice<UInt8> {
        expandedByteCount += count
        guard expandedByteCount <= limits.expandedByteCount else {
            throw .expandsTooFar(limit: limits.expandedByteCount)
        }
        do {
            return try content.slice(count: count, field: "content")
        } catch {
            throw .malformed(field: "content")
        }
    }

    private func integer(_ content: inout ByteReader, byteCount: Int) throws(PropertyListError) -> UInt64 {
        do {
            return try content.integer(UInt64.self, byteCount: byteCount, field: "integer")
        } catch {
            throw .malformed(field: "integer")
        }
    }
}
