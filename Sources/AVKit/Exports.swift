// An app that imports AVKit sees AVFoundation, and the views.
@_exported import AVFoundation
@_exported import Views
