import CoreAudioTypes

/// A reader of a movie's description of its first audio track.
struct MP4Description {
    private var timescale: UInt64 = 0
    private var totalTime: UInt64 = 0

    /// Fills in the facts and returns the track's sample table.
    mutating func read(_ movie: [UInt8], _ facts: inout StreamFacts) throws(StreamFailure) -> MP4SampleTable {
        for track in MP4Box.boxes(in: movie[...]) where track.name == "trak" {
            guard let media = MP4Box.content(["mdia"], in: track.content),
                let handler = MP4Box.content(["hdlr"], in: media),
                handler.dropFirst(8).prefix(4).reads("soun"),
                let table = MP4Box.content(["minf", "stbl"], in: media)
            else { continue }
            readTimes(media, table)
            try readFormat(table, &facts)
            let isConstant = facts.format.mBytesPerPacket > 0
            guard
                let samples = MP4SampleTable(
                    table, packetSize: isConstant ? Int(facts.format.mBytesPerPacket) : 0)
            else { throw StreamFailure(kAudioFileStreamError_InvalidFile) }
            facts.packetCount = UInt64(samples.count)
            facts.byteCount = samples.byteCount
            facts.maximumPacketSize = samples.largestSize
            facts.packetSizeUpperBound = samples.largestSize
            readHeardFrames(movie[...], track.content, &facts)
            if totalTime > 0, timescale > 0 {
                let rate = Double(samples.byteCount) * 8 * Double(timescale) / Double(totalTime)
                facts.bitRate = UInt32(min(rate.rounded(), Double(UInt32.max)))
            }
            return samples
        }
        throw StreamFailure(kAudioFileStreamError_UnsupportedDataFormat)
    }

    /// `mdhd`: version (8 bits), flags, two times, timescale (32), duration; `stts`: runs of count and time
    /// (32 each).
    private mutating func readTimes(_ media: ArraySlice<UInt8>, _ table: ArraySlice<UInt8>) {
        if let header = MP4Box.content(["mdhd"], in: media).map({ Array($0) }), header.count >= 24 {
            timescale = (header[0] == 1 ? header[20..<24] : header[12..<16]).bigEndian
        }
        guard let times = MP4Box.content(["stts"], in: table).map({ Array($0) }), times.count >= 8 else {
            return
        }
        let count = min(Int(times[4..<8].bigEndian), (times.count - 8) / 8)
        for index in 0..<count {
            let place = 8 + index * 8
            let (run, time) = (times[place..<place + 4].bigEndian, times[place + 4..<place + 8].bigEndian)
            totalTime = totalTime &+ run &* time
        }
    }

    /// `stsd`: after eight bytes a box with the coding's name: reserved (8 bytes), version (16), six bytes,
    /// channels, bits (16 each), four bytes, rate (16 and 16 bits of fraction), in version 1 16 bytes more;
    /// then boxes.
    private func readFormat(_ table: ArraySlice<UInt8>, _ facts: inout StreamFacts) throws(StreamFailure) {
        guard let descriptions = MP4Box.content(["stsd"], in: table),
            let entry = MP4Box.boxes(in: descriptions.dropFirst(8)).first, entry.content.count >= 28
        else { throw StreamFailure(kAudioFileStreamError_InvalidFile) }
        let content = Array(entry.content)
        let version = content[8..<10].bigEndian
        let (channels, bits) = (UInt32(content[16..<18].bigEndian), UInt32(content[18..<20].bigEndian))
        let rate = Double(content[24..<26].bigEndian)
        let inner = entry.content.dropFirst(version == 1 ? 44 : version == 2 ? 64 : 28)
        if ["sowt", "twos", "in24", "in32", "fl32"].contains(entry.name) {
            let isFloat = entry.name == "fl32"
            let width: UInt32 = entry.name == "in24" ? 24 : entry.name == "in32" || isFloat ? 32 : bits
            let order = entry.name == "sowt" ? 0 : kAudioFormatFlagIsBigEndian
            let kind = isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger
            return try facts.setPCM(rate: rate, bits: width, channels: channels, flags: kind | order)
        }
        var stream = AudioStreamBasicDescription()
        (stream.mSampleRate, stream.mChannelsPerFrame) = (rate, channels)
        try Self.complete(&stream, of: entry.name, inner, &facts)
        guard stream.mSampleRate > 0, (1...64).contains(stream.mChannelsPerFrame) else {
            throw StreamFailure(kAudioFileStreamError_UnsupportedDataFormat)
        }
        facts.format = stream
        facts.layout = ManagedAudioChannelLayout(
            tag: AACConfiguration.layoutTag(channels: Int(stream.mChannelsPerFrame)))
    }

