//! Documents to measure on: code-like, in several scripts, the same in every run.

use foretell_text::ByteOffset;

/// The sizes that every benchmark of a document is measured at.
pub const SIZES: [(&str, usize); 3] = [("50 KB", 50_000), ("500 KB", 500_000), ("5 MB", 5_000_000)];

/// Lines that a document is made of.
const LINES: [&str; 8] = [
    "    let total = items.iter().map(|item| item.price * item.count).sum::<u64>();\n",
    "    if total > LIMIT {\n",
    "        return Err(Error::TooMuch { total, limit: LIMIT });\n",
    "    }\n",
    "\n",
    "    // 合計が上限を超えた場合はエラーを返す。\n",
    "    println!(\"{total} € — fertig 🎉\");\r\n",
    "    let größe = breite × höhe; // Ελληνικά, кириллица\n",
];

/// A document of about so many bytes.
pub fn document(bytes: usize) -> String {
    let mut random = Random::new(bytes as u64);
    let mut text = String::with_capacity(bytes + 100);
    while text.len() < bytes {
        text.push_str(LINES[random.below(LINES.len())]);
        if random.below(4) == 0 {
            text.push_str(&format!(
                "    let value_{} = {};\n",
                text.len(),
                random.below(1_000)
            ));
        }
    }
    text
}

/// Places all over a text, each between two characters.
pub fn places(text: &str, count: usize) -> Vec<ByteOffset> {
    let mut random = Random::new(count as u64);
    (0..count)
        .map(|_| {
            let mut offset = random.below(text.len());
            while !text.is_char_boundary(offset) {
                offset -= 1;
            }
            ByteOffset::new(offset)
        })
        .collect()
}

/// Numbers that look random and are the same in every run.
pub struct Random(u64);

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Random(seed ^ 0x9e37_79b9_7f4a_7c15)
    }

    /// The next number below a bound.
    pub fn below(&mut self, bound: usize) -> usize {
        // Xorshift: three shifts, good enough to pick places with.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}
