import Foundation

/// The parameter sets of a format in their own memory, because C callers get pointers into it.
final class ParameterSetMemory: @unchecked Sendable {
    // Safe to share: nothing changes after `init`, and only `deinit` frees the memory.

    let codec: DecoderConfiguration.Codec
    let nalUnitHeaderLength: Int
    private let memory: UnsafeMutablePointer<UInt8>
    private let ranges: [Range<Int>]

    /// Copies the parameter sets out of a format's record; `nil` if the format has no valid record.
    init?(_ type: CMFormatDescription.MediaSubType, _ extensions: CMFormatDescription.Extensions) {
        // A record that cannot be read is the same as none: the decoder reports what is wrong with it.
        guard let codec = DecoderConfiguration.Codec(type), let record = extensions.atom(codec.atom),
            let configuration = try? DecoderConfiguration(codec, parsing: Array(record))
        else { return nil }
        self.codec = codec
        nalUnitHeaderLength = configuration.nalUnitHeaderLength
        let all = configuration.parameterSets.flatMap { $0 }
        memory = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, all.count))
        memory.initialize(repeating: 0, count: max(1, all.count))
        memory.update(from: all, count: all.count)
        var ranges: [Range<Int>] = []
        for set in configuration.parameterSets {
            let start = ranges.last?.upperBound ?? 0
            ranges.append(start..<start + set.count)
        }
        self.ranges = ranges
    }

    deinit { memory.deallocate() }

    /// The number of parameter sets.
    var count: Int { ranges.count }

    /// Returns the bytes of a parameter set, valid as long as this object; `nil` if there is none.
    func bytes(at index: Int) -> UnsafeBufferPointer<UInt8>? {
        guard ranges.indices.contains(index) else { return nil }
        let range = ranges[index]
        return UnsafeBufferPointer(start: memory + range.lowerBound, count: range.count)
    }
}

extension CMFormatDescription {
    /// The parameter sets of an H.264 or HEVC format.
    public struct ParameterSetCollection: RandomAccessCollection, Sendable {
        fileprivate let memory: ParameterSetMemory?

        /// 0, the index of the first parameter set.
        public var startIndex: Int { 0 }
        /// The number of parameter sets.
        public var endIndex: Int { memory?.count ?? 0 }

        /// The parameter set at an index below the count: a NAL unit without start code or length.
        public subscript(position: Int) -> Data {
            guard let bytes = memory?.bytes(at: position) else {
                preconditionFailure("parameter set \(position) of \(endIndex)")
            }
            return Data(buffer: bytes)
        }
    }

    /// The parameter sets of an H.264 or HEVC format; empty for other formats.
    public var parameterSets: ParameterSetCollection { ParameterSetCollection(memory: parameterSetMemory) }

    /// The bytes of the length before each NAL unit of a sample; `nil` for formats without NAL units.
    public var nalUnitHeaderLength: Int? { parameterSetMemory?.nalUnitHeaderLength }
}
