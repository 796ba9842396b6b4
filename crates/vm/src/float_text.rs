//! Text of floating-point numbers, as C's library reads and writes it.
//!
//! [`format_double`] writes what glibc's `printf` writes for `%f %e %g %a` and their upper-case
//! forms (without the field width, which pads any text alike). [`parse_double`] and [`parse_float`]
//! read what `strtod` and `strtof` read, for text that is a number from its first byte to its last.
//!
//! Decimal output starts from the exact decimal expansion of the value, which is finite: a double
//! is `m × 2^e`, and for negative `e` that is `m × 5^-e` with the point `-e` places from the right;
//! at most 767 significant digits. One rounding of those digits, ties to even, is then right at any
//! precision. Hexadecimal output and input round the binary fraction, ties to even. Decimal input
//! is brought into a normal form first and then left to Rust's own correctly rounded conversion,
//! once for each width: rounding to double and then to float could round twice.
//!
//! Only the rounding mode "to nearest" is known; C programs that change it with `fesetround` get
//! that one.

/// The four ways in which `printf` writes a floating-point number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `%f`: digits, a point, digits.
    Fixed,
    /// `%e`: one digit, a point, digits, a decimal exponent.
    Exponent,
    /// `%g`: the shorter of the two above, without trailing zeros.
    General,
    /// `%a`: hexadecimal digits with a binary exponent.
    Hexadecimal,
}

/// Whether the letters of the text are small or capital.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// `inf`, `1e+10`, `0x1.8p+1`.
    Lower,
    /// `INF`, `1E+10`, `0X1.8P+1`.
    Upper,
}

/// What the letter at the end of a conversion specification asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// How the number is laid out.
    pub style: Style,
    /// How its letters are written.
    pub case: Case,
}

impl Conversion {
    /// The conversion that a `printf` letter stands for, if it is one of `f F e E g G a A`.
    pub fn from_letter(letter: u8) -> Option<Conversion> {
        let style = match letter.to_ascii_lowercase() {
            b'f' => Style::Fixed,
            b'e' => Style::Exponent,
            b'g' => Style::General,
            b'a' => Style::Hexadecimal,
            _ => return None,
        };
        let case = if letter.is_ascii_uppercase() { Case::Upper } else { Case::Lower };
        Some(Conversion { style, case })
    }
}

/// The flags of a conversion specification that change the text itself (`-` and `0` only pad it).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// `+`: a sign also in front of numbers that are not negative.
    pub plus: bool,
    /// A blank in front of numbers that are not negative; `plus` wins over it.
    pub space: bool,
    /// `#`: always a point, and `%g` keeps its trailing zeros.
    pub alternate: bool,
}

/// Writes `value` as glibc's `printf` does; `precision` is `None` where the specification has none.
///
/// The text is as long as the precision asks for: the caller decides which ones it lets through.
///
/// ```text
/// format_double(2.5, %f, no flags, Some(0))  is  "2"
/// format_double(3.0, %a, no flags, None)     is  "0x1.8p+1"
/// ```
pub fn format_double(value: f64, conversion: Conversion, flags: Flags, precision: Option<usize>) -> String {
    let mut text = String::new();
    if value.is_sign_negative() {
        text.push('-');
    } else if flags.plus {
        text.push('+');
    } else if flags.space {
        text.push(' ');
    }
    let magnitude = value.abs();
    if magnitude.is_nan() {
        text.push_str("nan");
    } else if magnitude.is_infinite() {
        text.push_str("inf");
    } else {
        let point = if flags.alternate { Point::Always } else { Point::BeforeDigits };
        match conversion.style {
            Style::Fixed => write_fixed(&mut text, magnitude, precision.unwrap_or(6), point),
            Style::Exponent => write_exponent(&mut text, magnitude, precision.unwrap_or(6), point),
            Style::General => write_general(&mut text, magnitude, precision.unwrap_or(6), point),
            Style::Hexadecimal => write_hexadecimal(&mut text, magnitude, precision, point),
        }
    }
    if conversion.case == Case::Upper {
        text.make_ascii_uppercase();
    }
    text
}

/// When a decimal point is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Point {
    /// Only where digits follow it.
    BeforeDigits,
    /// Even where none follow: the `#` flag.
    Always,
}

/// A non-negative number as decimal digits: `d₀.d₁d₂… × 10^exponent`, with `d₀` not zero; zero has
/// no digits at all.
struct Decimal {
    digits: Vec<u8>,
    exponent: i64,
}

impl Decimal {
    /// The exact expansion of a finite number that is not negative.
    fn exact(magnitude: f64) -> Decimal {
        let (significand, exponent) = binary_parts(magnitude);
        if significand == 0 {
            return Decimal { digits: Vec::new(), exponent: 0 };
        }
        let spare = significand.trailing_zeros();
        let mut number = BigDecimal::new(significand >> spare);
        let exponent = exponent + i64::from(spare);
        // Where the value has a fraction, 2^exponent is 5^-exponent × 10^exponent.
        let places = if exponent < 0 {
            number.multiply_by_power(5, 13, exponent.unsigned_abs());
            exponent
        } else {
            number.multiply_by_power(2, 29, exponent.unsigned_abs());
            0
        };
        let digits = number.digits();
        let exponent = digits.len() as i64 - 1 + places;
        Decimal { digits, exponent }
    }

