#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>

// A macro that Swift cannot read.
static const int shim_evp_pkey_public_key = EVP_PKEY_PUBLIC_KEY;

// The library keeps these pointers; those to a String of Swift's end with the call.
static inline const char *shim_rsa_modulus_name(void) { return OSSL_PKEY_PARAM_RSA_N; }
static inline const char *shim_rsa_exponent_name(void) { return OSSL_PKEY_PARAM_RSA_E; }
