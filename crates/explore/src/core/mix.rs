//! Hashes of numbers.

/// Mixes bits.
pub fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xd1b5_4a32_d192_ed03);
    let folded = product as u64 ^ (product >> 64) as u64;
    (folded ^ a.rotate_left(29) ^ b).wrapping_mul(0xff51_afd7_ed55_8ccd) ^ (folded >> 31)
}
