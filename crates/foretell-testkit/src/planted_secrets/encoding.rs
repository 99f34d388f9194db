//! How secrets are written down: base64, hex, percent, escapes, and the checksums that some carry.
//!
//! Written out here, a few lines each, so that the test kit needs no crate for them.

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE58: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// Base64 with what fills it up.
pub(super) fn base64(bytes: &[u8]) -> String {
    let mut written = String::new();
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let digit = (bits >> (18 - 6 * at)) & 63;
            let is_there = at <= three.len();
            written.push(if is_there {
                char::from(BASE64[digit as usize])
            } else {
                '='
            });
        }
    }
    written
}

/// Base64 as it stands in addresses.
pub(super) fn base64_url(bytes: &[u8]) -> String {
    let plain = base64(bytes).replace('+', "-").replace('/', "_");
    plain.trim_end_matches('=').to_owned()
}

/// Two digits for each byte.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// As an address has it: what is not a letter, a digit or `-._~` in percent form.
pub(super) fn percent(text: &str) -> String {
    let one = |byte: u8| {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    };
    text.bytes().map(one).collect()
}

/// The checksum of zip, which some tokens end with.
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    let step = |sum: u32, byte: &u8| {
        (0..8).fold(sum ^ u32::from(*byte), |bits, _| {
            (bits >> 1) ^ (0xedb8_8320 & 0_u32.wrapping_sub(bits & 1))
        })
    };
    !bytes.iter().fold(!0, step)
}

/// That checksum in six letters.
pub(super) fn base62_crc32(body: &str) -> String {
    let mut rest = crc32(body.as_bytes());
    let mut digits = [b'0'; 6];
    for digit in digits.iter_mut().rev() {
        *digit = BASE62[(rest % 62) as usize];
        rest /= 62;
    }
    digits.into_iter().map(char::from).collect()
}

/// Bytes and their checksum as wallets write them.
pub(super) fn base58_check(bytes: &[u8]) -> String {
    let sum = sha256(&sha256(bytes));
    let mut number: Vec<u8> = bytes.iter().chain(&sum[..4]).copied().collect();
    let zeros = number.iter().take_while(|byte| **byte == 0).count();
    let mut digits = Vec::new();
    while number.iter().any(|byte| *byte != 0) {
        let mut left = 0_u32;
        for byte in &mut number {
            let now = left << 8 | u32::from(*byte);
            *byte = (now / 58) as u8;
            left = now % 58;
        }
        digits.push(BASE58[left as usize]);
    }
    digits.extend(vec![b'1'; zeros]);
    digits.into_iter().rev().map(char::from).collect()
}

/// The usual digest.
pub(super) fn sha256(bytes: &[u8]) -> [u8; 32] {
    let (constants, mut state) = sha256_constants();
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend((bytes.len() as u64 * 8).to_be_bytes());
    for block in padded.chunks(64) {
        let mut words: Vec<u32> = block
            .chunks(4)
            .map(|four| {
                four.iter()
                    .fold(0, |word, byte| word << 8 | u32::from(*byte))
            })
            .collect();
        for at in 16..64 {
            let (a, b) = (words[at - 15], words[at - 2]);
            let a = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
            let b = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
            let sum = words[at - 16].wrapping_add(a);
            words.push(sum.wrapping_add(words[at - 7]).wrapping_add(b));
        }
        let mut now = state;
        for (constant, word) in constants.iter().zip(&words) {
            let [a, b, c, d, e, f, g, h] = now;
            let high = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let low = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let one = h
                .wrapping_add(high)
                .wrapping_add(e & f ^ !e & g)
                .wrapping_add(*constant)
                .wrapping_add(*word);
            let two = low.wrapping_add(a & b ^ a & c ^ b & c);
            now = [one.wrapping_add(two), a, b, c, d.wrapping_add(one), e, f, g];
        }
        for (word, new) in state.iter_mut().zip(now) {
            *word = word.wrapping_add(new);
        }
    }
    let mut digest = [0; 32];
    for (four, word) in digest.chunks_mut(4).zip(state) {
        four.copy_from_slice(&word.to_be_bytes());
    }
    digest
}

/// The first bits of the roots of the first primes, which the digest begins with.
fn sha256_constants() -> ([u32; 64], [u32; 8]) {
    let mut primes = (2_u64..).filter(|number| (2..*number).all(|less| number % less != 0));
    let (mut cubes, mut squares) = ([0; 64], [0; 8]);
    for (at, cube) in cubes.iter_mut().enumerate() {
        let prime = primes.next().expect("there is always another prime");
        *cube = root_bits(prime, 3);
        if at < 8 {
            squares[at] = root_bits(prime, 2);
        }
    }
    (cubes, squares)
}

/// The first 32 bits behind the point of a root.
fn root_bits(of: u64, power: u32) -> u32 {
    // The largest number whose power is not above `of` times 2 to the 32 times the power.
    let (mut low, mut high) = (0_u128, 1_u128 << 37);
    let is_under = |number: u128| {
        let whole = number >> 32;
        // Compares in halves, because the third power does not fit.
        if whole.pow(power) > u128::from(of) {
            return false;
        }
        if power == 2 {
            number * number <= u128::from(of) << 64
        } else {
            let square = number * number;
            let (top, bottom) = (square >> 64, square & u128::from(u64::MAX));
            let carried = top * number + ((bottom * number) >> 64);
            carried < u128::from(of) << 32
        }
    };
    while high - low > 1 {
        let middle = (low + high) / 2;
        if is_under(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_and_encodings_are_those_that_others_write() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hex(&sha256(b"abc")), abc);
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(base64(b"user:pw"), "dXNlcjpwdw==");
        assert_eq!(base64_url(&[0xfb, 0xff]), "-_8");
        assert_eq!(percent("a b/c"), "a%20b%2Fc");
    }
}