    /// Rounds to the first `keep` digits, ties to even; fewer than none leaves zero.
    fn round_to(&mut self, keep: i64) {
        let Ok(keep) = usize::try_from(keep) else {
            self.digits.clear();
            return;
        };
        let Some((&next, rest)) = self.digits.get(keep..).and_then(<[u8]>::split_first) else {
            return;
        };
        let above_half = next > 5 || (next == 5 && rest.iter().any(|&digit| digit != 0));
        let last_is_odd =
            keep.checked_sub(1).and_then(|last| self.digits.get(last)).is_some_and(|digit| digit % 2 == 1);
        self.digits.truncate(keep);
        if above_half || (next == 5 && last_is_odd) {
            self.increment();
        }
    }

    /// Adds one unit in the last digit kept, or in the place before the first where none is.
    fn increment(&mut self) {
        while let Some(digit) = self.digits.pop() {
            if digit < 9 {
                self.digits.push(digit + 1);
                return;
            }
        }
        self.digits.push(1);
        self.exponent += 1;
    }

    /// The digit that stands for `10^place`.
    fn digit_at(&self, place: i64) -> char {
        let index = usize::try_from(self.exponent - place).ok();
        let digit = index.and_then(|index| self.digits.get(index)).copied().unwrap_or(0);
        char::from(b'0' + digit)
    }

    /// The exponent to print and to choose a layout by: zero's is 0.
    fn printed_exponent(&self) -> i64 {
        if self.digits.is_empty() { 0 } else { self.exponent }
    }

    /// How many digits there are up to the last one that is not zero.
    fn significant_digits(&self) -> usize {
        self.digits.iter().rposition(|&digit| digit != 0).map_or(0, |last| last + 1)
    }
}

/// A natural number in base 10⁹, lowest limb first: just enough arithmetic for exact expansions.
struct BigDecimal {
    limbs: Vec<u32>,
}

impl BigDecimal {
    const BASE: u64 = 1_000_000_000;

    fn new(value: u64) -> BigDecimal {
        let mut number = BigDecimal { limbs: Vec::new() };
        number.push_carry(value);
        number
    }

    fn push_carry(&mut self, mut carry: u64) {
        while carry != 0 {
            self.limbs.push((carry % Self::BASE) as u32);
            carry /= Self::BASE;
        }
    }

    fn multiply(&mut self, factor: u32) {
        let mut carry = 0;
        for limb in &mut self.limbs {
            let product = u64::from(*limb) * u64::from(factor) + carry;
            *limb = (product % Self::BASE) as u32;
            carry = product / Self::BASE;
        }
        self.push_carry(carry);
    }

    /// Multiplies by `base^power`, `chunk` factors at a time: `base^chunk` must fit a `u32`.
    fn multiply_by_power(&mut self, base: u32, chunk: u32, mut power: u64) {
        while power >= u64::from(chunk) {
            self.multiply(base.pow(chunk));
            power -= u64::from(chunk);
        }
        for _ in 0..power {
            self.multiply(base);
        }
    }

    /// The decimal digits, highest first, without leading zeros.
    fn digits(&self) -> Vec<u8> {
        let mut digits = Vec::with_capacity(self.limbs.len() * 9);
        for &limb in &self.limbs {
            let mut rest = limb;
            for _ in 0..9 {
                digits.push((rest % 10) as u8);
                rest /= 10;
            }
        }
        while digits.last() == Some(&0) {
            digits.pop();
        }
        digits.reverse();
        digits
    }
}

/// The integers `m` and `e` with `magnitude = m × 2^e`, for a finite number that is not negative.
fn binary_parts(magnitude: f64) -> (u64, i64) {
    let bits = magnitude.to_bits();
    let fraction = bits & (DOUBLE.hidden_bit() - 1);
    let biased = (bits >> DOUBLE.fraction_bits) as i64;
    if biased == 0 {
        (fraction, DOUBLE.least_exponent())
    } else {
        (fraction | DOUBLE.hidden_bit(), biased - 1 + DOUBLE.least_exponent())
    }
}

/// A precision as a signed number; no text is long enough for the limit to be seen.
fn signed(precision: usize) -> i64 {
    i64::try_from(precision).unwrap_or(i64::MAX / 4).min(i64::MAX / 4)
}

fn write_fixed(text: &mut String, magnitude: f64, precision: usize, point: Point) {
    let mut decimal = Decimal::exact(magnitude);
    decimal.round_to(decimal.exponent + 1 + signed(precision));
    push_fixed(text, &decimal, precision, point);
}

