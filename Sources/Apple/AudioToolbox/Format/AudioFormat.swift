import CoreAudioTypes
import Foundation
import TuttiCodecs

/// Returns the size of an answer in bytes.
///
/// - Parameter inSpecifier: The subject of the question; see each property.
/// - Returns: The codes of ``AudioFormatGetProperty(_:_:_:_:_:)``.
@discardableResult
public func AudioFormatGetPropertyInfo(
    _ inPropertyID: AudioFormatPropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeRawPointer?,
    _ outPropertyDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    let specifier = UnsafeRawBufferPointer(
        start: inSpecifier, count: inSpecifier == nil ? 0 : Int(inSpecifierSize))
    do throws(FormatFailure) {
        switch inPropertyID {
        case kAudioFormatProperty_FormatInfo:
            outPropertyDataSize.pointee = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        case kAudioFormatProperty_FormatName, kAudioFormatProperty_ChannelName,
            kAudioFormatProperty_ChannelLayoutName:
            _ = try FormatAnswers.name(inPropertyID, specifier)
            outPropertyDataSize.pointee = UInt32(MemoryLayout<UnsafeRawPointer>.size)
        default: outPropertyDataSize.pointee = UInt32(try FormatAnswers.bytes(inPropertyID, specifier).count)
        }
        return noErr
    } catch {
        return error.status
    }
}

/// Answers a question about formats and channel layouts.
///
/// Names are retained objects, which the caller must release: declare an `Unmanaged<CFString>?` and take its
/// retained value.
///
/// - Parameters:
///   - inSpecifier: The subject of the question; see each property.
///   - ioPropertyDataSize: In: the caller's room in bytes. Out: the size of the answer.
/// - Returns: `noErr`, ``kAudioFormatUnsupportedPropertyError``, ``kAudioFormatBadSpecifierSizeError``,
///   ``kAudioFormatBadPropertySizeError``, ``kAudioFormatUnknownFormatError`` or
///   ``kAudioFormatUnsupportedDataFormatError``.
@discardableResult
public func AudioFormatGetProperty(
    _ inPropertyID: AudioFormatPropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeRawPointer?,
    _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>?, _ outPropertyData: UnsafeMutableRawPointer?
) -> OSStatus {
    let specifier = UnsafeRawBufferPointer(
        start: inSpecifier, count: inSpecifier == nil ? 0 : Int(inSpecifierSize))
    guard let ioPropertyDataSize, let outPropertyData else { return kAudioFormatBadPropertySizeError }
    let room = Int(ioPropertyDataSize.pointee)
    do throws(FormatFailure) {
        var answer: [UInt8]
        switch inPropertyID {
        case kAudioFormatProperty_FormatInfo:
            guard room >= MemoryLayout<AudioStreamBasicDescription>.size else {
                throw FormatFailure(kAudioFormatBadPropertySizeError)
            }
            let stream = outPropertyData.loadUnaligned(as: AudioStreamBasicDescription.self)
            guard stream.mFormatID != 0 else { throw FormatFailure(kAudioFormatUnknownFormatError) }
            answer = valueBytes(CompressedFormat.completed(stream, cookie: Array(specifier)))
        case kAudioFormatProperty_FormatName, kAudioFormatProperty_ChannelName,
            kAudioFormatProperty_ChannelLayoutName:
            let name = try FormatAnswers.name(inPropertyID, specifier)
            guard room >= MemoryLayout<UnsafeRawPointer>.size else {
                throw FormatFailure(kAudioFormatBadPropertySizeError)
            }
            answer = valueBytes(UnsafeRawPointer(Unmanaged.passRetained(NSString(string: name)).toOpaque()))
        default: answer = try FormatAnswers.bytes(inPropertyID, specifier)
        }
        guard answer.count <= room else { throw FormatFailure(kAudioFormatBadPropertySizeError) }
        outPropertyData.copyMemory(from: answer, byteCount: answer.count)
        ioPropertyDataSize.pointee = UInt32(answer.count)
        return noErr
    } catch {
        return error.status
    }
}

/// A nonzero result code.
struct FormatFailure: Error {
    let status: OSStatus

    init(_ status: OSStatus) { self.status = status }
}
