import Foundation

extension CMSampleBuffer: CMAttachmentBearerProtocol {
    /// The attachments to the whole buffer.
    public var attachments: CMAttachmentBearerAttachments {
        get { withState { $0.attachments } }
        set { changeAttachments { $0 = newValue } }
    }

    /// Changes the attachments atomically and updates the output edits from them.
    func changeAttachments(_ body: (inout CMAttachmentBearerAttachments) -> Void) {
        withState { state in
            body(&state.attachments)
            state.edits = OutputEdits(state.attachments)
        }
    }
}

extension OutputEdits {
    /// Reads the trims, the speed and the direction; ignores invalid values.
    init(_ attachments: CMAttachmentBearerAttachments) {
        trimStart = Self.trim(attachments[kCMSampleBufferAttachmentKey_TrimDurationAtStart])
        trimEnd = Self.trim(attachments[kCMSampleBufferAttachmentKey_TrimDurationAtEnd])
        let speed = Self.number(attachments[kCMSampleBufferAttachmentKey_SpeedMultiplier])?.doubleValue ?? 1
        self.speed = speed.isFinite && speed > 0 ? speed : 1
        isReversed = Self.number(attachments[kCMSampleBufferAttachmentKey_Reverse])?.boolValue ?? false
    }

    private static func trim(_ value: CMAttachmentBearerAttachments.Value?) -> CMTime {
        guard let value else { return .zero }
        let time = CMTimeMakeFromDictionary(
            (value.value as? NSDictionary) ?? (value.value as? [String: Any]) as NSDictionary?)
        return time.kind == .number && time > .zero ? time : .zero
    }

    private static func number(_ value: CMAttachmentBearerAttachments.Value?) -> NSNumber? {
        switch value?.value {
        case let number as NSNumber: number
        case let number as Double: NSNumber(value: number)
        case let number as Int: NSNumber(value: number)
        case let flag as Bool: NSNumber(value: flag)
        default: nil
        }
    }
}

extension CMSampleBuffer {
    /// The attachments of one sample.
    public struct SampleAttachments {
        /// The name of an attachment to a sample.
        public struct Key: RawRepresentable, Hashable, Sendable {
            private let name: String

            /// Creates the key with this name.
            public init(rawValue: CFString) { name = rawValue as String }

            /// The name in dictionary form.
            public var rawValue: CFString { name as NSString }

            /// The sample cannot be decoded by itself.
            public static let notSync = Key(rawValue: kCMSampleAttachmentKey_NotSync)
            /// The sample depends on other samples for decoding.
            public static let dependsOnOthers = Key(rawValue: kCMSampleAttachmentKey_DependsOnOthers)
            /// Shows the sample immediately.
            public static let displayImmediately = Key(rawValue: kCMSampleAttachmentKey_DisplayImmediately)
            /// Decodes the sample without showing it.
            public static let doNotDisplay = Key(rawValue: kCMSampleAttachmentKey_DoNotDisplay)
        }

        fileprivate let dictionary: NSMutableDictionary

        /// The attachment with this name; setting `nil` removes it.
        public subscript(key: Key) -> Any? {
            get { dictionary.object(forKey: key.rawValue) }
            nonmutating set {
                if let newValue {
                    dictionary.setObject(newValue, forKey: key.rawValue)
                } else {
                    dictionary.removeObject(forKey: key.rawValue)
                }
            }
        }
    }

    /// The attachments of every sample, in order. Only one thread at a time may change them.
    public struct SampleAttachmentsArray: MutableCollection, RandomAccessCollection {
        fileprivate var samples: [SampleAttachments]

        /// 0, the index of the first sample.
        public var startIndex: Int { 0 }
        /// The number of samples.
        public var endIndex: Int { samples.count }

        /// The attachments of the sample at an index below the count. Changes reach the buffer immediately.
        public subscript(index: Int) -> SampleAttachments {
            get { samples[index] }
            set { samples[index] = newValue }
        }
    }

    /// The attachments of every sample, created on first access.
    public var sampleAttachments: SampleAttachmentsArray {
        get {
            SampleAttachmentsArray(samples: sampleDictionaries().map { SampleAttachments(dictionary: $0) })
        }
        set {
            guard newValue.count == numSamples else { return }
            withState { $0.sampleAttachments = newValue.map(\.dictionary) }
        }
    }

    func sampleDictionaries() -> [NSMutableDictionary] {
        withState { state in
            if let dictionaries = state.sampleAttachments { return dictionaries }
            let fresh = (0..<numSamples).map { _ in NSMutableDictionary() }
            state.sampleAttachments = fresh
            return fresh
        }
    }
}