fn write_exponent(text: &mut String, magnitude: f64, precision: usize, point: Point) {
    let mut decimal = Decimal::exact(magnitude);
    decimal.round_to(signed(precision) + 1);
    push_exponent(text, &decimal, precision, point);
}

/// `%g` chooses by the exponent that the number has after rounding, and drops trailing zeros unless
/// `#` is given.
fn write_general(text: &mut String, magnitude: f64, precision: usize, point: Point) {
    let wanted = signed(precision.max(1));
    let mut decimal = Decimal::exact(magnitude);
    let exponent_before = decimal.printed_exponent();
    decimal.round_to(wanted);
    let exponent = decimal.printed_exponent();
    // The C standard keeps the zeros in `%#g` of 999999.5, too: "1.00000e+06". But where rounding up
    // is what makes the number too large for digits without an exponent, glibc (2.36) drops them.
    let rounded_into_exponent = exponent_before < wanted && exponent == wanted;
    let shown = match point {
        Point::Always if !rounded_into_exponent => wanted,
        _ => signed(decimal.significant_digits().max(1)),
    };
    if -4 <= exponent && exponent < wanted {
        push_fixed(text, &decimal, usize::try_from(shown - 1 - exponent).unwrap_or(0), point);
    } else {
        push_exponent(text, &decimal, usize::try_from(shown - 1).unwrap_or(0), point);
    }
}

/// Writes a number already rounded, with `precision` digits behind the point.
fn push_fixed(text: &mut String, decimal: &Decimal, precision: usize, point: Point) {
    for place in (0..=decimal.printed_exponent().max(0)).rev() {
        text.push(decimal.digit_at(place));
    }
    push_point(text, precision, point);
    text.extend((1..=signed(precision)).map(|place| decimal.digit_at(-place)));
}

/// Writes a number already rounded, with one digit before the point and `precision` behind it.
fn push_exponent(text: &mut String, decimal: &Decimal, precision: usize, point: Point) {
    let exponent = decimal.printed_exponent();
    text.push(decimal.digit_at(exponent));
    push_point(text, precision, point);
    text.extend((1..=signed(precision)).map(|place| decimal.digit_at(exponent - place)));
    let sign = if exponent < 0 { '-' } else { '+' };
    text.push_str(&format!("e{sign}{:02}", exponent.unsigned_abs()));
}

fn push_point(text: &mut String, digits_behind: usize, point: Point) {
    if digits_behind > 0 || point == Point::Always {
        text.push('.');
    }
}

/// `%a`: the leading digit of a normal number is 1, or 2 after rounding up; of a subnormal one, 0.
fn write_hexadecimal(text: &mut String, magnitude: f64, precision: Option<usize>, point: Point) {
    let (significand, exponent) = binary_parts(magnitude);
    let fraction_digits = DOUBLE.fraction_bits as usize / 4;
    let exponent = if significand == 0 { 0 } else { exponent + i64::from(DOUBLE.fraction_bits) };
    let all_digits = fraction_digits - (significand.trailing_zeros() as usize / 4).min(fraction_digits);
    let precision = precision.unwrap_or(all_digits);

    let kept = precision.min(fraction_digits);
    let rounded = shift_right_to_even(significand, 4 * (fraction_digits - kept) as u32, Remainder::Zero);
    text.push_str(&format!("0x{:x}", rounded >> (4 * kept)));
    push_point(text, precision, point);
    if kept > 0 {
        let fraction = rounded & ((1 << (4 * kept)) - 1);
        text.push_str(&format!("{fraction:0kept$x}"));
    }
    text.extend(std::iter::repeat_n('0', precision - kept));
    let sign = if exponent < 0 { '-' } else { '+' };
    text.push_str(&format!("p{sign}{}", exponent.unsigned_abs()));
}

/// What is known of the bits below an integer's last one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Remainder {
    Zero,
    NotZero,
}

/// `value / 2^shift` rounded to nearest, ties to even; `below` tells of further bits under `value`.
fn shift_right_to_even(value: u64, shift: u32, below: Remainder) -> u64 {
    if shift == 0 {
        return value;
    }
    let quotient = value.checked_shr(shift).unwrap_or(0);
    let Some(half) = 1u64.checked_shl(shift - 1) else {
        return quotient;
    };
    // Where shift is 64, the mask is all ones.
    let remainder = value & (half | (half - 1));
    let above_half = remainder > half || (remainder == half && below == Remainder::NotZero);
    let tie = remainder == half && below == Remainder::Zero;
    quotient + u64::from(above_half || (tie && quotient % 2 == 1))
}

