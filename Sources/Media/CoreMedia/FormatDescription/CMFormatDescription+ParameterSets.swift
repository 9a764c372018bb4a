import Foundation
import TuttiWire

extension CMFormatDescription {
    /// Creates the format of an H.264 video from its parameter sets.
    ///
    /// The size, the colours and the pixel shape come from the first sequence parameter set. The extensions
    /// contain the `avcC` record of ISO/IEC 14496-15.
    ///
    /// - Parameters:
    ///   - h264ParameterSets: NAL units without start code or length, at least one sequence and one picture
    ///     parameter set, in any order.
    ///   - nalUnitHeaderLength: The bytes of the length before each NAL unit of a sample: 1, 2 or 4.
    /// - Throws: ``Error/invalidParameter`` for another length, a set that is missing, of another type,
    ///   longer than 65,535 bytes, or a sequence parameter set that violates H.264.
    public convenience init(h264ParameterSets: [Data], nalUnitHeaderLength: Int = 4) throws {
        let record = try Self.record(h264ParameterSets, nalUnitHeaderLength, AVCConfigurationRecord.init)
        try self.init(
            .h264, width: record.sequence.width, height: record.sequence.height, record: record.bytes,
            extensions: record.sequence.usability.extensions)
    }

    /// Creates the format of an HEVC video from its parameter sets.
    ///
    /// The size, the colours and the pixel shape come from the first sequence parameter set. The extensions
    /// contain the `hvcC` record of ISO/IEC 14496-15.
    ///
    /// - Parameters:
    ///   - hevcParameterSets: NAL units without start code or length, at least one video, one sequence and
    ///     one picture parameter set, in any order, and messages about the whole video.
    ///   - nalUnitHeaderLength: The bytes of the length before each NAL unit of a sample: 1, 2 or 4.
    ///   - extensions: Further extensions, which take precedence over those from the parameter sets.
    /// - Throws: ``Error/invalidParameter`` for another length, a set that is missing, of another type,
    ///   longer than 65,535 bytes, or a sequence parameter set that violates HEVC.
    public convenience init(
        hevcParameterSets: [Data], nalUnitHeaderLength: Int = 4, extensions: Extensions? = nil
    ) throws {
        let record = try Self.record(hevcParameterSets, nalUnitHeaderLength, HEVCConfigurationRecord.init)
        var all = record.sequence.usability.extensions
        for key in extensions?.keys.map(\.self) ?? [] { all[key] = extensions?[key] }
        try self.init(
            .hevc, width: record.sequence.width, height: record.sequence.height, record: record.bytes,
            extensions: all)
    }

    private convenience init(
        _ type: MediaSubType, width: Int, height: Int, record: [UInt8], extensions: Extensions
    ) throws {
        var extensions = extensions
        if let codec = DecoderConfiguration.Codec(type) {
            extensions.setAtom(codec.atom, to: Data(record))
        }
        try self.init(videoCodecType: type, width: width, height: height, extensions: extensions)
    }

    private static func record<Record>(
        _ sets: [Data], _ headerLength: Int, _ make: ([[UInt8]], Int) throws(WireError) -> Record
    ) throws -> Record {
        guard DecoderConfiguration.headerLengths.contains(headerLength) else { throw Error.invalidParameter }
        do {
            return try make(sets.map { Array($0) }, headerLength)
        } catch {
            throw Error.invalidParameter
        }
    }

    /// The decoder's configuration of a video as files store it, such as the `avcC` record; `nil` without
    /// one.
    ///
    /// The record of the format's own encoding comes first, so that others beside it do not matter.
    package var decoderConfiguration: Data? {
        switch mediaSubType {
        case .av1: extensions.atom("av1C")
        case .vp9: extensions.atom("vpcC")
        case .mpeg4Video: extensions.atom("esds")
        default: DecoderConfiguration.Codec(mediaSubType).flatMap { extensions.atom($0.atom) }
        }
    }
}

extension CMFormatDescription.Extensions {
    /// Returns the content of an atom of the sample description; `nil` without one. Of several, the first.
    package func atom(_ name: String) -> Data? {
        let value = atoms?.object(forKey: name as NSString)
        return data(value) ?? data((value as? NSArray)?.firstObject)
    }

    /// Sets the content of an atom of the sample description, beside the other atoms.
    package mutating func setAtom(_ name: String, to content: Data) {
        let all = NSMutableDictionary(dictionary: atoms as? [AnyHashable: Any] ?? [:])
        all[name as NSString] = content as NSData
        self[.sampleDescriptionExtensionAtoms] = Value(rawValue: all)
    }

    private var atoms: NSDictionary? { self[.sampleDescriptionExtensionAtoms]?.rawValue as? NSDictionary }

    private func data(_ value: Any?) -> Data? { (value as? NSData).map { $0 as Data } ?? value as? Data }
}

