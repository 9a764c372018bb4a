import CTuttiFFmpeg

/// A converter of pictures to other layouts and sizes. Not thread-safe; keeps its tables between pictures.
package final class PictureConverter {
    private var context: OpaquePointer?
    /// The task of ``context``.
    private var task: Task?

    /// Creates a converter.
    package init() { FormatSource.silenced }

    deinit { sws_freeContext(context) }

    /// The layout of the fewest steps from a decoder's picture, for showing: the picture's own where screens know it,
    /// else 4:2:0 of the same matrix and range, or red, green and blue.
    package static func shownLayout(of picture: VideoFrame) -> PictureLayout {
        if let layout = picture.layout { return layout.shown }
        return picture.color.matrix == .rgb ? .bgra : .planar420(isFullRange: picture.color.isFullRange)
    }

    /// Converts a picture into memory of the caller's.
    ///
    /// Samples that stay luma and differences keep the matrix; red, green and blue become luma and differences by the usual
    /// matrix of the result's height. The range becomes that of the layout.
    ///
    /// - Parameters:
    ///   - planes: The planes of `layout`, with room for the size.
    ///   - width: The width of the result in pixels; another one than the picture's scales it.
    ///   - height: The height of the result in pixels.
    /// - Throws: ``CodecError`` if FFmpeg cannot convert the layout or has no memory.
    package func convert(
        _ picture: VideoFrame, to layout: PictureLayout, width: Int, height: Int, into planes: [PicturePlane]
    ) throws(CodecError) {
        try convert(Pixels(picture), to: layout, width: width, height: height, into: planes)
    }

    /// Converts pixels in memory of the caller's to another layout of the same size; as above in all else.
    ///
    /// - Parameters:
    ///   - planes: The planes of `own`, which are only read.
    ///   - matrix: The matrix of luma and differences; ignored for other layouts.
    ///   - targets: The planes of `layout`, with room for the size.
    package func convert(
        _ planes: [PicturePlane], of own: PictureLayout, matrix: VideoColor.Matrix, width: Int, height: Int,
        to layout: PictureLayout, into targets: [PicturePlane]
    ) throws(CodecError) {
        guard planes.count == own.planeSizes(width: width, height: height).count else {
            throw CodecError(code: shim_averror(22), operation: "sws_getContext")
        }
        var pixels = Pixels(
            planes, format: own.format, isFullRange: own.isFullRange, matrix: own.isRGB ? .rgb : matrix,
            width: width, height: height)
        // swscale does not read this layout.
        guard case .biplanar422 = own, VideoStreamParameters.isAllowed(width: width, height: height) else {
            return try convert(pixels, to: layout, width: width, height: height, into: targets)
        }
        let differences = Differences(width: width, height: height)
        differences.separate(planes[1])
        pixels = Pixels(
            [planes[0]] + differences.planes, format: AV_PIX_FMT_YUV422P, isFullRange: own.isFullRange,
            matrix: matrix, width: width, height: height)
        try convert(pixels, to: layout, width: width, height: height, into: targets)
        withExtendedLifetime(differences) {}
    }

    /// Memory for the two differences of 4:2:2, each in its own plane.
    private final class Differences {
        let planes: [PicturePlane]
        private let room: UnsafeMutableRawPointer

        init(width: Int, height: Int) {
            let (halfWidth, step) = ((width + 1) / 2, (width + 127) / 128 * 64)
            let room = UnsafeMutableRawPointer.allocate(byteCount: 2 * step * height + 64, alignment: 64)
            planes = [room, room + step * height].map {
                PicturePlane(address: $0, width: halfWidth, height: height, bytesPerRow: step)
            }
            self.room = room
        }

        deinit { room.deallocate() }

        /// Copies each byte between these planes and its place in a plane that has both in turn.
        private func each(
            _ joined: PicturePlane,
            _ body: (_ own: UnsafeMutableRawPointer, _ joined: UnsafeMutableRawPointer) -> Void
        ) {
            for (index, plane) in planes.enumerated() {
                for row in 0..<plane.height {
                    let (own, other) = (
                        plane.address + row * plane.bytesPerRow,
                        joined.address + row * joined.bytesPerRow + index
                    )
                    for column in 0..<plane.width { body(own + column, other + 2 * column) }
                }
            }
        }

        func interleave(into joined: PicturePlane) {
            each(joined) { own, joined in joined.copyMemory(from: own, byteCount: 1) }
        }

        func separate(_ joined: PicturePlane) {
            each(joined) { own, joined in own.copyMemory(from: joined, byteCount: 1) }
        }
    }

    /// Pixels to convert, which somebody else keeps.
    private struct Pixels {
        let width: Int
        let height: Int
        let format: AVPixelFormat
        let isFullRange: Bool
        let matrix: VideoColor.Matrix
        var planes = [UnsafePointer<UInt8>?](repeating: nil, count: 4)
        var steps = [Int32](repeating: 0, count: 4)

        init(_ picture: VideoFrame) {
            (width, height, format) = (picture.width, picture.height, picture.format)
            (isFullRange, matrix) = (picture.color.isFullRange, picture.color.matrix)
            planes = withUnsafeBytes(of: picture.frame.pointee.data) { data in
                data.bindMemory(to: UnsafeMutablePointer<UInt8>?.self).prefix(4).map {
                    $0.map { UnsafePointer($0) }
                }
            }
            steps = withUnsafeBytes(of: picture.frame.pointee.linesize) {
                Array($0.bindMemory(to: Int32.self).prefix(4))
            }
        }

        init(
            _ sources: [PicturePlane], format: AVPixelFormat, isFullRange: Bool, matrix: VideoColor.Matrix,
            width: Int, height: Int
        ) {
            (self.width, self.height, self.format) = (width, height, format)
            (self.isFullRange, self.matrix) = (isFullRange, matrix)
            for (index, plane) in sources.prefix(4).enumerated() {
                planes[index] = UnsafePointer(plane.address.assumingMemoryBound(to: UInt8.self))
                steps[index] = Int32(clamping: plane.bytesPerRow)
            }
        }
    }

    private func convert(
        _ picture: Pixels, to layout: PictureLayout, width: Int, height: Int, into planes: [PicturePlane]
    ) throws(CodecError) {
        guard VideoStreamParameters.isAllowed(width: width, height: height),
            planes.count == layout.planeSizes(width: width, height: height).count
        else { throw CodecError(code: shim_averror(22), operation: "sws_getContext") }
        // swscale reads this layout, but does not write it.
        if case .biplanar422 = layout {
            try convertInterleaved(
                picture, isFullRange: layout.isFullRange, width: width, height: height, into: planes)
        } else {
            try convert(picture, to: layout.format, layout, width: width, height: height, into: planes)
        }
    }

    /// Converts to planes of their own for the differences, then interleaves those.
    private func convertInterleaved(
        _ picture: Pixels, isFullRange: Bool, width: Int, height: Int, into planes: [PicturePlane]
    ) throws(CodecError) {
        let differences = Differences(width: width, height: height)
        try convert(
            picture, to: AV_PIX_FMT_YUV422P, .biplanar422(isFullRange: isFullRange), width: width,
            height: height, into: [planes[0]] + differences.planes)
        differences.interleave(into: planes[1])
    }

    private func convert(
        _ picture: Pixels, to format: AVPixelFormat, _ layout: PictureLayout, width: Int, height: Int,
        into planes: [PicturePlane]
    ) throws(CodecError) {
        let isScaled = (width, height) != (picture.width, picture.height)
        let quality = SWS_ACCURATE_RND | (layout.isRGB ? SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP : 0)
        let context = try prepare(
            Task(
                width: picture.width, height: picture.height, format: Self.plain(picture.format).rawValue,
                isFullRange: picture.isFullRange, targetWidth: width, targetHeight: height,
                targetFormat: format.rawValue, isTargetFullRange: layout.isFullRange,
                flags: quality | (isScaled ? SWS_BICUBIC : SWS_BILINEAR)))
        let isNew = picture.matrix == .rgb && !layout.isRGB
        let wanted = isNew ? VideoColor.Matrix.usual(height: height) : picture.matrix
        let matrix = sws_getCoefficients(wanted.scalerName)
        // Refused where neither side has luma and differences: nothing is to be said then.
        sws_setColorspaceDetails(
            context, matrix, picture.isFullRange ? 1 : 0, matrix, layout.isFullRange ? 1 : 0, 0,
            1 << 16, 1 << 16)
        var targets = [UnsafeMutablePointer<UInt8>?](repeating: nil, count: 4)
        var steps = [Int32](repeating: 0, count: 4)
        for (index, plane) in planes.enumerated() {
            targets[index] = plane.address.assumingMemoryBound(to: UInt8.self)
            steps[index] = Int32(clamping: plane.bytesPerRow)
        }
        let lines = sws_scale(
            context, picture.planes, picture.steps, 0, Int32(picture.height), &targets, &steps)
        try CodecError.check(lines, "sws_scale")
    }

    /// The parameters for which swscale makes its tables.
    private struct Task: Equatable {
        var width: Int
        var height: Int
        var format: Int32
        var isFullRange: Bool
        var targetWidth: Int
        var targetHeight: Int
        var targetFormat: Int32
        var isTargetFullRange: Bool
        var flags: Int32
    }

    /// Returns swscale's context for a task, which knows the ranges from the start: it chooses shortcuts by them.
    private func prepare(_ task: Task) throws(CodecError) -> OpaquePointer {
        if let context, self.task == task { return context }
        sws_freeContext(context)
        context = sws_alloc_context()
        self.task = task
        guard let context else { throw CodecError(code: shim_averror(12), operation: "sws_alloc_context") }
        let options: [(String, Int64)] = [
            ("srcw", Int64(task.width)), ("srch", Int64(task.height)), ("src_format", Int64(task.format)),
            ("src_range", task.isFullRange ? 1 : 0), ("dstw", Int64(task.targetWidth)),
            ("dsth", Int64(task.targetHeight)), ("dst_format", Int64(task.targetFormat)),
            ("dst_range", task.isTargetFullRange ? 1 : 0), ("sws_flags", Int64(task.flags)),
        ]
        for (name, value) in options { av_opt_set_int(UnsafeMutableRawPointer(context), name, value, 0) }
        let code = sws_init_context(context, nil, nil)
        if code < 0 {
            self.task = nil
            throw CodecError(code: code, operation: "sws_init_context")
        }
        return context
    }

    /// swscale's current names for layouts that say their range by their name.
    private static func plain(_ format: AVPixelFormat) -> AVPixelFormat {
        switch format {
        case AV_PIX_FMT_YUVJ420P: AV_PIX_FMT_YUV420P
        case AV_PIX_FMT_YUVJ422P: AV_PIX_FMT_YUV422P
        case AV_PIX_FMT_YUVJ444P: AV_PIX_FMT_YUV444P
        case AV_PIX_FMT_YUVJ440P: AV_PIX_FMT_YUV440P
        default: format
        }
    }
}
