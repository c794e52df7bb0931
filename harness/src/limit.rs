//! The mask that time errors are held to: one of flagfall's by its name, or the user's by the path of a file.

use std::path::{Path, PathBuf};

use flagfall_reports::statistics::{Mask, MaskError};

/// What was given is no mask.
#[derive(Debug, thiserror::Error)]
pub enum LimitError {
    /// No mask has this name: use one of those listed, or the path of a file.
    #[error("no mask `{0}`: flagfall has {known}; a file is named by its path, with `/` or `.yaml` in it", known = Mask::SHIPPED.join(", "))]
    NoMask(String),
    /// The file cannot be read: look at the path and the cause.
    #[error("cannot read {path}: {cause}")]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// The file is no mask: correct it as the message says.
    #[error("{path}: {cause}")]
    Wrong {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        cause: MaskError,
    },
}

/// The mask that was given, or the one for crystals.
///
/// # Errors
/// [`LimitError`] with what there is instead.
pub fn mask(given: Option<&str>) -> Result<Mask, LimitError> {
    let Some(given) = given else { return Ok(Mask::default()) };
    if let Some(mask) = Mask::shipped(given) {
        return Ok(mask);
    }
    if !given.contains('/') && !given.contains(".y") {
        return Err(LimitError::NoMask(given.to_owned()));
    }
    let path = Path::new(given).to_owned();
    let text = std::fs::read_to_string(&path).map_err(|cause| LimitError::Io { path: path.clone(), cause })?;
    Mask::from_yaml(&text).map_err(|cause| LimitError::Wrong { path, cause })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_has_a_name_or_a_file() {
        assert_eq!(mask(None).expect("the usual one").name, "crystal");
        assert_eq!(mask(Some("strict")).expect("it is shipped").step_ns, 2_000_000);
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("club.yaml");
        std::fs::write(&file, "mask: club\nstep: 5ms\nrate: 30ppm\n").expect("a file");
        let given = file.to_str().expect("a path");
        assert_eq!(mask(Some(given)).expect("a mask").rate_ppb, 30_000);
        std::fs::write(&file, "mask: club\nstep: 5\nrate: 30ppm\n").expect("a file");
        let error = mask(Some(given)).expect_err("no unit").to_string();
        assert!(error.contains("club.yaml: `5` is no length of time"), "{error}");
        let error = mask(Some("strickt")).expect_err("no such").to_string();
        assert!(error.starts_with("no mask `strickt`: flagfall has strict, crystal, lenient"), "{error}");
        assert!(matches!(mask(Some("none/such.yaml")), Err(LimitError::Io { .. })));
    }
}
