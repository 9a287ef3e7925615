//! Cuts out of a client what the framework compiles into every view and no page ever calls.

use anyhow::{Context, Result, ensure};
use walrus::{FunctionBuilder, FunctionKind, Module};

/// What becomes a trap: the bodies of the futures of taking over a page whose routes are loaded one
/// by one. Ours are all there, so only `hydrate` is called, and this second way would be a twentieth
/// of the client. Nothing else of that name is touched: the compiler joins equal functions under
/// one of their names, and only a future's body is surely nobody else's.
fn is_unused(name: &str) -> bool {
    // As the compiler writes `….hydrate_async::{{closure}}::h0123456789abcdef`.
    let closure = "13hydrate_async28_$u7b$$u7b$closure$u7d$$u7d$17h";
    name.find(closure).is_some_and(|at| {
        name[at + closure.len()..]
            .strip_suffix('E')
            .is_some_and(|hash| hash.len() == 16)
    })
}

/// What begins that way: a client that has it may not be cut.
const LAZY_ENTRY: &str = "hydrate_lazy";

/// `wasm`, as the compiler wrote it and with its names, without what is unused.
pub fn snip(wasm: &[u8]) -> Result<Vec<u8>> {
    let mut module = Module::from_buffer(wasm).context("the client is no wasm")?;
    let named = |module: &Module, fits: fn(&str) -> bool| -> Vec<walrus::FunctionId> {
        let local = module.funcs.iter_local().map(|(id, _)| id);
        let fits = |id: &_| module.funcs.get(*id).name.as_deref().is_some_and(fits);
        local.filter(fits).collect()
    };
    ensure!(
        named(&module, |name| name.contains(LAZY_ENTRY)).is_empty(),
        "the client loads routes lazily and needs what would be cut out of it"
    );
    let unused = named(&module, is_unused);
    if unused.is_empty() {
        // Larger, and right all the same.
        eprintln!("warning: nothing was cut out: the compiler names functions in another way");
    }
    for function in unused {
        trap(&mut module, function);
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