/// Reads a double; `None` unless the whole text is one C number.
///
/// A number is an optional sign and then one of: decimal digits with an optional point and
/// exponent, `0x` and hexadecimal digits with an optional point and binary exponent, `inf`,
/// `infinity`, `nan` or `nan(characters)`, in any case. Numbers too large become infinity, numbers
/// too small zero, as `strtod` returns them. An integer in `nan(…)` becomes the low bits of the
/// result, as in glibc.
pub fn parse_double(text: &[u8]) -> Option<f64> {
    let (sign, body) = split_sign(text);
    let magnitude = match classify(body)? {
        Number::Decimal(decimal) => decimal.parse::<f64>().ok()?.to_bits(),
        Number::Hexadecimal(binary) => DOUBLE.round(binary),
        Number::Infinity => DOUBLE.infinity(),
        Number::Nan(payload) => DOUBLE.not_a_number(payload),
    };
    Some(f64::from_bits(magnitude | (sign << 63)))
}

/// Reads a float, rounded once from the text; the same numbers as for [`parse_double`].
pub fn parse_float(text: &[u8]) -> Option<f32> {
    let (sign, body) = split_sign(text);
    let magnitude = match classify(body)? {
        Number::Decimal(decimal) => u64::from(decimal.parse::<f32>().ok()?.to_bits()),
        Number::Hexadecimal(binary) => FLOAT.round(binary),
        Number::Infinity => FLOAT.infinity(),
        Number::Nan(payload) => FLOAT.not_a_number(payload),
    };
    Some(f32::from_bits((magnitude | (sign << 31)) as u32))
}

/// An IEEE 754 interchange format of at most 64 bits.
struct Format {
    fraction_bits: u32,
    exponent_bits: u32,
}

const DOUBLE: Format = Format { fraction_bits: 52, exponent_bits: 11 };
const FLOAT: Format = Format { fraction_bits: 23, exponent_bits: 8 };

impl Format {
    const fn hidden_bit(&self) -> u64 {
        1 << self.fraction_bits
    }

    /// The exponent of the last bit of a subnormal number.
    const fn least_exponent(&self) -> i64 {
        2 - (1 << (self.exponent_bits - 1)) - self.fraction_bits as i64
    }

    const fn infinity(&self) -> u64 {
        ((1 << self.exponent_bits) - 1) << self.fraction_bits
    }

    /// A quiet NaN with as much of the payload as fits.
    const fn not_a_number(&self, payload: u64) -> u64 {
        let quiet = 1 << (self.fraction_bits - 1);
        self.infinity() | quiet | (payload & (quiet - 1))
    }

    /// The bits of the number nearest to `binary`, ties to even.
    fn round(&self, binary: Binary) -> u64 {
        if binary.significand == 0 {
            return 0;
        }
        // The bits of positive numbers are ordered as the numbers are, so that a carry out of the
        // fraction is right everywhere: from subnormal to normal, and from the greatest to infinity.
        let length = i64::from(64 - binary.significand.leading_zeros());
        let last = (binary.exponent + length - 1 - i64::from(self.fraction_bits)).max(self.least_exponent());
        if last - self.least_exponent() >= (1 << self.exponent_bits) - 2 {
            return self.infinity();
        }
        let shift = last - binary.exponent;
        let rounded = if shift < 0 {
            // Exact: the significand has fewer bits than the format, so it has all of them.
            binary.significand << -shift
        } else {
            shift_right_to_even(binary.significand, u32::try_from(shift).unwrap_or(u32::MAX), binary.below)
        };
        (((last - self.least_exponent()) as u64) << self.fraction_bits) + rounded
    }
}

/// A number `significand × 2^exponent`, perhaps with further bits below.
#[derive(Clone, Copy)]
struct Binary {
    significand: u64,
    exponent: i64,
    below: Remainder,
}

/// A number without its sign.
enum Number {
    /// In a form that Rust's `parse` reads: `digits` `e` `exponent`.
    Decimal(String),
    Hexadecimal(Binary),
    Infinity,
    Nan(u64),
}

/// The sign bit of a text and what follows it.
fn split_sign(text: &[u8]) -> (u64, &[u8]) {
    match text.split_first() {
        Some((b'-', rest)) => (1, rest),
        Some((b'+', rest)) => (0, rest),
        _ => (0, text),
    }
}

fn classify(body: &[u8]) -> Option<Number> {
    if body.eq_ignore_ascii_case(b"inf") || body.eq_ignore_ascii_case(b"infinity") {
        return Some(Number::Infinity);
    }
    if let Some((name, rest)) = body.split_at_checked(3)
        && name.eq_ignore_ascii_case(b"nan")
    {
        return not_a_number(rest);
    }
    match body {
        [b'0', b'x' | b'X', digits @ ..] => hexadecimal(digits).map(Number::Hexadecimal),
        _ => decimal(body).map(Number::Decimal),
    }
}

/// What follows `nan`: nothing, or letters, digits and underscores in parentheses.
fn not_a_number(rest: &[u8]) -> Option<Number> {
    match rest {
        [] => Some(Number::Nan(0)),
        [b'(', characters @ .., b')']
            if characters.iter().all(|&c| c == b'_' || c.is_ascii_alphanumeric()) =>
        {
            Some(Number::Nan(integer(characters).unwrap_or(0)))
        }
        _ => None,
    }
}

