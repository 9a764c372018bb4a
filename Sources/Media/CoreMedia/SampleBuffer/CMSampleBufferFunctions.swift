import Foundation

// The C functions that read and change sample buffers.

/// Returns the data, or `nil` before it is set.
@discardableResult
public func CMSampleBufferGetDataBuffer(_ sbuf: CMSampleBuffer) -> CMBlockBuffer? { sbuf.dataBuffer }

/// Sets the buffer's data, once.
@discardableResult
public func CMSampleBufferSetDataBuffer(_ sbuf: CMSampleBuffer, newValue dataBuffer: CMBlockBuffer)
    -> OSStatus
{
    status { try sbuf.setDataBuffer(dataBuffer) }
}

/// Returns the format of the samples.
@discardableResult
public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? {
    sbuf.formatDescription
}

/// Returns the number of samples.
@discardableResult
public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> CMItemCount { sbuf.numSamples }

/// Returns the earliest presentation time.
@discardableResult
public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
    sbuf.presentationTimeStamp
}

/// Returns the earliest decode time.
@discardableResult
public func CMSampleBufferGetDecodeTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.decodeTimeStamp }

/// Returns the duration of all samples together.
@discardableResult
public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.duration }

/// Returns the time at which the first audible sample is due.
@discardableResult
public func CMSampleBufferGetOutputPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
    sbuf.outputPresentationTimeStamp
}

/// Sets the time at which the buffer is due; an invalid time restores the computed one.
@discardableResult
public func CMSampleBufferSetOutputPresentationTimeStamp(
    _ sbuf: CMSampleBuffer, newValue outputPresentationTimeStamp: CMTime
) -> OSStatus {
    status { try sbuf.setOutputPresentationTimeStamp(outputPresentationTimeStamp) }
}

/// Returns the decode time of the first sample, on the output's timeline.
@discardableResult
public func CMSampleBufferGetOutputDecodeTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
    sbuf.outputDecodeTimeStamp
}

/// Returns the audible duration.
@discardableResult
public func CMSampleBufferGetOutputDuration(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.outputDuration }

/// Returns the size of all samples together, in bytes.
@discardableResult
public func CMSampleBufferGetTotalSampleSize(_ sbuf: CMSampleBuffer) -> Int { sbuf.totalSampleSize }

/// Returns the size of one sample, in bytes.
@discardableResult
public func CMSampleBufferGetSampleSize(_ sbuf: CMSampleBuffer, at sampleIndex: CMItemIndex) -> Int {
    sbuf.sampleSize(at: sampleIndex)
}

/// Returns the times of one sample.
@discardableResult
public func CMSampleBufferGetSampleTimingInfo(
    _ sbuf: CMSampleBuffer, at sampleIndex: CMItemIndex,
    timingInfoOut: UnsafeMutablePointer<CMSampleTimingInfo>
) -> OSStatus {
    status { timingInfoOut.pointee = try sbuf.sampleTimingInfo(at: sampleIndex) }
}

/// Copies the timing entries.
@discardableResult
public func CMSampleBufferGetSampleTimingInfoArray(
    _ sbuf: CMSampleBuffer, entryCount: CMItemCount, arrayToFill: UnsafeMutablePointer<CMSampleTimingInfo>?,
    entriesNeededOut: UnsafeMutablePointer<CMItemCount>?
) -> OSStatus {
    status { try copy(sbuf.sampleTimingInfos(), to: arrayToFill, entryCount, needed: entriesNeededOut) }
}

/// Copies the timing entries on the output's timeline.
@discardableResult
public func CMSampleBufferGetOutputSampleTimingInfoArray(
    _ sbuf: CMSampleBuffer, entryCount: CMItemCount, arrayToFill: UnsafeMutablePointer<CMSampleTimingInfo>?,
    entriesNeededOut: UnsafeMutablePointer<CMItemCount>?
) -> OSStatus {
    status { try copy(sbuf.outputSampleTimingInfos(), to: arrayToFill, entryCount, needed: entriesNeededOut) }
}

/// Copies the size entries.
@discardableResult
public func CMSampleBufferGetSampleSizeArray(
    _ sbuf: CMSampleBuffer, entryCount: CMItemCount, arrayToFill: UnsafeMutablePointer<Int>?,
    entriesNeededOut: UnsafeMutablePointer<CMItemCount>?
) -> OSStatus {
    status { try copy(sbuf.sampleSizes(), to: arrayToFill, entryCount, needed: entriesNeededOut) }
}

private func copy<Entry>(
    _ entries: [Entry], to array: UnsafeMutablePointer<Entry>?, _ room: CMItemCount,
    needed: UnsafeMutablePointer<CMItemCount>?
) throws {
    needed?.pointee = entries.count
    guard let array else {
        if needed == nil { throw CMSampleBuffer.Error.requiredParameterMissing }
        return
    }
    guard room >= entries.count else { throw CMSampleBuffer.Error.arrayTooSmall }
    for (index, entry) in entries.enumerated() { array[index] = entry }
}

