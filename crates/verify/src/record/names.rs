//! Values and locations as the source writes them.

use selvedge_trace::execution::Value;
use selvedge_vm::Machine;

/// A number as a person would write it; addresses as what they point to.
pub(super) fn value(machine: &Machine<'_>, bits: u128, bytes: u32) -> Value {
    Value { bits, text: text(machine, bits, bytes) }
}

fn text(machine: &Machine<'_>, bits: u128, bytes: u32) -> String {
    let width = bytes * 8;
    let pointers = u128::from(selvedge_vm::address::GLOBALS)..u128::from(selvedge_vm::address::LIMIT);
    if bytes == 8 && pointers.contains(&bits) {
        let address = bits as u64;
        if let Some(object) = machine.object_at(address)
            && object.start == address
        {
            let name = object.path(machine, address, object.size);
            return format!("&{}", name.unwrap_or_else(|| format!("({})", object.describe(machine))));
        }
    }
    if width == 0 || width > 128 {
        return bits.to_string();
    }
    let shift = 128 - width;
    let signed = ((bits << shift) as i128) >> shift;
    signed.to_string()
}

/// What a store writes to whose place in the program is past.
pub(super) fn stored(machine: &Machine<'_>, address: u64, size: u32) -> String {
    let bytes = u64::from(size);
    let name = machine.object_at(address).map(|object| match object.path(machine, address, bytes) {
        Some(path) => path,
        None if object.start == address && object.size == bytes => object.describe(machine),
        None => format!("{size} bytes {}", object.place(machine, address, bytes)),
    });
    name.unwrap_or_else(|| format!("{address:#x}"))
}

/// The name of the function at an address.
pub(super) fn function(machine: &Machine<'_>, address: u64) -> String {
    selvedge_vm::address::function_at(address)
        .and_then(|id| machine.image.program.functions.get(id.index()))
        .map_or_else(|| format!("{address:#x}"), |function| function.name.clone())
}
