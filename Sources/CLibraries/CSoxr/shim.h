#include <soxr.h>

// What the importer cannot turn into Swift: macros over macros.
static inline unsigned long shim_soxr_hq(void) { return SOXR_HQ; }
static inline unsigned long shim_soxr_vhq(void) { return SOXR_VHQ; }
