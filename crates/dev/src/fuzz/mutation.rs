//! Ways to break a file.

use crate::random::Random;

/// No mutation makes a file longer than this.
const LENGTH_LIMIT: usize = 4 << 20;

/// Bytes that no UTF-8 text contains.
const NOT_UTF8: [&[u8]; 4] = [b"\xff\xfe", b"\xc0\x80", b"\xed\xa0\x80", b"\x80"];

/// Numbers at the edges of types, to put where a number was.
const NUMBERS: [&str; 12] = [
    "0",
    "-1",
    "1",
    "64",
    "255",
    "65536",
    "2147483648",
    "4294967295",
    "9223372036854775808",
    "18446744073709551615",
    "340282366920938463463374607431768211456",
    "1e9999",
];

/// Breaks a file in one to four ways. `other` lends the parts that are spliced in.
pub fn mutate(random: &mut Random, file: &[u8], other: &[u8]) -> Vec<u8> {
    let mut broken = file.to_vec();
    for _ in 0..=random.below(4) {
        broken = match random.below(12) {
            0 => flip_bits(random, broken),
            1 => truncate(random, broken),
            2 => delete_line(random, &broken),
            3 => duplicate_line(random, &broken),
            4 => swap_lines(random, &broken),
            5 | 6 => splice_tokens(random, &broken, other),
            7 => replace_number(random, &broken),
            8 => insert(random, broken, Random::bytes),
            9 => insert(random, broken, |random, _| {
                random.choose(&NOT_UTF8).copied().unwrap_or_default().to_vec()
            }),
            10 => delete_range(random, broken),
            _ => repeat_range(random, broken),
        };
        broken.truncate(LENGTH_LIMIT);
    }
    broken
}

fn flip_bits(random: &mut Random, mut file: Vec<u8>) -> Vec<u8> {
    for _ in 0..=random.below(8) {
        let at = random.below(file.len());
        if let Some(byte) = file.get_mut(at) {
            *byte ^= 1 << random.below(8);
        }
    }
    file
}

fn truncate(random: &mut Random, mut file: Vec<u8>) -> Vec<u8> {
    file.truncate(random.below(file.len()));
    file
}

fn delete_line(random: &mut Random, file: &[u8]) -> Vec<u8> {
    let mut lines = lines(file);
    if !lines.is_empty() {
        lines.remove(random.below(lines.len()));
    }
    lines.concat()
}

fn duplicate_line(random: &mut Random, file: &[u8]) -> Vec<u8> {
    let mut lines = lines(file);
    if let Some(&line) = random.choose(&lines) {
        lines.insert(random.below(lines.len()), line);
    }
    lines.concat()
}

fn swap_lines(random: &mut Random, file: &[u8]) -> Vec<u8> {
    let mut lines = lines(file);
    if !lines.is_empty() {
        let (one, other) = (random.below(lines.len()), random.below(lines.len()));
        lines.swap(one, other);
    }
    lines.concat()
}

/// Puts a few tokens of one file in the place of a few of another.
fn splice_tokens(random: &mut Random, file: &[u8], other: &[u8]) -> Vec<u8> {
    let (mut tokens, lent) = (tokens(file), tokens(other));
    let target = random_range(random, tokens.len(), 6);
    let part = lent.get(random_range(random, lent.len(), 20)).unwrap_or_default();
    tokens.splice(target, part.iter().copied());
    tokens.concat()
}

fn replace_number(random: &mut Random, file: &[u8]) -> Vec<u8> {
    let mut tokens = tokens(file);
    let is_number = |token: &&[u8]| token.first().is_some_and(u8::is_ascii_digit);
    let places: Vec<usize> = (0..tokens.len()).filter(|&at| tokens.get(at).is_some_and(is_number)).collect();
    let place = random.choose(&places).and_then(|&at| tokens.get_mut(at));
    if let (Some(token), Some(number)) = (place, random.choose(&NUMBERS)) {
        *token = number.as_bytes();
    }
    tokens.concat()
}

/// Inserts what `make` makes of a length, in one place.
fn insert(random: &mut Random, mut file: Vec<u8>, make: fn(&mut Random, usize) -> Vec<u8>) -> Vec<u8> {
    let at = random.below(file.len() + 1);
    let length = 1 + random.below(16);
    file.splice(at..at, make(random, length));
    file
}

