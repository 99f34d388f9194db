//! Logarithms and powers of two in whole numbers.
//!
//! A probability that was computed with floating point may differ in its last bit between machines,
//! and with it what is suggested; here the same numbers give the same bits everywhere. The tables are
//! computed when the crate is compiled.
//!
//! Absent on purpose: more accuracy than a weight that was learned is worth.

/// One, where sixteen bits are behind the point.
pub(crate) const ONE: i32 = 1 << 16;

const LOGARITHMS: usize = 4096;

/// The logarithm to the base of two with eight bits behind the point.
const LOG: [u16; LOGARITHMS] = {
    let mut table = [0; LOGARITHMS];
    let mut n = 1;
    while n < LOGARITHMS {
        table[n] = logarithm(n as u64);
        n += 1;
    }
    table
};

/// `2^(i / 256)` with sixteen bits behind the point.
const POWER: [u32; 256] = {
    // 2^(1 / 256) with forty bits behind the point.
    const STEP: u128 = 1_102_492_706_219;
    let mut table = [0; 256];
    let mut power = 1_u128 << 40;
    let mut i = 0;
    while i < 256 {
        table[i] = (power >> 24) as u32;
        power = (power * STEP) >> 40;
        i += 1;
    }
    table
};

const fn logarithm(n: u64) -> u16 {
    let whole = 63 - n.leading_zeros();
    // Between one and two, with 31 bits behind the point; each squaring tells one bit more.
    let mut mantissa = (n << 31) >> whole;
    let mut bits = 0_u32;
    let mut left = 8;
    while left > 0 {
        mantissa = (mantissa * mantissa) >> 31;
        bits <<= 1;
        if mantissa >= 1 << 32 {
            mantissa >>= 1;
            bits |= 1;
        }
        left -= 1;
    }
    ((whole << 8) | bits) as u16
}

/// The logarithm to the base of two with eight bits behind the point; of nothing, none.
pub(crate) fn log2(n: u32) -> i32 {
    let spare = 32 - n.leading_zeros();
    let shift = spare.saturating_sub(12);
    i32::from(LOG[(n >> shift) as usize]) + ((shift as i32) << 8)
}

/// Two to a power that is at most zero and has sixteen bits behind the point, as the result has.
pub(crate) fn exp2(power: i32) -> u32 {
    let power = power.min(0);
    let whole = -(power >> 16);
    if whole > 30 {
        return 0;
    }
    let fraction = ((power >> 8) & 255) as usize;
    POWER[fraction] >> whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_and_powers_are_those_of_the_schoolbook() {
        assert_eq!(
            [1, 2, 4, 4096, 1 << 31].map(log2),
            [0, 256, 512, 12 << 8, 31 << 8]
        );
        assert_eq!(log2(0), 0);
        for n in [3_u32, 5, 100, 4095, 5000, 123_456_789] {
            let right = f64::from(n).log2() * 256.0;
            assert!((f64::from(log2(n)) - right).abs() <= 1.0, "{n}");
        }
        assert_eq!(
            [0, -ONE, -2 * ONE, -31 * ONE].map(exp2),
            [65536, 32768, 16384, 0]
        );
        for power in [-ONE / 2, -ONE / 3, -5 * ONE / 2] {
            let right = (f64::from(power) / 65536.0).exp2() * 65536.0;
            assert!((f64::from(exp2(power)) - right).abs() <= 200.0, "{power}");
        }
    }
}
