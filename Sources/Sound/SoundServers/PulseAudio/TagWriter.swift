import TuttiWire

/// Writes the fields of a message of the native protocol.
struct TagWriter {
    private var writer = ByteWriter()

    var bytes: [UInt8] { writer.bytes }

    mutating func integer(_ value: UInt32) {
        tag("L")
        writer.integer(value)
    }

    mutating func boolean(_ value: Bool) { tag(value ? "1" : "0") }

    /// A text; bytes after a zero byte would be another field, so a text ends there.
    mutating func text(_ value: String) {
        tag("t")
        writer.append(value.utf8.prefix { $0 != 0 })
        writer.zeros(1)
    }

    mutating func microseconds(_ value: UInt64) {
        tag("U")
        writer.integer(value)
    }

    mutating func unsigned(_ value: UInt64) {
        tag("R")
        writer.integer(value)
    }

    mutating func signed(_ value: Int64) {
        tag("r")
        writer.integer(UInt64(bitPattern: value))
    }

    mutating func time(_ value: NativeTime) {
        tag("T")
        writer.integer(value.seconds)
        writer.integer(value.microseconds)
    }

    mutating func sampleSpecification(_ value: NativeSampleSpecification) {
        tag("a")
        writer.integer(value.format)
        writer.integer(value.channelCount)
        writer.integer(value.hertz)
    }

    /// Front left, front right.
    mutating func stereoMap() {
        tag("m")
        writer.append([2, 1, 2])
    }

    mutating func volumes(_ values: [UInt32]) {
        tag("v")
        writer.integer(UInt8(truncatingIfNeeded: values.count))
        for value in values { writer.integer(value) }
    }

    /// Properties, none.
    mutating func noProperties() {
        tag("P")
        tag("N")
    }

    private mutating func tag(_ tag: Unicode.Scalar) { writer.integer(UInt8(ascii: tag)) }
}
