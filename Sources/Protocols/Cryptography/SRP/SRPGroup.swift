/// A safe prime and a generator, agreed in advance by both sides of SRP.
///
/// Source: RFC 5054, appendix A.
package struct SRPGroup: Sendable, Equatable {
    /// The prime N, big-endian, no leading zero byte.
    package let modulus: [UInt8]
    /// The generator g.
    package let generator: UInt8

    /// The length of N in bytes, to which k and u are padded.
    package var byteCount: Int { modulus.count }

    private init(generator: UInt8, words: [UInt64]) {
        self.generator = generator
        modulus = words.flatMap { word in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
        }
    }

    /// 1024 bits, g = 2: the group of the standard's worked example. Too small to protect anything.
    package static let rfc5054Bits1024 = SRPGroup(
        generator: 2,
        words: [
            0xEEAF_0AB9_ADB3_8DD6, 0x9C33_F80A_FA8F_C5E8, 0x6072_6187_75FF_3C0B, 0x9EA2_314C_9C25_6576,
            0xD674_DF74_96EA_81D3, 0x383B_4813_D692_C6E0, 0xE0D5_D8E2_50B9_8BE4, 0x8E49_5C1D_6089_DAD1,
            0x5DC7_D7B4_6154_D6B6, 0xCE8E_F4AD_69B1_5D49, 0x8255_9B29_7BCF_1885, 0xC529_F566_660E_57EC,
            0x68ED_BC3C_0572_6CC0, 0x2FD4_CBF4_976E_AA9A, 0xFD51_38FE_8376_435B, 0x9FC6_1D2F_C0EB_06E3,
        ])

    /// 2048 bits, g = 2: the group of the pairing of Apple TVs before HomeKit.
    package static let rfc5054Bits2048 = SRPGroup(
        generator: 2,
        words: [
            0xAC6B_DB41_324A_9A9B, 0xF166_DE5E_1389_582F, 0xAF72_B665_1987_EE07, 0xFC31_9294_3DB5_6050,
            0xA373_29CB_B4A0_99ED, 0x8193_E075_7767_A13D, 0xD523_12AB_4B03_310D, 0xCD7F_48A9_DA04_FD50,
            0xE808_3969_EDB7_67B0, 0xCF60_9517_9A16_3AB3, 0x661A_05FB_D5FA_AAE8, 0x2918_A996_2F0B_93B8,
            0x55F9_7993_EC97_5EEA, 0xA80D_740A_DBF4_FF74, 0x7359_D041_D5C3_3EA7, 0x1D28_1E44_6B14_773B,
            0xCA97_B43A_23FB_8016, 0x76BD_207A_436C_6481, 0xF1D2_B907_8717_461A, 0x5B9D_32E6_88F8_7748,
            0x5445_23B5_24B0_D57D, 0x5EA7_7A27_75D2_ECFA, 0x032C_FBDB_F52F_B378, 0x6160_2790_04E5_7AE6,
            0xAF87_4E73_03CE_5329, 0x9CCC_041C_7BC3_08D8, 0x2A56_98F3_A8D0_C382, 0x71AE_35F8_E9DB_FBB6,
            0x94B5_C803_D89F_7AE4, 0x35DE_236D_525F_5475, 0x9B65_E372_FCD6_8EF2, 0x0FA7_111F_9E4A_FF73,
        ])

    /// 3072 bits, g = 5: the group of HomeKit and AirPlay pairing.
    package static let rfc5054Bits3072 = SRPGroup(
        generator: 5,
        words: [
            0xFFFF_FFFF_FFFF_FFFF, 0xC90F_DAA2_2168_C234, 0xC4C6_628B_80DC_1CD1, 0x2902_4E08_8A67_CC74,
            0x020B_BEA6_3B13_9B22, 0x514A_0879_8E34_04DD, 0xEF95_19B3_CD3A_431B, 0x302B_0A6D_F25F_1437,
            0x4FE1_356D_6D51_C245, 0xE485_B576_625E_7EC6, 0xF44C_42E9_A637_ED6B, 0x0BFF_5CB6_F406_B7ED,
            0xEE38_6BFB_5A89_9FA5, 0xAE9F_2411_7C4B_1FE6, 0x4928_6651_ECE4_5B3D, 0xC200_7CB8_A163_BF05,
            0x98DA_4836_1C55_D39A, 0x6916_3FA8_FD24_CF5F, 0x8365_5D23_DCA3_AD96, 0x1C62_F356_2085_52BB,
            0x9ED5_2907_7096_966D, 0x670C_354E_4ABC_9804, 0xF174_6C08_CA18_217C, 0x3290_5E46_2E36_CE3B,
            0xE39E_772C_180E_8603, 0x9B27_83A2_EC07_A28F, 0xB5C5_5DF0_6F4C_52C9, 0xDE2B_CBF6_9558_1718,
            0x3995_497C_EA95_6AE5, 0x15D2_2618_98FA_0510, 0x1572_8E5A_8AAA_C42D, 0xAD33_170D_0450_7A33,
            0xA855_21AB_DF1C_BA64, 0xECFB_8504_58DB_EF0A, 0x8AEA_7157_5D06_0C7D, 0xB397_0F85_A6E1_E4C7,
            0xABF5_AE8C_DB09_33D7, 0x1E8C_94E0_4A25_619D, 0xCEE3_D226_1AD2_EE6B, 0xF12F_FA06_D98A_0864,
            0xD876_0273_3EC8_6A64, 0x521F_2B18_177B_200C, 0xBBE1_1757_7A61_5D6C, 0x7709_88C0_BAD9_46E2,
            0x08E2_4FA0_74E5_AB31, 0x43DB_5BFC_E0FD_108E, 0x4B82_D120_A93A_D2CA, 0xFFFF_FFFF_FFFF_FFFF,
        ])
}
