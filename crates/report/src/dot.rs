//! An execution graph as a picture, in the language of Graphviz.
//!
//! Each thread is a column, program order goes from top to bottom, the other relations are arrows in colours, which a
//! legend explains. The two halves of an update are one box. What a violation is about is red.

use selvedge_trace::graph::{ExecutionGraph, Kind, Name, Node, Source, Thread};
use std::fmt::Write;

/// A relation: its name, what it is, and how it looks.
struct Look {
    name: &'static str,
    meaning: &'static str,
    colour: &'static str,
    style: &'static str,
}

const PO: Look = Look { name: "po", meaning: "program order", colour: "#444444", style: "solid" };
const RF: Look = Look { name: "rf", meaning: "reads from", colour: "#1a7f37", style: "solid" };
const MO: Look = Look { name: "mo", meaning: "modification order", colour: "#b35900", style: "solid" };
const RB: Look = Look { name: "rb", meaning: "reads before", colour: "#8250df", style: "dashed" };
const HB: Look =
    Look { name: "hb", meaning: "happens before, by synchronisation", colour: "#0969da", style: "bold" };

/// The picture.
pub fn draw(graph: &ExecutionGraph) -> String {
    // Writing to a string cannot fail, so results of `write!` are ignored.
    let mut text = String::new();
    let _ = writeln!(text, "digraph execution {{");
    let _ = writeln!(
        text,
        "  graph [rankdir=TB, nodesep=0.4, ranksep=0.35, labelloc=t, fontname=\"sans-serif\", label={}];",
        quote(&title(graph))
    );
    let _ = writeln!(
        text,
        "  node [shape=box, style=\"rounded,filled\", fillcolor=white, color=\"#444444\", fontname=monospace, fontsize=11];"
    );
    let _ = writeln!(text, "  edge [fontname=\"sans-serif\", fontsize=9, arrowsize=0.7];");
    let boxes = Boxes::new(graph);
    threads(&mut text, graph, &boxes);
    initial_writes(&mut text, graph, &boxes);
    let mut draw = |look: &Look, one: &str, other: &str, more: &str| {
        if one != other {
            let Look { name, colour, style, .. } = look;
            let _ = writeln!(
                text,
                "  {one} -> {other} [label={name}, color=\"{colour}\", fontcolor=\"{colour}\", style={style}{more}];"
            );
        }
    };
    // Only what comes later in every order may stand further down.
    let free = ", constraint=false";
    for (source, read) in &graph.rf {
        let from = match source {
            Source::Initial => {
                let location = graph.node(*read).and_then(|node| node.location);
                location.filter(|at| boxes.initial.contains(at)).map(initial)
            }
            Source::Node(write) => boxes.of(*write),
        };
        if let (Some(from), Some(to)) = (from, boxes.of(*read)) {
            draw(&RF, &from, &to, free);
        }
    }
    for (at, location) in graph.locations.iter().enumerate() {
        // Every change of a synchronisation object reads from the one before.
        if location.sync {
            continue;
        }
        let first = boxes.initial.contains(&at).then(|| initial(at));
        let writes = location.mo.iter().filter_map(|write| boxes.of(*write));
        let writes: Vec<String> = first.into_iter().chain(writes).collect();
        for pair in writes.windows(2) {
            draw(&MO, &pair[0], &pair[1], free);
        }
    }
    for (read, write) in &graph.rb {
        if let (Some(from), Some(to)) = (boxes.of(*read), boxes.of(*write)) {
            draw(&RB, &from, &to, free);
        }
    }
    for (one, other) in graph.hb.iter().filter(|(one, other)| one.thread != other.thread) {
        if let (Some(from), Some(to)) = (boxes.of(*one), boxes.of(*other)) {
            draw(&HB, &from, &to, "");
        }
    }
    legend(&mut text);
    columns(&mut text, graph, &boxes);
    text.push_str("}\n");
    text
}

