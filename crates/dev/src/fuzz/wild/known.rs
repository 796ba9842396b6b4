//! Disagreements that are known and not corrected yet. What has part in one is not compared, unless that is asked for.

use super::class::Class;
use super::program::Program;
use super::way::{Engine, Way};

/// A disagreement that is known.
struct Known {
    /// The class of programs; any if there is none.
    class: Option<Class>,
    /// What the program, with its options, mentions: all of these.
    mentions: &'static [&'static str],
    /// The engines that are wrong.
    engines: &'static [Engine],
    /// Of these, only those with this option.
    option: &'static str,
}

const ALL: &[Engine] = &[Engine::Steps, Engine::Views, Engine::Graphs];

/// What is known to be wrong. Delete an entry when it is corrected; the number is that of the list of wrong answers.
const KNOWN: &[Known] = &[];

/// Whether a way to explore is known to be wrong about such programs.
pub fn is_known(program: &Program, text: &str, way: &Way) -> bool {
    let mentions = |word: &&str| text.contains(*word) || program.words().any(|other| other == *word);
    KNOWN.iter().any(|known| {
        known.class.is_none_or(|class| class == program.class)
            && known.engines.contains(&way.engine)
            && (known.option.is_empty() || way.options.contains(&known.option))
            && known.mentions.iter().all(&mentions)
    })
}

/// Whether all programs of a class are left out.
pub fn is_class_known(class: Class) -> bool {
    let whole = |known: &Known| known.mentions.is_empty() && known.engines == ALL && known.option.is_empty();
    KNOWN.iter().any(|known| known.class == Some(class) && whole(known))
}
