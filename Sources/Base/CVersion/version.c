#include "version.h"

const char *const tutti_version = TUTTI_VERSION;
