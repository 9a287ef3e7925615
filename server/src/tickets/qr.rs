//! QR codes as inline SVG: dark on white with the quiet zone that scanners need, whatever the
//! page's theme, without a script and without a request.

use anyhow::Context;
use qrcode::{Color, EcLevel, QrCode};
use std::fmt::Write;

/// Light modules around the code, as the standard asks.
const QUIET_MODULES: usize = 4;

/// The picture of `code`, scaled by the page. `label` is what screen readers say.
pub fn svg(code: &str, label: &str) -> anyhow::Result<String> {
    let qr = QrCode::with_error_correction_level(code, EcLevel::M)
        .context("a ticket code fits a QR code")?;
    let width = qr.width();
    let side = width + 2 * QUIET_MODULES;
    let mut path = String::new();
    let colors = qr.to_colors();
    for (y, row) in colors.chunks(width).enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|a, b| a == b) {
            if run[0] == Color::Dark {
                let (left, top) = (x + QUIET_MODULES, y + QUIET_MODULES);
                write!(path, "M{left} {top}h{n}v1h-{n}z", n = run.len())
                    .expect("a string takes all");
            }
            x += run.len();
        }
    }
    Ok(format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" role="img" aria-label="{label}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h{side}v{side}H0z"/><path fill="#000" d="{path}"/></svg>"##,
        label = crate::messages::escape(label),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_use_the_compact_mode_and_keep_their_distance() {
        let code = "A2".repeat(domain::ticket::CODE_CHARACTERS / 2);
        let qr = QrCode::with_error_correction_level(&code, EcLevel::M).unwrap();
        assert!(
            qr.width() <= 41,
            "version 6 at most, so that a phone's screen shows it well"
        );
        let svg = svg(&code, "Row \"A\"").unwrap();
        assert!(svg.contains("viewBox=\"0 0 49 49\""), "{svg}");
        assert!(svg.contains("aria-label=\"Row &quot;A&quot;\""));
        // The finder pattern's first run: seven modules, four from either edge.
        assert!(svg.contains("M4 4h7v1h-7z"));
    }
}