    /// Completes a compressed coding's description, and sets its cookie.
    ///
    /// - Parameter boxes: The boxes of the description.
    private static func complete(
        _ stream: inout AudioStreamBasicDescription, of coding: String, _ boxes: ArraySlice<UInt8>,
        _ facts: inout StreamFacts
    ) throws(StreamFailure) {
        func box(_ name: String, skipping header: Int = 0, atLeast count: Int) throws(StreamFailure)
            -> ArraySlice<UInt8>
        {
            let content = MP4Box.content([name], in: boxes) ?? MP4Box.content(["wave", name], in: boxes)
            guard let content = content?.dropFirst(header), content.count >= count else {
                throw StreamFailure(kAudioFileStreamError_InvalidFile)
            }
            return content
        }
        switch coding {
        case "mp4a":
            let descriptor = try box("esds", skipping: 4, atLeast: 1)
            facts.cookie = Array(descriptor)
            stream.mFormatID = isLayer3(descriptor) ? kAudioFormatMPEGLayer3 : kAudioFormatMPEG4AAC
            let formats = CompressedFormat.formats(of: stream, cookie: facts.cookie)
            facts.formats = formats
            stream = formats.last?.mASBD ?? stream
            return
        case "alac":
            facts.cookie = Array(try box("alac", skipping: 4, atLeast: 24).prefix(24))
            stream.mFormatID = kAudioFormatAppleLossless
        case "fLaC":
            facts.cookie = [0, 0, 0, 50] + Array("dfLa".utf8) + (try box("dfLa", atLeast: 42)).prefix(42)
            stream.mFormatID = kAudioFormatFLAC
        case "Opus":
            facts.cookie = Array(try box("dOps", atLeast: 11))
            stream.mFormatID = kAudioFormatOpus
        case ".mp3": stream.mFormatID = kAudioFormatMPEGLayer3
        default: throw StreamFailure(kAudioFileStreamError_UnsupportedDataFormat)
        }
        stream = CompressedFormat.completed(stream, cookie: facts.cookie)
    }

    /// Returns whether a descriptor's object type is MPEG audio.
    private static func isLayer3(_ descriptor: ArraySlice<UInt8>) -> Bool {
        // The decoder's descriptor is the first one with tag 4 after the header.
        guard let tag = descriptor.dropFirst(3).firstIndex(of: 4) else { return false }
        let rest = descriptor[(tag + 1)...].drop { $0 & 0x80 != 0 }.dropFirst()
        return rest.first == 0x69 || rest.first == 0x6B
    }

    /// Reads the audible frames from the encoder's own note, or from the edit list.
    private func readHeardFrames(
        _ movie: ArraySlice<UInt8>, _ track: ArraySlice<UInt8>, _ facts: inout StreamFacts
    ) {
        let rate = UInt64(facts.format.mSampleRate)
        guard timescale == rate, totalTime > 0, totalTime <= UInt64(Int64.max) else { return }
        let total = Int64(totalTime)
        var (priming, valid) = (Int64(0), total)
        if let note = Self.gaplessNote(movie) {
            (priming, valid) = (note.priming, note.valid)
        } else if let edit = edit(movie, track) {
            priming = edit.start
            valid = edit.length > 0 ? edit.length : total - min(priming, total)
        }
        let (heard, overflow) = priming.addingReportingOverflow(valid)
        guard !overflow, priming >= 0, valid >= 0, heard <= total, priming <= Int64(Int32.max) else { return }
        // Every packet decodes to its full length; only the last packet's time is shorter.
        let perPacket = UInt64(facts.format.mFramesPerPacket)
        let decoded = facts.packetCount.map { $0.multipliedReportingOverflow(by: perPacket) }
        let whole =
            decoded.map { $0.overflow ? total : max(total, Int64(clamping: $0.partialValue)) } ?? total
        facts.packetTable = AudioFilePacketTableInfo(
            mNumberValidFrames: valid, mPrimingFrames: Int32(priming),
            mRemainderFrames: Int32(clamping: whole - heard))
    }

    /// `elst`: runs of length in the movie's time, start in the track's (32 or 64 each), speed (32). Reads a
    /// single edit.
    private func edit(
        _ movie: ArraySlice<UInt8>, _ track: ArraySlice<UInt8>
    ) -> (start: Int64, length: Int64)? {
        guard let list = MP4Box.content(["edts", "elst"], in: track).map({ Array($0) }), list.count >= 20,
            list[4..<8].bigEndian == 1, let header = MP4Box.content(["mvhd"], in: movie).map({ Array($0) }),
            header.count >= 24
        else { return nil }
        let isLarge = list[0] == 1
        guard !isLarge || list.count >= 28 else { return nil }
        let length = isLarge ? list[8..<16].bigEndian : list[8..<12].bigEndian
        let start = isLarge ? Int64(bitPattern: list[16..<24].bigEndian) : Int64(list[12..<16].bigEndian)
        let movieScale = (header[0] == 1 ? header[20..<24] : header[12..<16]).bigEndian
        // A movie clock coarser than the track's cannot express the end of the sound.
        guard movieScale == timescale, length <= UInt64(Int64.max) else { return (start, 0) }
        return (start, Int64(length))
    }

    /// Reads iTunes' gapless note: hexadecimal words, the second the frames before the sound, the fourth the
    /// audible ones.
    private static func gaplessNote(_ movie: ArraySlice<UInt8>) -> (priming: Int64, valid: Int64)? {
        guard let user = MP4Box.content(["udta", "meta"], in: movie),
            let items = MP4Box.content(["ilst"], in: user.dropFirst(4))
        else { return nil }
        for item in MP4Box.boxes(in: items) where item.name == "----" {
            guard let name = MP4Box.content(["name"], in: item.content), name.dropFirst(4).reads("iTunSMPB"),
                let data = MP4Box.content(["data"], in: item.content)
            else { continue }
            let words = String(decoding: data.dropFirst(8), as: UTF8.self).split(separator: " ")
            guard words.count >= 4, let priming = Int64(words[1], radix: 16),
                let valid = Int64(words[3], radix: 16)
            else { return nil }
            return (priming, valid)
        }
        return nil
    }
}
