#pragma once

/// The version of this build. Its text is not a macro, so that a new one compiles this file alone.
extern const char *_Nonnull const tutti_version;
