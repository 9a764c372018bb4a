import CoreVideo
import Foundation

extension CVBuffer: CMAttachmentBearerProtocol {
    /// The attachments, which are those of the `CVBuffer` functions.
    public var attachments: CMAttachmentBearerAttachments {
        get {
            var attachments = CMAttachmentBearerAttachments()
            attachments.values = allAttachments.mapValues { .init($0) }
            return attachments
        }
        set { allAttachments = newValue.values.mapValues { CVBufferAttachment($0) } }
    }

    /// Changes the attachments atomically.
    func changeAttachments(_ body: (inout CMAttachmentBearerAttachments) -> Void) {
        change { all in
            var attachments = CMAttachmentBearerAttachments()
            attachments.values = all.mapValues { .init($0) }
            body(&attachments)
            all = attachments.values.mapValues { CVBufferAttachment($0) }
        }
    }
}

extension CMAttachmentBearerAttachments.Value {
    fileprivate init(_ attachment: CVBufferAttachment) {
        self.init(
            attachment.value,
            mode: attachment.mode == .shouldPropagate ? .shouldPropagate : .shouldNotPropagate)
    }
}

extension CVBufferAttachment {
    fileprivate init(_ value: CMAttachmentBearerAttachments.Value) {
        self.init(
            value: value.value as AnyObject,
            mode: value.mode == .shouldPropagate ? .shouldPropagate : .shouldNotPropagate)
    }
}