fn title(graph: &ExecutionGraph) -> String {
    let mut lines: Vec<String> = Vec::new();
    for violation in &graph.violations {
        let place = &violation.location;
        let at = match place.line {
            0 => String::new(),
            line => format!("  {}:{line}", file_name(&place.file)),
        };
        lines.push(format!("{}{at}", violation.message));
    }
    lines.push(format!("memory model {}", graph.model));
    lines.join("\n")
}

/// Which box a node is in.
struct Boxes<'g> {
    graph: &'g ExecutionGraph,
    /// The locations whose initial values are read.
    initial: Vec<usize>,
}

impl<'g> Boxes<'g> {
    fn new(graph: &'g ExecutionGraph) -> Self {
        let read = |(source, read): &(Source, Name)| match source {
            // The first state of a mutex says nothing.
            Source::Initial => graph
                .node(*read)?
                .location
                .filter(|at| !graph.locations.get(*at).is_some_and(|location| location.sync)),
            Source::Node(_) => None,
        };
        let mut initial: Vec<usize> = graph.rf.iter().filter_map(read).collect();
        initial.sort_unstable();
        initial.dedup();
        Self { graph, initial }
    }

    /// The box of a node.
    fn of(&self, name: Name) -> Option<String> {
        let node = self.graph.node(name)?;
        let index = match first_half(self.graph, node) {
            Some(read) => read.name.index,
            None => name.index,
        };
        Some(format!("n{}_{index}", name.thread.number()))
    }
}

/// The read that a write is the second half of.
fn first_half<'g>(graph: &'g ExecutionGraph, node: &Node) -> Option<&'g Node> {
    let before = Name { index: node.name.index.checked_sub(1)?, ..node.name };
    let before = graph.node(before).filter(|before| before.kind == Kind::UpdateRead)?;
    (node.kind == Kind::UpdateWrite && node.location == before.location).then_some(before)
}

fn initial(location: usize) -> String {
    format!("i{location}")
}

fn threads(text: &mut String, graph: &ExecutionGraph, boxes: &Boxes<'_>) {
    for thread in &graph.threads {
        let own: Vec<&Node> = graph.nodes.iter().filter(|node| node.name.thread == thread.name).collect();
        let number = thread.name.number();
        let _ = writeln!(text, "  subgraph cluster_{number} {{");
        let title = format!("thread {} ({})", thread.name, thread.function);
        let _ = writeln!(
            text,
            "    label={}; color=\"#bbbbbb\"; style=rounded; fontname=\"sans-serif\";",
            quote(&title)
        );
        let mut last: Option<String> = None;
        for node in &own {
            let Some(id) = boxes.of(node.name).filter(|id| Some(id) != last.as_ref()) else { continue };
            let write = graph.node(Name { index: node.name.index + 1, ..node.name });
            let write = write.filter(|write| first_half(graph, write).is_some());
            let names = [Some(node.name), write.map(|write| write.name)];
            let is_wrong = graph
                .violations
                .iter()
                .any(|violation| names.iter().flatten().any(|name| violation.nodes.contains(name)));
            let wrong = match is_wrong {
                true => ", color=\"#cf222e\", fillcolor=\"#ffdddd\", penwidth=2",
                false => "",
            };
            let _ = writeln!(text, "    {id} [label={}{wrong}];", quote(&label(node, write)));
            if let Some(before) = last {
                let _ = writeln!(text, "    {before} -> {id} [color=\"{}\", weight=10];", PO.colour);
            }
            last = Some(id);
        }
        let _ = writeln!(text, "  }}");
    }
}

