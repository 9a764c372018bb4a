import Foundation

extension CMSampleBuffer: CMAttachmentBearerProtocol {
    /// The attachments to the whole buffer.
    public var attachments: CMAttachmentBearerAttachments {
        get { withState { $0.attachments } }
        set { changeAttachments { $0 = newValue } }
    }

    /// Changes the attachments atomically and updates the output edits from them.
    func changeAttachments(_ body: (inout CMAttachmentBearerAttachments) -> Void) {
        withState { $0.changeAttachments(body) }
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

            /// The sample cannot be decoded on its own.
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
        withState { $0.sampleDictionaries(count: numSamples) }
    }
}
