//! `--time`: where the time of a check went.

use selvedge_verify::Times;
use serde_json::{Value, json};
use std::time::Duration;

/// The time of each phase of a check, in their order.
pub struct Phases([(&'static str, Duration); 4]);

impl Phases {
    /// Those of a verification, and of the report on it.
    pub fn new(times: &Times, report: Duration) -> Self {
        let Times { front_end, exploration, minimising } = *times;
        Self([
            ("front end", front_end),
            ("exploration", exploration),
            ("minimising", minimising),
            ("report", report),
        ])
    }

    /// For people: a line each.
    pub fn to_text(&self) -> String {
        let line = |(name, time): &(&str, Duration)| format!("  {name:<11} {:>8.3} s\n", time.as_secs_f64());
        format!("time:\n{}", self.0.iter().map(line).collect::<String>())
    }

    /// For programs: seconds.
    pub fn to_json(&self) -> Value {
        let field = |(name, time): &(&str, Duration)| (name.replace(' ', "_"), json!(time.as_secs_f64()));
        Value::Object(self.0.iter().map(field).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_phase_has_a_line_and_a_field() {
        let milliseconds = Duration::from_millis;
        let (front_end, exploration) = (milliseconds(50), milliseconds(12_345));
        let times = Times { front_end, exploration, ..Times::default() };
        let phases = Phases::new(&times, milliseconds(2));
        let text = "time:\n  front end      0.050 s\n  exploration   12.345 s\n  minimising     0.000 s\n  report         0.002 s\n";
        assert_eq!(phases.to_text(), text);
        let expected = json!({"front_end": 0.05, "exploration": 12.345, "minimising": 0.0, "report": 0.002});
        assert_eq!(phases.to_json(), expected);
    }
}