/// What a box says: `x.store(1, relaxed)  file.c:12`.
fn label(node: &Node, write: Option<&Node>) -> String {
    let variable = node.variable.as_deref().unwrap_or("memory");
    let value = |node: &Node| node.value.clone().unwrap_or_else(|| "?".to_owned());
    let order = node.order.map_or("", |order| order.name());
    let operation = node.operation.as_str();
    let has_value = node.value.is_some();
    let what = match (node.kind, write) {
        (Kind::Write, _) if has_value => format!("{variable}.{operation}({}, {order})", value(node)),
        (Kind::Read, _) if has_value => format!("{variable}.{operation}({order}) → {}", value(node)),
        (Kind::UpdateRead, Some(write)) if has_value => {
            format!("{variable}.{operation}({order}): {} → {}", value(node), value(write))
        }
        (Kind::UpdateRead, None) if has_value => format!("{variable}.{operation}({order}) → {}", value(node)),
        (Kind::Fence, _) => format!("{operation}({order})"),
        (Kind::Wait, _) => match &node.variable {
            Some(variable) => format!("waits: {operation}({variable})"),
            None => format!("waits: {operation}"),
        },
        _ => match &node.variable {
            Some(variable) => format!("{operation}({variable})"),
            None => operation.to_owned(),
        },
    };
    match node.place.line {
        0 => what,
        line => {
            format!("{what}  {}:{line}", file_name(&node.place.file))
        }
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Threads stand in the order of their names, then initial values, then the legend: invisible points keep them there.
fn columns(text: &mut String, graph: &ExecutionGraph, boxes: &Boxes<'_>) {
    let point = |thread: &Thread| format!("t{}", thread.name.number());
    let top = graph.threads.iter().map(point).chain(boxes.initial.iter().map(|at| initial(*at)));
    let top: Vec<String> = top.chain(["legend".to_owned()]).collect();
    let _ = writeln!(text, "  node [shape=point, style=invis, width=0, height=0];");
    let _ = writeln!(text, "  {{ rank=same; {} [style=invis, weight=100]; }}", top.join(" -> "));
    for thread in &graph.threads {
        let first = graph.nodes.iter().find(|node| node.name.thread == thread.name);
        if let Some(first) = first.and_then(|node| boxes.of(node.name)) {
            let _ = writeln!(text, "  {} -> {first} [style=invis, weight=10];", point(thread));
        }
    }
}

fn initial_writes(text: &mut String, graph: &ExecutionGraph, boxes: &Boxes<'_>) {
    for at in &boxes.initial {
        let Some(location) = graph.locations.get(*at) else { continue };
        let label = match &location.initial {
            Some(value) => format!("{} = {value}, initially", location.name),
            None => format!("{}, initially", location.name),
        };
        let _ = writeln!(text, "  {} [label={}, style=\"rounded,dotted\"];", initial(*at), quote(&label));
    }
}

fn legend(text: &mut String) {
    text.push_str("  legend [shape=plain, style=\"\", fontname=\"sans-serif\", fontsize=10, label=<\n");
    text.push_str("    <table border=\"0\" cellborder=\"0\" cellspacing=\"2\">\n");
    for Look { name, meaning, colour, .. } in [PO, RF, MO, RB, HB] {
        let _ = writeln!(
            text,
            "      <tr><td align=\"left\"><font color=\"{colour}\"><b>{name}</b></font></td>\
             <td align=\"left\"><font color=\"{colour}\">{meaning}</font></td></tr>"
        );
    }
    text.push_str("      <tr><td></td><td align=\"left\"><font color=\"#cf222e\">what the violation is about</font></td></tr>\n");
    text.push_str("    </table>>];\n");
}

/// A string of the language.
fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            // `&lt;` and the like would be taken for characters.
            '&' => quoted.push_str("&amp;"),
            c if c.is_control() => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_trace::graph::{Location, Order, Place, Violation};

    fn name(text: &str) -> Name {
        text.parse().expect("a name")
    }

    fn node(text: &str, kind: Kind, operation: &str, value: Option<&str>) -> Node {
        Node {
            name: name(text),
            kind,
            operation: operation.to_owned(),
            order: Some(Order::Relaxed),
            location: value.map(|_| 0),
            variable: value.map(|_| "s->\"x\"".to_owned()),
            value: value.map(str::to_owned),
            bits: None,
            place: Place { file: "some/file.c".to_owned(), line: 12, ..Place::default() },
        }
    }

    fn graph() -> ExecutionGraph {
        let thread = |name: &str| Thread { name: name.parse().expect("a thread"), function: "f".to_owned() };
        ExecutionGraph {
            model: "rc11".to_owned(),
            violations: vec![Violation {
                kind: "assertion".to_owned(),
                message: "`\"a\\b\" < &lt;` failed\n".to_owned(),
                location: Place::default(),
                thread: "1".parse().expect("a thread"),
                nodes: vec![name("1#2")],
            }],
            threads: vec![thread("0"), thread("1"), thread("2.1")],
            locations: vec![Location {
                name: "s->x".to_owned(),
                size: 4,
                sync: false,
                initial: Some("0".to_owned()),
                bits: None,
                mo: vec![name("1#0"), name("1#2")],
            }],
            nodes: vec![
                node("1#0", Kind::Write, "store", Some("1")),
                node("1#1", Kind::UpdateRead, "fetch_add", Some("1")),
                node("1#2", Kind::UpdateWrite, "fetch_add", Some("2")),
                node("1#3", Kind::Fence, "fence", None),
                node("2.1#0", Kind::Read, "load", Some("0")),
            ],
            po: vec![(name("1#0"), name("1#1")), (name("1#1"), name("1#2")), (name("1#2"), name("1#3"))],
            rf: vec![(Source::Node(name("1#0")), name("1#1")), (Source::Initial, name("2.1#0"))],
            rb: vec![(name("2.1#0"), name("1#0"))],
            hb: vec![(name("1#0"), name("1#1")), (name("1#3"), name("2.1#0"))],
            ..ExecutionGraph::default()
        }
    }

    #[test]
    fn a_picture_has_a_column_for_each_thread() {
        let text = draw(&graph());
        let number = graph().threads[2].name.number();
        for expected in [
            "subgraph cluster_1 {\n    label=\"thread 1 (f)\";".to_owned(),
            format!("subgraph cluster_{number} {{\n    label=\"thread 2.1 (f)\";"),
            "n1_0 [label=\"s->\\\"x\\\".store(1, relaxed)  file.c:12\"];".to_owned(),
            // Both halves of an update, red because one of them is.
            "n1_1 [label=\"s->\\\"x\\\".fetch_add(relaxed): 1 → 2  file.c:12\", color=\"#cf222e\"".to_owned(),
            "n1_3 [label=\"fence(relaxed)  file.c:12\"];".to_owned(),
            "n1_1 -> n1_3 [color=".to_owned(),
            "i0 [label=\"s->x = 0, initially\"".to_owned(),
            format!("i0 -> n{number}_0 [label=rf, "),
            "n1_0 -> n1_1 [label=rf, ".to_owned(),
            "i0 -> n1_0 [label=mo, ".to_owned(),
            "n1_0 -> n1_1 [label=mo, ".to_owned(),
            format!("n{number}_0 -> n1_0 [label=rb, "),
            format!("n1_3 -> n{number}_0 [label=hb, "),
            format!("t0 -> t1 -> t{number} -> i0 -> legend"),
        ] {
            assert!(text.contains(&expected), "{expected}\n{text}");
        }
        // Program order is not drawn twice, and the second half of an update has no box.
        assert!(!text.contains("n1_0 -> n1_1 [label=hb") && !text.contains("n1_2"), "{text}");
        assert_eq!(text.matches('{').count(), text.matches('}').count());
    }

    #[test]
    fn labels_are_escaped() {
        let text = draw(&graph());
        assert!(text.contains(r#"label="`\"a\\b\" < &amp;lt;` failed\n\nmemory model rc11""#), "{text}");
        assert_eq!(quote("a\tb\u{7}"), "\"a b \"");
    }

    #[test]
    fn what_is_missing_is_left_out() {
        let mut graph = graph();
        graph.nodes.clear();
        let text = draw(&graph);
        assert!(!text.contains("n1_") && text.contains("legend"), "{text}");
        assert!(draw(&ExecutionGraph::default()).ends_with("}\n"));
    }
}
