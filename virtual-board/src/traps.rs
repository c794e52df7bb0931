//! What the core is to stop at, as the debugger asks for it and as QEMU's breakpoints can do it.

use crate::dwt::Watchpoint;
use crate::gdb::{Gdb, GdbError};
use crate::qtest::{Qtest, QtestError, Width};
use std::collections::{BTreeMap, BTreeSet};

/// Vector table offset register.
const VTOR: u32 = 0xE000_ED08;

/// What the debugger asks for.
#[derive(Debug, Default, Clone)]
pub(crate) struct Wanted {
    /// Instructions with a breakpoint.
    pub(crate) breakpoints: BTreeSet<u32>,
    /// Numbers of the exceptions whose entry is caught.
    pub(crate) exceptions: BTreeSet<u32>,
    /// Memory that is watched.
    pub(crate) watchpoints: BTreeSet<Watchpoint>,
}

/// What stands behind an address at which QEMU stopped the core.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Trap<'t> {
    /// A breakpoint, or the return of a flash algorithm.
    Breakpoint,
    /// The handler of these exceptions, whose entry is caught.
    Handler(&'t BTreeSet<u32>),
    /// Nothing that was asked for.
    None,
}

/// The traps and the breakpoints QEMU has for them.
#[derive(Debug, Default)]
pub(crate) struct Traps {
    wanted: Wanted,
    /// Handlers of the caught exceptions, by address.
    handlers: BTreeMap<u32, BTreeSet<u32>>,
    /// A `BKPT` in RAM to which the running function returns.
    return_trap: Option<u32>,
    installed: BTreeSet<u32>,
    watched: BTreeSet<Watchpoint>,
}

impl Traps {
    /// Takes what the debugger asks for from now on.
    pub(crate) fn set(&mut self, wanted: Wanted) {
        self.wanted = wanted;
    }

    /// Takes the address to which the function that is about to run returns, if the core is to halt there.
    pub(crate) fn set_return(&mut self, address: Option<u32>) {
        self.return_trap = address;
    }

    /// Looks up the handlers of the caught exceptions, which the program may have moved.
    pub(crate) fn find_handlers(&mut self, bus: &mut Qtest) -> Result<(), QtestError> {
        self.handlers.clear();
        if self.wanted.exceptions.is_empty() {
            return Ok(());
        }
        let table = bus.read(VTOR, Width::Word)?;
        for exception in &self.wanted.exceptions {
            let handler = bus.read(table.wrapping_add(4 * exception), Width::Word)? & !1;
            self.handlers.entry(handler).or_default().insert(*exception);
        }
        Ok(())
    }

    /// Whether QEMU has just the breakpoints and watchpoints it needs.
    pub(crate) fn are_installed(&self) -> bool {
        self.addresses() == self.installed && self.wanted.watchpoints == self.watched
    }

    /// Tells QEMU of the changes; the core must be stopped.
    pub(crate) fn install(&mut self, gdb: &mut Gdb) -> Result<(), GdbError> {
        let addresses = self.addresses();
        for address in self.installed.difference(&addresses) {
            gdb.clear_breakpoint(*address)?;
        }
        for address in addresses.difference(&self.installed) {
            gdb.set_breakpoint(*address)?;
        }
        self.installed = addresses;
        for gone in self.watched.difference(&self.wanted.watchpoints) {
            gdb.clear_watchpoint(*gone)?;
        }
        for new in self.wanted.watchpoints.difference(&self.watched) {
            gdb.set_watchpoint(*new)?;
        }
        self.watched.clone_from(&self.wanted.watchpoints);
        Ok(())
    }

    /// Lets QEMU watch nothing until the next [`Traps::install`]; the core must be stopped.
    pub(crate) fn unwatch(&mut self, gdb: &mut Gdb) -> Result<(), GdbError> {
        std::mem::take(&mut self.watched).into_iter().try_for_each(|watchpoint| gdb.clear_watchpoint(watchpoint))
    }

    /// What stands behind a stop at `pc`.
    pub(crate) fn at(&self, pc: u32) -> Trap<'_> {
        if self.return_trap == Some(pc) || self.wanted.breakpoints.contains(&pc) {
            return Trap::Breakpoint;
        }
        self.handlers.get(&pc).map_or(Trap::None, Trap::Handler)
    }

    fn addresses(&self) -> BTreeSet<u32> {
        let handlers = self.handlers.keys().copied();
        self.wanted.breakpoints.iter().copied().chain(handlers).chain(self.return_trap).collect()
    }
}
