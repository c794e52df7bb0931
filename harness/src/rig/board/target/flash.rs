//! An image on its way into flash, and back for comparison.

use probe_rs::flashing::{DownloadOptions, ElfLoader, ElfOptions, FlashError, build_loader};

use super::{HALT_BUDGET, Target, TargetError, chain, probe};
use crate::rig::board::flashing::{self, Flashing};

impl Target {
    /// Brings the image into flash, with verify, and tells how far that is.
    ///
    /// What is in flash already is not written again: one erasure for each image, however many processes run trials.
    pub(super) fn flash(&mut self, tell: &dyn Fn(Flashing)) -> Result<(), TargetError> {
        let flash = |error: &dyn std::error::Error| TargetError::Flash(chain(error));
        self.session
            .core(0)
            .and_then(|mut core| core.reset_and_halt(HALT_BUDGET))
            .map_err(probe("reset for flashing"))?;
        let path = self.firmware.path().to_owned();
        let loader = build_loader(&mut self.session, &path, ElfLoader(ElfOptions::default()), None)
            .map_err(|error| flash(&error))?;
        match loader.verify(&mut self.session, &mut flashing::told(tell, true)) {
            Ok(()) => return Ok(()),
            Err(FlashError::Verify) => {}
            Err(error) => return Err(TargetError::Probe { doing: "compare flash", cause: chain(&error) }),
        }
        let mut options = DownloadOptions::default();
        options.verify = true;
        options.progress = flashing::told(tell, false);
        loader.commit(&mut self.session, options).map_err(|error| match error {
            FlashError::Verify => flash(&error),
            error => TargetError::Probe { doing: "program flash", cause: chain(&error) },
        })
    }
}
