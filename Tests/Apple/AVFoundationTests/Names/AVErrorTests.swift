import AVFoundation
import Testing

@Suite("Errors of the domain, as object and as struct")
struct AVErrorTests {
    private static let words = [NSLocalizedDescriptionKey: "the drum has a hole"]

    /// The same error, thrown as either.
    static let both: [any Error] = [
        AVError(.decodeFailed, userInfo: words),
        NSError(domain: AVFoundationErrorDomain, code: -11_821, userInfo: words),
    ]

    private static func kind(of error: any Error) -> String {
        do {
            throw error
        } catch AVError.decodeFailed {
            return "decode failed"
        } catch let error as AVError {
            return "code \(error.code.rawValue) of \(error.errorCode)"
        } catch {
            return "foreign"
        }
    }

    @Test("errors are caught by type, by code and as object", arguments: both)
    func caught(error: any Error) throws {
        #expect(Self.kind(of: error) == "decode failed")
        let structure = try #require(error as? AVError)
        #expect(structure.code == .decodeFailed)
        #expect(structure == AVError(.decodeFailed, userInfo: Self.words))
        do {
            throw error
        } catch let object as NSError {
            #expect(object.domain == AVFoundationErrorDomain)
            #expect(object.code == -11_821)
            #expect(object.localizedDescription == "the drum has a hole")
        }
        #expect(error.localizedDescription == "the drum has a hole")
    }

    @Test("errors of other domains do not match")
    func foreign() {
        #expect(Self.kind(of: NSError(domain: NSCocoaErrorDomain, code: -11_821)) == "foreign")
        #expect(Self.kind(of: CancellationError()) == "foreign")
        #expect(Self.kind(of: AVError(.noLongerPlayable)) == "code -11867 of -11867")
    }

    @Test("a code without a name is unknown, and keeps its number")
    func unnamed() {
        let error = NSError(domain: AVFoundationErrorDomain, code: -19_999)
        #expect(Self.kind(of: error) == "code -11800 of -19999")
    }

    @Test(
        "codes have Apple's numbers",
        arguments: [
            (AVError.Code.unknown, -11_800), (.mediaServicesWereReset, -11_819),
            (.fileFormatNotRecognized, -11_828),
            (.decoderNotFound, -11_833), (.contentIsNotAuthorized, -11_835),
            (.serverIncorrectlyConfigured, -11_850),
            (.noLongerPlayable, -11_867),
        ])
    func numbers(code: AVError.Code, number: Int) {
        #expect(code.rawValue == number)
        #expect((AVError(code) as NSError).code == number)
    }

    @Test("error details round-trip")
    func details() {
        let time = CMTime(value: 3, timescale: 2)
        let error = AVError(
            .decodeFailed,
            userInfo: [
                AVErrorMediaTypeKey: AVMediaType.audio, AVErrorTimeKey: NSValue(time: time),
                AVErrorPersistentTrackIDKey: NSNumber(value: 7 as Int32),
            ])
        #expect(error.mediaType == .audio)
        #expect(error.time == time)
        #expect(error.persistentTrackID == 7)
        #expect(error.presentationTimeStamp == nil)
    }
}
