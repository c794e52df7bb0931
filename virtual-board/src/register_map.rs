//! The numbers under which QEMU's gdb stub knows the core registers.
//!
//! They are read from the target description and not written down here: they moved between QEMU versions, and MSP, PSP
//! and the mask registers have one only since QEMU 8.

use crate::gdb::GdbError;
use std::collections::BTreeMap;
use thiserror::Error;

/// A core register by the name it has in the target description.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Register {
    /// R0 to R12.
    General(u8),
    Sp,
    Lr,
    Pc,
    Xpsr,
    Msp,
    Psp,
    Primask,
    Control,
    Basepri,
    Faultmask,
    Fpscr,
    /// D0 to D15, two single-precision registers each.
    Double(u8),
}

impl Register {
    /// Bytes that a write of the register carries.
    pub(crate) fn bytes(self) -> usize {
        if matches!(self, Register::Double(_)) { 8 } else { 4 }
    }

    fn name(self) -> String {
        match self {
            Register::General(number) => format!("r{number}"),
            Register::Double(number) => format!("d{number}"),
            Register::Sp => "sp".to_owned(),
            Register::Lr => "lr".to_owned(),
            Register::Pc => "pc".to_owned(),
            Register::Xpsr => "xpsr".to_owned(),
            Register::Msp => "msp".to_owned(),
            Register::Psp => "psp".to_owned(),
            Register::Primask => "primask".to_owned(),
            Register::Control => "control".to_owned(),
            Register::Basepri => "basepri".to_owned(),
            Register::Faultmask => "faultmask".to_owned(),
            Register::Fpscr => "fpscr".to_owned(),
        }
    }
}

/// A target description that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RegisterMapError {
    /// Without this register no Cortex-M core can be debugged: the emulated machine is not one.
    #[error("QEMU's target description has no register {0}")]
    Missing(&'static str),
    /// The number of a register is no number.
    #[error("QEMU's target description numbers a register {0:?}")]
    Number(String),
}

/// Register numbers by name.
#[derive(Debug, Default)]
pub(crate) struct RegisterMap {
    numbers: BTreeMap<String, u32>,
}

impl RegisterMap {
    /// Reads the description through `fetch`, which gets one annex by name.
    pub(crate) fn read(mut fetch: impl FnMut(&str) -> Result<String, GdbError>) -> Result<RegisterMap, GdbError> {
        let mut map = RegisterMap::default();
        let mut next = 0;
        let target = fetch("target.xml")?;
        next = map.add(&target, next)?;
        for include in tags(&target, "xi:include") {
            if let Some(annex) = attribute(include, "href") {
                next = map.add(&fetch(annex)?, next)?;
            }
        }
        for needed in ["r0", "sp", "lr", "pc", "xpsr"] {
            if !map.numbers.contains_key(needed) {
                return Err(RegisterMapError::Missing(needed).into());
            }
        }
        Ok(map)
    }

    /// The number of `register`, `None` if the emulated core does not show it.
    pub(crate) fn number(&self, register: Register) -> Option<u32> {
        self.numbers.get(&register.name()).copied()
    }

    /// Adds the registers of one annex. One without a number follows the one before.
    fn add(&mut self, annex: &str, mut next: u32) -> Result<u32, RegisterMapError> {
        for tag in tags(annex, "reg") {
            if let Some(number) = attribute(tag, "regnum") {
                next = number.parse().map_err(|_| RegisterMapError::Number(number.to_owned()))?;
            }
            if let Some(name) = attribute(tag, "name") {
                self.numbers.insert(name.to_owned(), next);
                next += 1;
            }
        }
        Ok(next)
    }
}

/// The attributes of every `<name ...>` in `text`.
fn tags<'t>(text: &'t str, name: &str) -> impl Iterator<Item = &'t str> {
    let opening = format!("<{name} ");
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find(&opening)? + opening.len();
        let end = start + rest[start..].find('>')?;
        let tag = &rest[start..end];
        rest = &rest[end..];
        Some(tag)
    })
}

/// The value of `name="value"` in a tag.
fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    tag.split_whitespace().find_map(|pair| pair.strip_prefix(name)?.strip_prefix("=\"")?.split('"').next())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(annexes: &[(&str, &str)]) -> Result<RegisterMap, GdbError> {
        RegisterMap::read(|name| {
            let (_, text) = annexes.iter().find(|(annex, _)| *annex == name).expect("a known annex");
            Ok((*text).to_owned())
        })
    }

    const CORE: &str = r#"<feature><reg name="r0" bitsize="32"/><reg name="sp" bitsize="32" type="data_ptr"/>
        <reg name="lr"/><reg name="pc"/><reg name="xpsr" bitsize="32" regnum="25"/></feature>"#;

    #[test]
    fn numbers_run_on_from_the_last_one_given() {
        let map = read(&[
            ("target.xml", r#"<target><xi:include href="core.xml"/><xi:include href="fpu.xml"/></target>"#),
            ("core.xml", CORE),
            (
                "fpu.xml",
                r#"<reg name="d0" bitsize="64"/><reg name="fpscr"/><reg name="msp" regnum="43"/><reg name="psp"/>"#,
            ),
        ])
        .expect("a description");
        let number = |register| map.number(register);
        assert_eq!(number(Register::General(0)), Some(0));
        assert_eq!(number(Register::Pc), Some(3));
        assert_eq!(number(Register::Xpsr), Some(25));
        assert_eq!(number(Register::Double(0)), Some(26));
        assert_eq!(number(Register::Fpscr), Some(27));
        assert_eq!(number(Register::Psp), Some(44));
        assert_eq!(number(Register::Primask), None);
    }

    #[test]
    fn a_core_that_is_no_cortex_m_is_refused() {
        let error = read(&[("target.xml", r#"<reg name="r0"/><reg name="sp"/><reg name="lr"/><reg name="pc"/>"#)]);
        assert!(matches!(error, Err(GdbError::Registers(RegisterMapError::Missing("xpsr")))), "{error:?}");
        let error = read(&[("target.xml", r#"<reg name="r0" regnum="x"/>"#)]);
        assert!(matches!(error, Err(GdbError::Registers(RegisterMapError::Number(_)))), "{error:?}");
    }
}
