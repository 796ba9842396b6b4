//! Reading a text from left to right: words, numbers, names, quoted text.

use super::names::is_name_byte;
use std::fmt;

/// The text is not that of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What should be there.
    pub expected: String,
    /// What is there.
    pub found: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, expected, found } = self;
        write!(f, "{line}:{column}: expected {expected}, found {found}")
    }
}

impl std::error::Error for ParseError {}

/// What reading gives.
pub(super) type Parsed<T> = Result<T, ParseError>;

/// A position in a text. Spaces are skipped before everything that is read; lines end where the grammar says so.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'t> {
    text: &'t str,
    position: usize,
}

impl<'t> Cursor<'t> {
    /// The beginning of a text.
    pub fn new(text: &'t str) -> Self {
        Self { text, position: 0 }
    }

    /// The rest of the text, behind spaces.
    fn rest(&mut self) -> &'t str {
        let rest = &self.text[self.position..];
        let trimmed = rest.trim_start_matches([' ', '\t', '\r']);
        self.position += rest.len() - trimmed.len();
        trimmed
    }

    /// The position of the next token, to read from there.
    pub fn here(&mut self) -> Self {
        self.rest();
        *self
    }

    /// Says that something else should be here.
    pub fn error<T>(mut self, expected: impl Into<String>) -> Parsed<T> {
        let rest = self.rest();
        let before = &self.text[..self.position];
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        let found: String = match rest.chars().next() {
            None => "the end of the text".to_owned(),
            Some('\n') => "the end of the line".to_owned(),
            Some(first) => {
                // A word, or a character.
                let word: String =
                    rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').take(40).collect();
                format!("`{}`", if word.is_empty() { first.escape_debug().to_string() } else { word })
            }
        };
        Err(ParseError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            expected: expected.into(),
            found,
        })
    }

    /// Skips a word or sign, if it is the next one. What consists of letters must end as a word does.
    pub fn eat(&mut self, word: &str) -> bool {
        let rest = self.rest();
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let found = rest.strip_prefix(word).is_some_and(|behind| {
            let is_word = word.bytes().next_back().is_some_and(is_letter);
            !is_word || !behind.bytes().next().is_some_and(is_letter)
        });
        if found {
            self.position += word.len();
        }
        found
    }

    /// Skips a word or sign that must be the next one.
    pub fn expect(&mut self, word: &str) -> Parsed<()> {
        match self.eat(word) {
            true => Ok(()),
            false => self.error(format!("`{word}`")),
        }
    }

    /// Skips the end of a line, a comment before it, and lines without anything behind it.
    pub fn end_of_line(&mut self) -> Parsed<()> {
        let mut ended = false;
        loop {
            let rest = self.rest();
            let comment = if rest.starts_with('#') { rest.find('\n').unwrap_or(rest.len()) } else { 0 };
            self.position += comment;
            match rest[comment..].chars().next() {
                Some('\n') => {
                    self.position += 1;
                    ended = true;
                }
                None => return Ok(()),
                Some(_) if ended => return Ok(()),
                Some(_) => return self.error("the end of the line"),
            }
        }
    }

    /// Whether nothing is left.
    pub fn is_at_end(&mut self) -> bool {
        self.rest().is_empty()
    }

    /// The next bytes of a kind; there may be none.
    fn run(&mut self, is_part: impl Fn(u8) -> bool) -> &'t str {
        let rest = self.rest();
        // A byte that is not ASCII ends the run, so it ends between characters.
        let length = rest.bytes().take_while(|byte| byte.is_ascii() && is_part(*byte)).count();
        self.position += length;
        &rest[..length]
    }

    /// A number, in decimal or hexadecimal.
    pub fn number<T: TryFrom<u128>>(&mut self) -> Parsed<T> {
        let start = self.here();
        let digits = self.run(|byte| byte.is_ascii_alphanumeric());
        let number = match digits.strip_prefix("0x") {
            Some(digits) => u128::from_str_radix(digits, 16),
            None => digits.parse(),
        };
        match number.ok().and_then(|number| T::try_from(number).ok()) {
            Some(number) => Ok(number),
            None => start.error(format!("a number of at most {} bits", 8 * size_of::<T>())),
        }
    }

    /// A number with a sign, if one is there.
    pub fn signed(&mut self) -> Parsed<i64> {
        let start = self.here();
        let negative = !self.eat("+") && self.eat("-");
        let magnitude: u64 = self.number()?;
        let number =
            if negative { 0i64.checked_sub_unsigned(magnitude) } else { i64::try_from(magnitude).ok() };
        match number {
            Some(number) => Ok(number),
            None => start.error("a signed number of 64 bits"),
        }
    }

    /// A sign or word and a number directly behind it, as in `%3`, `b4`; none if something else is next.
    pub fn maybe_id(&mut self, prefix: &str) -> Parsed<Option<u32>> {
        let rest = self.rest();
        let is_id =
            rest.strip_prefix(prefix).is_some_and(|behind| behind.starts_with(|c: char| c.is_ascii_digit()));
        if !is_id {
            return Ok(None);
        }
        self.position += prefix.len();
        self.number().map(Some)
    }

    /// The same, if nothing else can be next; `what` says what it is.
    pub fn id(&mut self, prefix: &str, what: &str) -> Parsed<u32> {
        match self.maybe_id(prefix)? {
            Some(id) => Ok(id),
            None => self.error(format!("{what} such as `{prefix}0`")),
        }
    }

    /// What an instruction begins with, up to a space, comma, parenthesis or the end of the line.
    pub fn head(&mut self) -> &'t str {
        self.run(|byte| byte.is_ascii_graphic() && !matches!(byte, b',' | b'(' | b')'))
    }

    /// A word of letters, digits and what numbers consist of.
    pub fn literal(&mut self) -> &'t str {
        self.run(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-'))
    }

    /// A name, in quotes or not.
    pub fn name(&mut self) -> Parsed<String> {
        if self.rest().starts_with('"') {
            return self.text();
        }
        match self.run(is_name_byte) {
            "" => self.error("a name"),
            name => Ok(name.to_owned()),
        }
    }

    /// Whether text in quotes is next.
    pub fn is_at_text(&mut self) -> bool {
        self.rest().starts_with('"')
    }

    /// Text in quotes.
    pub fn text(&mut self) -> Parsed<String> {
        let start = self.here();
        let mut bytes = Vec::new();
        self.bytes(&mut bytes)?;
        String::from_utf8(bytes).or_else(|_| start.error("text in UTF-8"))
    }

    /// Bytes in quotes.
    pub fn bytes(&mut self, into: &mut Vec<u8>) -> Parsed<()> {
        self.expect("\"")?;
        loop {
            let rest = &self.text.as_bytes()[self.position..];
            let (byte, length) = match rest {
                [b'"', ..] => {
                    self.position += 1;
                    return Ok(());
                }
                [b'\\', b'n', ..] => (b'\n', 2),
                [b'\\', quoted @ (b'"' | b'\\'), ..] => (*quoted, 2),
                [b'\\', b'x', high, low, ..] => match (hex_digit(*high), hex_digit(*low)) {
                    (Some(high), Some(low)) => (high << 4 | low, 4),
                    _ => return self.error("two hexadecimal digits behind `\\x`"),
                },
                [b'\\', ..] => return self.error("`\\n`, `\\\"`, `\\\\` or `\\x00`"),
                [] | [b'\n', ..] => return self.error("`\"`"),
                [byte, ..] => (*byte, 1),
            };
            into.push(byte);
            self.position += length;
        }
    }
}

fn hex_digit(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|digit| digit as u8)
}
