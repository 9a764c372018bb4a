import CTuttiFFmpeg

/// A decoded picture in memory. Immutable.
package final class VideoFrame: @unchecked Sendable {
    // Safe to share: nothing writes the frame after `init`, and only `deinit` frees it.
    let frame: UnsafeMutablePointer<AVFrame>

    /// The width in pixels.
    package let width: Int
    /// The height in pixels.
    package let height: Int
    /// The time of the packet that began the picture, in the packet's units; `nil` if it had none.
    package let packetTime: Int64?
    /// The time at which the picture is shown, in the packet's units, from ``packetTime`` or else the decoding times;
    /// `nil` if both are missing.
    package let time: Int64?
    /// The duration in the packet's units; 0 if unknown.
    package let duration: Int64
    /// The meaning of the samples.
    package let color: VideoColor
    /// The shape of a pixel; square if unknown.
    package let pixelAspect: PixelAspect

    /// Takes the contents of a decoder's frame, which is empty afterwards; `nil` without memory or a sensible size.
    ///
    /// - Parameters:
    ///   - parameters: The stream's, whose pixel shape holds if the container states it or the frame has none.
    ///   - next: The time of a picture that has none, if it is known: the end of the one before it.
    init?(
        taking other: UnsafeMutablePointer<AVFrame>, of parameters: VideoStreamParameters, next: Int64? = nil
    ) {
        guard let frame = av_frame_alloc() else { return nil }
        self.frame = frame
        av_frame_move_ref(frame, other)
        (width, height) = (Int(frame.pointee.width), Int(frame.pointee.height))
        packetTime = frame.pointee.pts == shim_AV_NOPTS_VALUE ? nil : frame.pointee.pts
        let best = frame.pointee.best_effort_timestamp
        time = best == shim_AV_NOPTS_VALUE ? packetTime ?? next : best
        duration = max(0, shim_frame_duration(frame))
        color = VideoColor(
            space: frame.pointee.colorspace, range: frame.pointee.color_range,
            primaries: frame.pointee.color_primaries, transfer: frame.pointee.color_trc,
            format: AVPixelFormat(rawValue: frame.pointee.format), width: width, height: height)
        let own = frame.pointee.sample_aspect_ratio
        pixelAspect =
            parameters.isAspectOfContainer || own.num <= 0 ? parameters.pixelAspect : PixelAspect(own)
        guard VideoStreamParameters.isAllowed(width: width, height: height) else { return nil }
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }

    var format: AVPixelFormat { AVPixelFormat(rawValue: frame.pointee.format) }

    /// The layout, if it is one that ``PictureLayout`` names; other layouts are converted by ``PictureConverter``.
    package var layout: PictureLayout? { PictureLayout(format, isFullRange: color.isFullRange) }

    /// Whether ``planes`` has all planes of the ``layout``. FFmpeg hands out the pictures of some files, as uncompressed AVI,
    /// with their last row first: those are converted.
    package var hasAllPlanes: Bool {
        layout.map { $0.planeSizes(width: width, height: height).count == planes.count } ?? false
    }

    /// The planes of a picture whose ``layout`` is known and whose rows lie in memory from the top to the bottom; the memory
    /// lives as long as this object.
    package var planes: [PicturePlane] {
        guard let layout else { return [] }
        let sizes = layout.planeSizes(width: width, height: height)
        return withUnsafeBytes(of: frame.pointee.data) { data in
            withUnsafeBytes(of: frame.pointee.linesize) { steps in
                zip(
                    sizes,
                    zip(data.bindMemory(to: UnsafeMutableRawPointer?.self), steps.bindMemory(to: Int32.self))
                )
                .compactMap { size, plane in
                    guard let address = plane.0, plane.1 > 0 else { return nil }
                    return PicturePlane(
                        address: address, width: size.width, height: size.height, bytesPerRow: Int(plane.1))
                }
            }
        }
    }

    /// The bytes that the picture occupies.
    package var byteCount: Int {
        Int(max(0, av_image_get_buffer_size(format, frame.pointee.width, frame.pointee.height, 1)))
    }
}

/// A plane of a picture: rows of samples in memory.
package struct PicturePlane {
    /// The first row.
    package var address: UnsafeMutableRawPointer
    /// Samples in a row; pairs of samples where two kinds are interleaved.
    package var width: Int
    /// The number of rows.
    package var height: Int
    /// Bytes from one row to the next.
    package var bytesPerRow: Int

    /// Creates a plane.
    package init(address: UnsafeMutableRawPointer, width: Int, height: Int, bytesPerRow: Int) {
        (self.address, self.width, self.height, self.bytesPerRow) = (address, width, height, bytesPerRow)
    }
}