/// Creates the format of an H.264 video from its parameter sets.
@discardableResult
public func CMVideoFormatDescriptionCreateFromH264ParameterSets(
    allocator: CFAllocator?, parameterSetCount: Int,
    parameterSetPointers: UnsafePointer<UnsafePointer<UInt8>>, parameterSetSizes: UnsafePointer<Int>,
    nalUnitHeaderLength NALUnitHeaderLength: Int32,
    formatDescriptionOut: UnsafeMutablePointer<CMVideoFormatDescription?>
) -> OSStatus {
    status {
        formatDescriptionOut.pointee = try CMFormatDescription(
            h264ParameterSets: try sets(parameterSetCount, parameterSetPointers, parameterSetSizes),
            nalUnitHeaderLength: Int(NALUnitHeaderLength))
    }
}

/// Creates the format of an HEVC video from its parameter sets.
@discardableResult
public func CMVideoFormatDescriptionCreateFromHEVCParameterSets(
    allocator: CFAllocator?, parameterSetCount: Int,
    parameterSetPointers: UnsafePointer<UnsafePointer<UInt8>>, parameterSetSizes: UnsafePointer<Int>,
    nalUnitHeaderLength NALUnitHeaderLength: Int32, extensions: CFDictionary?,
    formatDescriptionOut: UnsafeMutablePointer<CMVideoFormatDescription?>
) -> OSStatus {
    status {
        formatDescriptionOut.pointee = try CMFormatDescription(
            hevcParameterSets: try sets(parameterSetCount, parameterSetPointers, parameterSetSizes),
            nalUnitHeaderLength: Int(NALUnitHeaderLength),
            extensions: extensions.map { CMFormatDescription.Extensions(base: $0) })
    }
}

private func sets(
    _ count: Int, _ pointers: UnsafePointer<UnsafePointer<UInt8>>, _ sizes: UnsafePointer<Int>
) throws -> [Data] {
    guard count > 0 else { throw CMFormatDescription.Error.invalidParameter }
    return try (0..<count).map { index in
        guard sizes[index] > 0 else { throw CMFormatDescription.Error.invalidParameter }
        return Data(bytes: pointers[index], count: sizes[index])
    }
}

/// Returns a parameter set of an H.264 format; the pointer is valid as long as the format description.
///
/// The count and the length are returned whatever the index.
///
/// - Returns: `noErr`; ``kCMFormatDescriptionError_InvalidParameter`` for a format that is not H.264, or an
///   index beyond the sets; ``kCMFormatDescriptionError_ValueNotAvailable`` without a valid record.
@discardableResult
public func CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
    _ videoDesc: CMFormatDescription, parameterSetIndex: Int,
    parameterSetPointerOut: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    parameterSetSizeOut: UnsafeMutablePointer<Int>?, parameterSetCountOut: UnsafeMutablePointer<Int>?,
    nalUnitHeaderLengthOut NALUnitHeaderLengthOut: UnsafeMutablePointer<Int32>?
) -> OSStatus {
    status {
        try videoDesc.parameterSet(
            parameterSetIndex, .h264, parameterSetPointerOut, parameterSetSizeOut, parameterSetCountOut,
            NALUnitHeaderLengthOut)
    }
}

/// Returns a parameter set of an HEVC format; the pointer is valid as long as the format description.
///
/// The count and the length are returned whatever the index.
///
/// - Returns: `noErr`; ``kCMFormatDescriptionError_InvalidParameter`` for a format that is not HEVC, or an
///   index beyond the sets; ``kCMFormatDescriptionError_ValueNotAvailable`` without a valid record.
@discardableResult
public func CMVideoFormatDescriptionGetHEVCParameterSetAtIndex(
    _ videoDesc: CMFormatDescription, parameterSetIndex: Int,
    parameterSetPointerOut: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    parameterSetSizeOut: UnsafeMutablePointer<Int>?, parameterSetCountOut: UnsafeMutablePointer<Int>?,
    nalUnitHeaderLengthOut NALUnitHeaderLengthOut: UnsafeMutablePointer<Int32>?
) -> OSStatus {
    status {
        try videoDesc.parameterSet(
            parameterSetIndex, .hevc, parameterSetPointerOut, parameterSetSizeOut, parameterSetCountOut,
            NALUnitHeaderLengthOut)
    }
}

extension CMFormatDescription {
    fileprivate func parameterSet(
        _ index: Int, _ codec: DecoderConfiguration.Codec,
        _ pointer: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ size: UnsafeMutablePointer<Int>?,
        _ count: UnsafeMutablePointer<Int>?, _ headerLength: UnsafeMutablePointer<Int32>?
    ) throws {
        guard DecoderConfiguration.Codec(mediaSubType) == codec else { throw Error.invalidParameter }
        guard let memory = parameterSetMemory else { throw Error.valueNotAvailable }
        count?.pointee = memory.count
        headerLength?.pointee = Int32(memory.nalUnitHeaderLength)
        guard pointer != nil || size != nil else { return }
        guard let bytes = memory.bytes(at: index) else { throw Error.invalidParameter }
        pointer?.pointee = bytes.baseAddress
        size?.pointee = bytes.count
    }
}
