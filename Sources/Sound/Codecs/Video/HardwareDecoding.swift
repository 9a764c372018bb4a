import CTuttiFFmpeg
import Glibc
import Synchronization

/// The graphics device that decodes pictures by VA-API, opened once for the whole process.
///
/// `TUTTI_VAAPI=0` in the environment leaves it off; `TUTTI_VAAPI=/dev/dri/renderD129` chooses a device.
final class HardwareDecoding: @unchecked Sendable {
    // Safe to share: FFmpeg's device may be used by several decoders at once, and nothing changes after `init`.
    let device: UnsafeMutablePointer<AVBufferRef>

    private init(_ device: UnsafeMutablePointer<AVBufferRef>) { self.device = device }

    deinit {
        var device: UnsafeMutablePointer<AVBufferRef>? = device
        av_buffer_unref(&device)
    }

    /// The device of this machine; `nil` if there is none, or it cannot be opened.
    static let shared: HardwareDecoding? = {
        FormatSource.silenced
        let wish = getenv("TUTTI_VAAPI").map { String(cString: $0) }
        if wish == "0" { return nil }
        let names = wish.map { [$0] } ?? (128...135).map { "/dev/dri/renderD\($0)" }
        for name in names where access(name, R_OK | W_OK) == 0 {
            var device: UnsafeMutablePointer<AVBufferRef>?
            if av_hwdevice_ctx_create(&device, AV_HWDEVICE_TYPE_VAAPI, name, nil, 0) >= 0, let device {
                return HardwareDecoding(device)
            }
        }
        return nil
    }()

    /// The pixel format of the device's pictures for a decoder; `nil` if the decoder cannot use the device.
    static func format(of codec: UnsafePointer<AVCodec>) -> AVPixelFormat? {
        var index: Int32 = 0
        while let configuration = avcodec_get_hw_config(codec, index) {
            let methods = Int(configuration.pointee.methods)
            if configuration.pointee.device_type == AV_HWDEVICE_TYPE_VAAPI,
                methods & Int(AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX) != 0
            {
                return configuration.pointee.pix_fmt
            }
            index += 1
        }
        return nil
    }
}
