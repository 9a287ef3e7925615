//! Cuts out of a client what the framework compiles into every view and no page ever calls.

use anyhow::{Context, Result, ensure};
use walrus::{FunctionBuilder, FunctionKind, Module};

/// Parts of the names of functions that become a trap.
///
/// - `hydrate_async`: taking over a page whose routes are loaded one by one. Ours are all there,
///   so only `hydrate` is called; an eighth of the client's code is this second way.
/// - `hydrate_from_template`: views out of `<template>` elements, which no page has.
const UNUSED: [&str; 2] = ["hydrate_async", "hydrate_from_template"];

/// The entry to all of `UNUSED`: a client that has it may not be cut.
const LAZY_ENTRY: &str = "hydrate_lazy";

/// `wasm`, as the compiler wrote it and with its names, without what is unused.
pub fn snip(wasm: &[u8]) -> Result<Vec<u8>> {
    let mut module = Module::from_buffer(wasm).context("the client is no wasm")?;
    let named = |module: &Module, part: &str| -> Vec<walrus::FunctionId> {
        module
            .funcs
            .iter_local()
            .filter(|(id, _)| {
                let name = module.funcs.get(*id).name.as_deref();
                name.is_some_and(|name| name.contains(part))
            })
            .map(|(id, _)| id)
            .collect()
    };
    ensure!(
        named(&module, LAZY_ENTRY).is_empty(),
        "the client loads routes lazily and needs what would be cut out of it"
    );
    for part in UNUSED {
        for function in named(&module, part) {
            trap(&mut module, function);
        }
    }
    Ok(module.emit_wasm())
}

fn trap(module: &mut Module, function: walrus::FunctionId) {
    let kind = module.types.get(module.funcs.get(function).ty());
    let (parameters, results) = (kind.params().to_vec(), kind.results().to_vec());
    let arguments = parameters
        .iter()
        .map(|&kind| module.locals.add(kind))
        .collect();
    let mut builder = FunctionBuilder::new(&mut module.types, &parameters, &results);
    builder.func_body().unreachable();
    module.funcs.get_mut(function).kind = FunctionKind::Local(builder.local_func(arguments));
}