/// Returns a dictionary of attachments for each sample; `nil` if there are none and none are to be created.
@discardableResult
public func CMSampleBufferGetSampleAttachmentsArray(
    _ sbuf: CMSampleBuffer, createIfNecessary: Bool
) -> CFArray? {
    if !createIfNecessary, sbuf.withState({ $0.sampleAttachments == nil }) { return nil }
    return SampleDictionaries(sbuf.sampleDictionaries())
}

/// Copies the packet descriptions; none for formats with packets of constant size. Sizes are in bytes.
@discardableResult
public func CMSampleBufferGetAudioStreamPacketDescriptions(
    _ sbuf: CMSampleBuffer, packetDescriptionsSize: Int,
    packetDescriptionsOut: UnsafeMutablePointer<AudioStreamPacketDescription>?,
    packetDescriptionsSizeNeededOut: UnsafeMutablePointer<Int>?
) -> OSStatus {
    status {
        let packets = try sbuf.audioStreamPacketDescriptions()
        let stride = MemoryLayout<AudioStreamPacketDescription>.stride
        packetDescriptionsSizeNeededOut?.pointee = packets.count * stride
        guard packetDescriptionsOut != nil || packetDescriptionsSizeNeededOut == nil else { return }
        var needed = 0
        try copy(packets, to: packetDescriptionsOut, max(0, packetDescriptionsSize) / stride, needed: &needed)
    }
}

/// Points an audio buffer list at the data and returns the block buffer that keeps the data alive.
@discardableResult
public func CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
    _ sbuf: CMSampleBuffer, bufferListSizeNeededOut: UnsafeMutablePointer<Int>?,
    bufferListOut: UnsafeMutablePointer<AudioBufferList>?, bufferListSize: Int,
    blockBufferAllocator: CFAllocator?, blockBufferMemoryAllocator: CFAllocator?, flags: UInt32,
    blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>?
) -> OSStatus {
    status {
        let planes = try sbuf.audioPlanes()
        let planeCount = planes.description.planeCount
        let needed = AudioBufferList.sizeInBytes(maximumBuffers: planeCount)
        bufferListSizeNeededOut?.pointee = needed
        guard let bufferListOut else { return }
        guard bufferListSize >= needed else { throw CMSampleBuffer.Error.arrayTooSmall }
        guard let blockBufferOut else { throw CMSampleBuffer.Error.requiredParameterMissing }
        let list = UnsafeMutableAudioBufferListPointer(bufferListOut)
        list.count = planeCount
        try planes.fill(list)
        blockBufferOut.pointee = planes.data
    }
}

/// Copies PCM frames into the buffers of a list.
@discardableResult
public func CMSampleBufferCopyPCMDataIntoAudioBufferList(
    _ sbuf: CMSampleBuffer, at frameOffset: Int32, frameCount numFrames: Int32,
    into bufferList: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
    status {
        guard frameOffset >= 0, numFrames >= 0 else { throw CMSampleBuffer.Error.sampleIndexOutOfRange }
        let start = Int(frameOffset)
        try sbuf.copyPCMData(fromRange: start..<start + Int(numFrames), into: bufferList)
    }
}

/// Sets the data to a copy of the audio in a list and marks the data ready.
@discardableResult
public func CMSampleBufferSetDataBufferFromAudioBufferList(
    _ sbuf: CMSampleBuffer, blockBufferAllocator: CFAllocator?, blockBufferMemoryAllocator: CFAllocator?,
    flags: UInt32, bufferList: UnsafePointer<AudioBufferList>
) -> OSStatus {
    status { try sbuf.setDataBuffer(fromAudioBufferList: bufferList, flags: .init(rawValue: flags)) }
}

/// Returns whether the data is ready.
@discardableResult
public func CMSampleBufferDataIsReady(_ sbuf: CMSampleBuffer) -> Bool { sbuf.dataReadiness == .ready }

/// Marks the data ready.
@discardableResult
public func CMSampleBufferSetDataReady(_ sbuf: CMSampleBuffer) -> OSStatus {
    status { try sbuf.setDataReadiness(.ready) }
}

/// Marks the data as failed, with the reason's code.
@discardableResult
public func CMSampleBufferSetDataFailed(_ sbuf: CMSampleBuffer, status code: OSStatus) -> OSStatus {
    status { try sbuf.setDataReadiness(.failed(code)) }
}

/// Calls the buffer's handler to make the data ready.
@discardableResult
public func CMSampleBufferMakeDataReady(_ sbuf: CMSampleBuffer) -> OSStatus {
    status { try sbuf.makeDataReady() }
}

/// Returns whether the buffer has not been invalidated.
@discardableResult
public func CMSampleBufferIsValid(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isValid }

/// Makes the buffer unusable.
@discardableResult
public func CMSampleBufferInvalidate(_ sbuf: CMSampleBuffer) -> OSStatus { status { try sbuf.invalidate() } }