fn delete_range(random: &mut Random, mut file: Vec<u8>) -> Vec<u8> {
    file.drain(random_range(random, file.len(), 64));
    file
}

fn repeat_range(random: &mut Random, mut file: Vec<u8>) -> Vec<u8> {
    let range = random_range(random, file.len(), 64);
    let part = file.get(range.clone()).unwrap_or_default().repeat(1 + random.below(40));
    file.splice(range.end..range.end, part);
    file
}

/// A range inside `0..length`, not longer than `longest`.
fn random_range(random: &mut Random, length: usize, longest: usize) -> std::ops::Range<usize> {
    let start = random.below(length);
    start..(start + random.below(longest + 1)).min(length)
}

fn lines(file: &[u8]) -> Vec<&[u8]> {
    file.split_inclusive(|&byte| byte == b'\n').collect()
}

/// Words, numbers and single other bytes: near enough to the tokens of C and of LLVM's text.
fn tokens(file: &[u8]) -> Vec<&[u8]> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    file.chunk_by(|one, other| is_word(one) && is_word(other)).collect()
}

/// One text inside itself, again and again; kinds of nesting that compilers and tools recurse over.
pub fn nested(random: &mut Random) -> (Vec<u8>, super::corpus::Form) {
    use super::corpus::Form;
    let depth = [50, 250, 3_000, 30_000].get(random.below(4)).copied().unwrap_or(50);
    let around = |before: &str, open: &str, middle: &str, close: &str, after: &str| {
        format!("{before}{}{middle}{}{after}\n", open.repeat(depth), close.repeat(depth))
    };
    let (text, form) = match random.below(12) {
        0 => (around("int main(void) { return ", "(", "0", ")", "; }"), Form::Source),
        1 => (around("int main(void) ", "{", "", "}", ""), Form::Source),
        2 => (around("int main(void) { return ", "- ", "0", "", "; }"), Form::Source),
        3 => (around("int main(void) { return 0", " + 0", "", "", "; }"), Form::Source),
        4 => (around("int ", "*", "p; int main(void) { return p != 0", "", "; }"), Form::Source),
        5 => (around("int a", "[1]", "; int main(void) { return sizeof a == 0", "", "; }"), Form::Source),
        6 => (
            around("", "struct { int a; ", "int b; ", "} c; ", " int main(void) { return 0; }"),
            Form::Source,
        ),
        7 => {
            (around("int main(int c, char **v) { ", "if (c) ", "return 0;", "", " return 0; }"), Form::Source)
        }
        8 => (
            around("int f(int a) { return a; } int main(void) { return ", "f(", "0", ")", "; }"),
            Form::Source,
        ),
        9 => (around("#define A(x) x\nint main(void) { return ", "A(", "0", ")", "; }"), Form::Source),
        10 => (
            around(
                "@g = global ",
                "[1 x ",
                "i32",
                "]",
                " zeroinitializer\ndefine i32 @main() {\n  ret i32 0\n}",
            ),
            Form::Text,
        ),
        _ => (
            around(
                "@g = global ",
                "{ i8, ",
                "i32",
                " }",
                " zeroinitializer\ndefine i32 @main() {\n  ret i32 0\n}",
            ),
            Form::Text,
        ),
    };
    (text.into_bytes(), form)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_breaks_alike_and_nothing_panics() {
        let files: [&[u8]; 4] = [b"", b"x", b"int main(void)\n{\n    return 42;\n}\n", b"\xff\x00\n\n"];
        for case in 0..5_000 {
            let broken = || {
                let mut random = Random::for_case(7, case);
                let file = random.choose(&files).copied().unwrap_or_default();
                let other = random.choose(&files).copied().unwrap_or_default();
                mutate(&mut random, file, other)
            };
            assert_eq!(broken(), broken());
        }
    }

    #[test]
    fn tokens_put_together_are_the_file() {
        let file = b"int a_1 = 0x10+b;\n\xff";
        assert_eq!(tokens(file).concat(), file);
        assert_eq!(tokens(file)[..3], [&b"int"[..], b" ", b"a_1"]);
    }
}
