//! Parts of a page that its script unpacks: DEFLATE in base64, a tenth of their size.
//!
//! What a reader without the script has to be able to read is never packed.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::html::put;

/// How hard DEFLATE tries, from 0 to 10; beyond this it takes longer and wins nothing.
const LEVEL: u8 = 8;

/// Adds HTML that the script puts into its place when the run is opened.
pub(super) fn write(page: &mut String, html: &str) {
    let packed = miniz_oxide::deflate::compress_to_vec(html.as_bytes(), LEVEL);
    put(page, format_args!("<div class=\"packed\" data-packed=\"{}\"></div>\n", STANDARD.encode(packed)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_there_again() {
        let html = "<p title=\"é &amp; µ\">White presses</p>\n".repeat(40);
        let mut page = String::new();
        write(&mut page, &html);
        let data = page.split('"').nth(3).expect("the attribute");
        let bytes = STANDARD.decode(data).expect("base64");
        let again = miniz_oxide::inflate::decompress_to_vec(&bytes).expect("DEFLATE");
        assert_eq!(String::from_utf8(again).expect("text"), html);
        assert!(page.len() * 5 < html.len(), "{} of {}", page.len(), html.len());
    }
}
