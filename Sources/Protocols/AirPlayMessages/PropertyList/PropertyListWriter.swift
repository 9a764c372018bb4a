import TuttiWire

extension PropertyList {
    /// The value encoded as a binary property list.
    package var encoded: [UInt8] {
        var writer = PropertyListWriter()
        writer.add(self)
        return writer.finish()
    }
}

/// Writes `bplist00`: the top object first, containers before their content, keys before values.
struct PropertyListWriter {
    private enum Object {
        case leaf(PropertyList)
        case array([Int])
        case dictionary(keys: [Int], values: [Int])
    }

    private var objects: [Object] = []
    private var indices: [PropertyList: Int] = [:]

    /// Adds a value with its content; equal values share one object.
    @discardableResult
    mutating func add(_ value: PropertyList) -> Int {
        if let index = indices[value] { return index }
        let index = objects.count
        indices[value] = index
        objects.append(.leaf(value))
        switch value {
        case .array(let values):
            objects[index] = .array(values.map { add($0) })
        case .dictionary(let pairs):
            let sorted = pairs.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            let keys = sorted.map { add(.string($0.key)) }
            objects[index] = .dictionary(keys: keys, values: sorted.map { add($0.value) })
        default: break
        }
        return index
    }

    func finish() -> [UInt8] {
        var output = ByteWriter()
        output.append("bplist00".utf8)
        let referenceSize = Self.byteCount(for: UInt64(objects.count))
        var offsets: [Int] = []
        for object in objects {
            offsets.append(output.bytes.count)
            write(object, referenceSize: referenceSize, to: &output)
        }
        let tableStart = output.bytes.count
        let offsetSize = Self.byteCount(for: UInt64(tableStart))
        for offset in offsets { output.integer(UInt64(offset), byteCount: offsetSize) }
        output.zeros(6)
        output.integer(UInt8(offsetSize))
        output.integer(UInt8(referenceSize))
        output.integer(UInt64(objects.count))
        output.integer(UInt64(0))
        output.integer(UInt64(tableStart))
        return output.bytes
    }

    private func write(_ object: Object, referenceSize: Int, to output: inout ByteWriter) {
        switch object {
        case .leaf(let value): write(leaf: value, to: &output)
        case .array(let values):
            writeMarker(0xA0, count: values.count, to: &output)
            for value in values { output.integer(UInt64(value), byteCount: referenceSize) }
        case .dictionary(let keys, let values):
            writeMarker(0xD0, count: keys.count, to: &output)
            for index in keys + values { output.integer(UInt64(index), byteCount: referenceSize) }
        }
    }

    private func write(leaf: PropertyList, to output: inout ByteWriter) {
        switch leaf {
        case .string(let text): write(text, to: &output)
        case .integer(let value): writeInteger(UInt64(bitPattern: value), to: &output)
        case .real(let value):
            output.integer(UInt8(0x23))
            output.integer(value.bitPattern)
        case .date(let seconds):
            output.integer(UInt8(0x33))
            output.integer(seconds.bitPattern)
        case .boolean(let value): output.integer(UInt8(value ? 0x09 : 0x08))
        case .data(let bytes):
            writeMarker(0x40, count: bytes.count, to: &output)
            output.append(bytes)
        case .uid(let value):
            let size = Self.byteCount(for: value)
            output.integer(UInt8(0x80 | (size - 1)))
            output.integer(value, byteCount: size)
        case .null: output.integer(UInt8(0x00))
        case .array, .dictionary: break  // never leaves
        }
    }

    private func write(_ text: String, to output: inout ByteWriter) {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else {
            writeMarker(0x50, count: text.utf8.count, to: &output)
            output.append(text.utf8)
            return
        }
        writeMarker(0x60, count: text.utf16.count, to: &output)
        for unit in text.utf16 { output.integer(unit) }
    }

    private func writeMarker(_ kind: UInt8, count: Int, to output: inout ByteWriter) {
        guard count >= 0xF else { return output.integer(kind | UInt8(count)) }
        output.integer(kind | 0xF)
        writeInteger(UInt64(count), to: &output)
    }

    private func writeInteger(_ value: UInt64, to output: inout ByteWriter) {
        let size = Self.byteCount(for: value)
        output.integer(UInt8(0x10 | size.trailingZeroBitCount))
        output.integer(value, byteCount: size)
    }

    private static func byteCount(for value: UInt64) -> Int {
        switch value {
        case ..<(1 << 8): 1
        case ..<(1 << 16): 2
        case ..<(1 << 32): 4
        default: 8
        }
    }
}
