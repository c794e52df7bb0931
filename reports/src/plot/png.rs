//! Pixels as PNG (W3C, Portable Network Graphics, third edition): true colour, 8 bits, no interlace, nothing that has a date.

/// How hard DEFLATE tries, from 0 to 10.
const LEVEL: u8 = 6;

/// The file of a picture, rows from top to bottom, three bytes for each pixel.
pub(super) fn encode(width: u32, height: u32, rgb: &[u8]) -> Vec<u8> {
    let mut header = Vec::from(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    // Depth, true colour, DEFLATE, filters by row, no interlace.
    header.extend([8, 2, 0, 0, 0]);
    let row = width as usize * 3;
    let mut rows = Vec::with_capacity(rgb.len() + height as usize);
    for (number, pixels) in rgb.chunks_exact(row.max(1)).enumerate() {
        // A row that is like the one above it, as most are, becomes zeros.
        rows.push(2);
        let above = number.checked_sub(1).map(|above| &rgb[above * row..]);
        rows.extend(pixels.iter().enumerate().map(|(at, byte)| byte.wrapping_sub(above.map_or(0, |above| above[at]))));
    }
    let mut file = Vec::from(*b"\x89PNG\r\n\x1a\n");
    chunk(&mut file, *b"IHDR", &header);
    chunk(&mut file, *b"IDAT", &miniz_oxide::deflate::compress_to_vec_zlib(&rows, LEVEL));
    chunk(&mut file, *b"IEND", &[]);
    file
}

fn chunk(file: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    let length = u32::try_from(data.len()).expect("a picture of some thousand pixels across");
    file.extend(length.to_be_bytes());
    let from = file.len();
    file.extend(kind);
    file.extend(data);
    file.extend(crc(&file[from..]).to_be_bytes());
}

/// The cyclic redundancy check of PNG, which is that of ISO 3309.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        let mut crc = crc ^ u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 };
        }
        crc
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_is_that_of_the_standard() {
        assert_eq!(crc(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc(b"IEND"), 0xae42_6082, "as it stands at the end of every PNG");
    }

    #[test]
    fn pixels_come_back_row_by_row() {
        let rgb: Vec<u8> = (0..2 * 3 * 3).map(|byte| byte * 7).collect();
        let file = encode(2, 3, &rgb);
        assert_eq!(&file[16..24], [0, 0, 0, 2, 0, 0, 0, 3]);
        let data = file.windows(4).position(|four| four == b"IDAT").expect("data") + 4;
        let rows = miniz_oxide::inflate::decompress_to_vec_zlib(&file[data..file.len() - 16]).expect("zlib");
        let mut again: Vec<u8> = Vec::new();
        for row in rows.chunks_exact(7) {
            assert_eq!(row[0], 2, "the filter `up`");
            let above = again.len().checked_sub(6);
            let pixels: Vec<u8> = row[1..]
                .iter()
                .enumerate()
                .map(|(at, byte)| byte.wrapping_add(above.map_or(0, |above| again[above + at])))
                .collect();
            again.extend(pixels);
        }
        assert_eq!(again, rgb);
    }
}