/// An unsigned integer as `strtoull` with base 0 reads it, if all the text is one; too large ones
/// saturate.
fn integer(text: &[u8]) -> Option<u64> {
    let (radix, digits) = match text {
        [b'0', b'x' | b'X', digits @ ..] => (16, digits),
        [b'0', digits @ ..] if !digits.is_empty() => (8, digits),
        _ => (10, text),
    };
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0u64, |value, &digit| {
        let digit = char::from(digit).to_digit(radix)?;
        Some(
            value
                .checked_mul(u64::from(radix))
                .and_then(|v| v.checked_add(u64::from(digit)))
                .unwrap_or(u64::MAX),
        )
    })
}

/// Digits before and behind the point, and the exponent written after them.
struct Digits<'a> {
    whole: &'a [u8],
    fraction: &'a [u8],
    exponent: i64,
}

/// Splits `digits [. digits] [marker [sign] digits]`; there must be a digit before the marker.
fn split_digits(text: &[u8], is_digit: fn(&u8) -> bool, marker: u8) -> Option<Digits<'_>> {
    let (whole, rest) = split_where(text, |byte| !is_digit(byte));
    let (fraction, rest) = match rest {
        [b'.', rest @ ..] => split_where(rest, |byte| !is_digit(byte)),
        _ => (&[][..], rest),
    };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let exponent = match rest {
        [] => 0,
        [first, rest @ ..] if first.eq_ignore_ascii_case(&marker) => exponent(rest)?,
        _ => return None,
    };
    Some(Digits { whole, fraction, exponent })
}

fn split_where(text: &[u8], ends: impl FnMut(&u8) -> bool) -> (&[u8], &[u8]) {
    text.split_at(text.iter().position(ends).unwrap_or(text.len()))
}

/// A signed decimal exponent; cut off at 2^50, which no text has enough digits to make up for.
fn exponent(text: &[u8]) -> Option<i64> {
    const LIMIT: i64 = 1 << 50;
    let (sign, digits) = split_sign(text);
    if digits.is_empty() {
        return None;
    }
    let value = digits.iter().try_fold(0i64, |value, digit| {
        digit.is_ascii_digit().then(|| (value * 10 + i64::from(digit - b'0')).min(LIMIT))
    })?;
    Some(if sign == 1 { -value } else { value })
}

/// Reads a decimal number and writes it without leading zeros and with a small exponent: Rust's
/// `parse` cuts large exponents off, however many zeros stand in front of the digits.
fn decimal(text: &[u8]) -> Option<String> {
    const TOO_LARGE: i64 = 400;
    const TOO_SMALL: i64 = -400;
    let digits = split_digits(text, u8::is_ascii_digit, b'e')?;
    let all = || digits.whole.iter().chain(digits.fraction);
    let leading_zeros = all().take_while(|&&digit| digit == b'0').count();
    let exponent_of_first = digits.exponent + digits.whole.len() as i64 - 1 - leading_zeros as i64;
    let significant = all().skip(leading_zeros).map(|&digit| char::from(digit));
    if significant.clone().next().is_none() || exponent_of_first < TOO_SMALL {
        return Some("0".to_owned());
    }
    if exponent_of_first > TOO_LARGE {
        return Some("inf".to_owned());
    }
    let mut normal: String = "0.".to_owned();
    normal.extend(significant);
    normal.push_str(&format!("e{}", exponent_of_first + 1));
    Some(normal)
}

/// Reads the hexadecimal number after `0x`: its first 61 to 64 bits, and whether more are set.
fn hexadecimal(text: &[u8]) -> Option<Binary> {
    let digits = split_digits(text, u8::is_ascii_hexdigit, b'p')?;
    let mut binary = Binary {
        significand: 0,
        exponent: digits.exponent - 4 * digits.fraction.len() as i64,
        below: Remainder::Zero,
    };
    for &digit in digits.whole.iter().chain(digits.fraction) {
        let value = u64::from(char::from(digit).to_digit(16)?);
        if binary.significand >> 60 == 0 {
            binary.significand = (binary.significand << 4) | value;
        } else {
            binary.exponent += 4;
            if value != 0 {
                binary.below = Remainder::NotZero;
            }
        }
    }
    Some(binary)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A specification without its `%`, a number and the text that glibc 2.36 prints for them.
    #[rustfmt::skip]
    const FORMATTED: &[(&str, &str, &str)] = &[
        ("f", "0", "0.000000"),
        ("f", "-0.0", "-0.000000"),
        (".0f", "0.5", "0"),
        (".0f", "1.5", "2"),
        (".0f", "2.5", "2"),
        (".1f", "0.25", "0.2"),
        (".1f", "0.35", "0.3"),
        (".2f", "1.005", "1.00"),
        (".2f", "0.125", "0.12"),
        (".2f", "0.375", "0.38"),
        (".0f", "9.5", "10"),
        (".0f", "99.5", "100"),
        ("#.0f", "3", "3."),
        (".3f", "0.0004", "0.000"),
        (".3f", "0.0005", "0.001"),
        (".3f", "0.00051", "0.001"),
        ("f", "1e23", "99999999999999991611392.000000"),
        (".0f", "1.7976931348623157e308", "179769313486231570814527423731704356798070567525844996598917476803157260780028538760589558632766878171540458953514382464234321326889464182768467546703537516986049910576551282076245490090389328944075868508455133942304583236903222948165808559332123348274797826204144723168738177180919299881250404026184124858368"),
        (".60f", "0.1", "0.100000000000000005551115123125782702118158340454101562500000"),
        ("+f", "1.5", "+1.500000"),
        (" f", "1.5", " 1.500000"),
        ("+ f", "1.5", "+1.500000"),
        ("+f", "-1.5", "-1.500000"),
        ("F", "inf", "INF"),
        ("f", "inf", "inf"),
        ("f", "-inf", "-inf"),
        ("f", "nan", "nan"),
        ("f", "-nan", "-nan"),
        ("+e", "nan", "+nan"),
        (" g", "inf", " inf"),
        ("G", "-nan", "-NAN"),
        ("A", "inf", "INF"),
        ("#.3f", "inf", "inf"),
        ("e", "0", "0.000000e+00"),
        ("e", "-0.0", "-0.000000e+00"),
        (".0e", "0", "0e+00"),
        ("#.0e", "0", "0.e+00"),
        ("e", "5e-324", "4.940656e-324"),
        (".20e", "5e-324", "4.94065645841246544177e-324"),
        (".0e", "2.5", "2e+00"),
        (".0e", "3.5", "4e+00"),
        (".0e", "9.5", "1e+01"),
        ("#.0e", "9.5", "1.e+01"),
        (".2e", "9.995", "9.99e+00"),
        ("E", "1e100", "1.000000E+100"),
        ("e", "1e-100", "1.000000e-100"),
        (".16e", "0.3", "2.9999999999999999e-01"),
        (".1e", "12.5", "1.2e+01"),
        (".1e", "13.5", "1.4e+01"),
        (".25e", "1.7976931348623157e308", "1.7976931348623157081452742e+308"),
        ("g", "0", "0"),
        ("g", "-0.0", "-0"),
        ("#g", "0", "0.00000"),
        ("g", "100000", "100000"),
        ("g", "1e6", "1e+06"),
        ("g", "999999.5", "1e+06"),
        ("g", "999999.4", "999999"),
        ("#g", "999999.5", "1.e+06"),
        ("#.4g", "999999.5", "1.000e+06"),
        ("#g", "1000000", "1.00000e+06"),
        ("g", "0.0001", "0.0001"),
        ("g", "0.00001", "1e-05"),
        ("g", "0.00009999995", "0.0001"),
        (".3g", "0.00099996", "0.001"),
        ("#.3g", "0.00099996", "0.00100"),
        (".0g", "1234", "1e+03"),
        (".1g", "0.95", "0.9"),
        (".0g", "0.05", "0.05"),
        ("#.0g", "5", "5."),
        (".20g", "0.1", "0.10000000000000000555"),
        (".17g", "0.1", "0.10000000000000001"),
        (".10g", "123456789", "123456789"),
        ("#.10g", "123456789", "123456789.0"),
        ("G", "1e-10", "1E-10"),
        (".3g", "100", "100"),
        ("#.3g", "100", "100."),
        (".2g", "99.5", "1e+02"),
        (".40g", "1e22", "10000000000000000000000"),
        (".1000g", "0.5", "0.5"),
        ("a", "0", "0x0p+0"),
        ("a", "-0.0", "-0x0p+0"),
        (".3a", "0", "0x0.000p+0"),
        ("#a", "0", "0x0.p+0"),
        ("a", "1", "0x1p+0"),
        ("a", "3", "0x1.8p+1"),
        ("a", "-0.1", "-0x1.999999999999ap-4"),
        ("A", "0.1", "0X1.999999999999AP-4"),
        ("#a", "1", "0x1.p+0"),
        ("a", "5e-324", "0x0.0000000000001p-1022"),
        ("a", "2.2250738585072009e-308", "0x0.fffffffffffffp-1022"),
        ("a", "2.2250738585072014e-308", "0x1p-1022"),
        ("a", "1.7976931348623157e308", "0x1.fffffffffffffp+1023"),
        (".0a", "1.5", "0x2p+0"),
        (".0a", "1.4", "0x1p+0"),
        (".0a", "1.96", "0x2p+0"),
        (".0a", "1", "0x1p+0"),
        (".1a", "1.03125", "0x1.0p+0"),
        (".1a", "1.09375", "0x1.2p+0"),
        (".1a", "1.99", "0x2.0p+0"),
        (".2a", "0.1", "0x1.9ap-4"),
        (".20a", "0.1", "0x1.999999999999a0000000p-4"),
        (".0a", "5e-324", "0x0p-1022"),
        (".0a", "2.2250738585072009e-308", "0x1p-1022"),
        (".0a", "1.2e-308", "0x1p-1022"),
        (".5a", "1e-310", "0x0.01269p-1022"),
        ("+a", "1", "+0x1p+0"),
        ("#.0a", "2", "0x1.p+1"),
    ];

    /// A number and the bits of the double and of the float that glibc 2.36 reads.
    #[rustfmt::skip]
    const PARSED: &[(&str, u64, u32)] = &[
        ("0", 0x0000000000000000, 0x00000000),
        ("-0", 0x8000000000000000, 0x80000000),
        ("+1.5", 0x3ff8000000000000, 0x3fc00000),
        ("1.", 0x3ff0000000000000, 0x3f800000),
        (".5", 0x3fe0000000000000, 0x3f000000),
        ("1e5", 0x40f86a0000000000, 0x47c35000),
        ("1E-5", 0x3ee4f8b588e368f1, 0x3727c5ac),
        ("1e+05", 0x40f86a0000000000, 0x47c35000),
        ("1.7976931348623157e308", 0x7fefffffffffffff, 0x7f800000),
        ("1.7976931348623158e308", 0x7fefffffffffffff, 0x7f800000),
        ("1.7976931348623159e308", 0x7ff0000000000000, 0x7f800000),
        ("1e400", 0x7ff0000000000000, 0x7f800000),
        ("-1e400", 0xfff0000000000000, 0xff800000),
        ("1e-400", 0x0000000000000000, 0x00000000),
        ("4.9406564584124654e-324", 0x0000000000000001, 0x00000000),
        ("2.4703282292062327e-324", 0x0000000000000000, 0x00000000),
        ("2.4703282292062328e-324", 0x0000000000000001, 0x00000000),
        ("2.2250738585072011e-308", 0x000fffffffffffff, 0x00000000),
        ("9007199254740993", 0x4340000000000000, 0x5a000000),
        ("9007199254740992.9999999999999999999999999999", 0x4340000000000000, 0x5a000000),
        ("9007199254740993.0000000000000000000000001", 0x4340000000000001, 0x5a000000),
        ("16777217", 0x4170000010000000, 0x4b800000),
        ("16777217.0000000000000000000001", 0x4170000010000000, 0x4b800001),
        ("1.000000059604644775390625", 0x3ff0000010000000, 0x3f800000),
        ("1.00000005960464477539062500000000000000000001", 0x3ff0000010000000, 0x3f800001),
        ("1.17549429e-38", 0x380fffffe438a672, 0x00800000),
        ("7.0064923216240853e-46", 0x3690000000000000, 0x00000000),
        ("7.0064923216240854e-46", 0x3690000000000000, 0x00000001),
        ("3.4028235677973366e38", 0x47effffff0000000, 0x7f7fffff),
        ("3.4028235677973365e38", 0x47effffff0000000, 0x7f7fffff),
        ("0x1p0", 0x3ff0000000000000, 0x3f800000),
        ("0X1.8P+1", 0x4008000000000000, 0x40400000),
        ("0x.8", 0x3fe0000000000000, 0x3f000000),
        ("0x8.", 0x4020000000000000, 0x41000000),
        ("0x1.fffffffffffff8p0", 0x4000000000000000, 0x40000000),
        ("0x1.fffffffffffff7ffp0", 0x3fffffffffffffff, 0x40000000),
        ("0x1.00000000000008p0", 0x3ff0000000000000, 0x3f800000),
        ("0x1.00000000000008000000000000000000001p0", 0x3ff0000000000001, 0x3f800000),
        ("0x1.000001p0", 0x3ff0000010000000, 0x3f800000),
        ("0x1.00000100000000000000000000001p0", 0x3ff0000010000000, 0x3f800001),
        ("0x1p-1074", 0x0000000000000001, 0x00000000),
        ("0x1p-1075", 0x0000000000000000, 0x00000000),
        ("0x1.8p-1075", 0x0000000000000001, 0x00000000),
        ("0x0.8p-1074", 0x0000000000000000, 0x00000000),
        ("0x1p-149", 0x36a0000000000000, 0x00000001),
        ("0x1p-150", 0x3690000000000000, 0x00000000),
        ("0x1.8p-150", 0x3698000000000000, 0x00000001),
        ("0x1p1023", 0x7fe0000000000000, 0x7f800000),
        ("0x1p1024", 0x7ff0000000000000, 0x7f800000),
        ("0x1.fffffffffffff8p1023", 0x7ff0000000000000, 0x7f800000),
        ("0x1.fffffffffffff7p1023", 0x7fefffffffffffff, 0x7f800000),
        ("0x1p128", 0x47f0000000000000, 0x7f800000),
        ("0x0p99999999999999999999", 0x0000000000000000, 0x00000000),
        ("0x1p-99999999999999999999", 0x0000000000000000, 0x00000000),
        ("0x123456789abcdef0123456789p-40", 0x43723456789abcdf, 0x5b91a2b4),
        ("inf", 0x7ff0000000000000, 0x7f800000),
        ("-INFINITY", 0xfff0000000000000, 0xff800000),
        ("+Inf", 0x7ff0000000000000, 0x7f800000),
        ("nan", 0x7ff8000000000000, 0x7fc00000),
        ("-NaN", 0xfff8000000000000, 0xffc00000),
        ("nan()", 0x7ff8000000000000, 0x7fc00000),
        ("nan(0x12345)", 0x7ff8000000012345, 0x7fc12345),
        ("nan(077)", 0x7ff800000000003f, 0x7fc0003f),
        ("nan(abc_)", 0x7ff8000000000000, 0x7fc00000),
        ("0e999999999999999999999", 0x0000000000000000, 0x00000000),
    ];

    const MALFORMED: &[&str] = &[
        "", "+", "-", ".", "e5", ".e5", "1e", "1e+", "1e5.", "1..2", "1.2.3", " 1", "1 ", "--1", "+-1", "1f",
        "0x", "0x.", "0x.p1", "0x1p", "0x1p-", "0x1pa", "0xg", "x1", "in", "infi", "infinit", "na", "nann",
        "nan(", "nan)", "nan(-)", "nan(1", "nan(1)1", "1_000", "1\0",
    ];

    /// Takes a specification such as `%+#.3e`, given without its `%`, apart.
    fn format(specification: &str, value: f64) -> Option<String> {
        let (letter, rest) = specification.as_bytes().split_last()?;
        let rest = std::str::from_utf8(rest).ok()?;
        let (flag_text, precision) = match rest.split_once('.') {
            Some((flags, precision)) => (flags, Some(precision.parse().ok()?)),
            None => (rest, None),
        };
        let flags = Flags {
            plus: flag_text.contains('+'),
            space: flag_text.contains(' '),
            alternate: flag_text.contains('#'),
        };
        Some(format_double(value, Conversion::from_letter(*letter)?, flags, precision))
    }

    #[test]
    fn prints_as_glibc_does() {
        for &(specification, number, expected) in FORMATTED {
            let text = parse_double(number.as_bytes()).and_then(|value| format(specification, value));
            assert_eq!(text.as_deref(), Some(expected), "{specification} of {number}");
        }
    }

    #[test]
    fn reads_as_glibc_does() {
        for &(text, double, float) in PARSED {
            assert_eq!(parse_double(text.as_bytes()).map(f64::to_bits), Some(double), "double {text}");
            assert_eq!(parse_float(text.as_bytes()).map(f32::to_bits), Some(float), "float {text}");
        }
    }

    /// glibc 2.36 forgets the bit below a float's 24 when it shifts on to a subnormal one
    ///: here the nearest number is expected.
    #[test]
    fn rounds_subnormal_hexadecimal_numbers_once() {
        for (text, float) in [("0x41c4F140p-158", 0x0020_e279), ("0xc814.088p-145", 0x000c_8141)] {
            assert_eq!(parse_float(text.as_bytes()).map(f32::to_bits), Some(float), "{text}");
        }
    }

    #[test]
    fn refuses_text_that_is_not_one_number() {
        for text in MALFORMED {
            assert_eq!(parse_double(text.as_bytes()), None, "{text:?}");
            assert_eq!(parse_float(text.as_bytes()), None, "{text:?}");
        }
        assert_eq!(parse_double(b"1\xff"), None);
    }

    #[test]
    fn many_zeros_are_made_up_for_by_the_exponent() {
        let zeros = "0".repeat(1_000_000);
        for text in [format!("0.{zeros}1e1000001"), format!("1{zeros}e-1000000"), format!("0x{zeros}1")] {
            assert_eq!(parse_double(text.as_bytes()), Some(1.0));
            assert_eq!(parse_float(text.as_bytes()), Some(1.0));
        }
        let text = format!("0x0.{zeros}1p4000004");
        assert_eq!(parse_double(text.as_bytes()), Some(1.0));
    }

    #[test]
    fn what_is_printed_exactly_is_read_back() {
        let mut bits: u64 = 1;
        for _ in 0..20_000 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let value = f64::from_bits(bits ^ (bits >> 31));
            for specification in [".16e", ".17g", "a"] {
                let read = format(specification, value).and_then(|text| parse_double(text.as_bytes()));
                if value.is_nan() {
                    assert!(read.is_some_and(f64::is_nan));
                } else {
                    assert_eq!(read.map(f64::to_bits), Some(value.to_bits()), "{specification}");
                }
            }
        }
    }

    #[test]
    fn precision_beyond_the_last_digit_adds_zeros() {
        let text = format(".100000f", 0.5).unwrap_or_default();
        assert_eq!(text.len(), 100_002);
        assert!(text.starts_with("0.50") && text.ends_with("00"));
        assert_eq!(format(".2147483647g", 0.5).as_deref(), Some("0.5"));
    }
}
