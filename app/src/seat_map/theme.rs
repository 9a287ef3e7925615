//! The page's colours as the canvas needs them, read from the style sheet once per theme.

use web_sys::Element;

use super::paint::Probe;
use super::raster::{Palette, Rgb};

/// How much white is mixed into a nearly black colour on a dark page, or black into a nearly
/// white one on a light page.
const TOWARD_READABLE: f32 = 0.3;

/// Colours of one theme; those of texts and lines as CSS words.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Theme {
    pub palette: Palette,
    /// By tier, CSS.
    pub tiers: Vec<String>,
    /// Black or white, whichever is readable on a disc of the tier.
    pub on_tiers: Vec<&'static str>,
    pub surface: String,
    pub plate: String,
    pub line: String,
    pub text: String,
    pub muted: String,
    pub accent: String,
    pub on_accent: &'static str,
    pub danger: String,
    pub font: String,
}

impl Theme {
    /// Reads the custom properties of the map's element. `tiers` are `0xRRGGBB`.
    pub fn read(element: &Element, tiers: &[u32], forced: bool) -> Self {
        let style =
            web_sys::window().and_then(|window| window.get_computed_style(element).ok().flatten());
        let property = |name: &str, fallback: &str| {
            let value = style
                .as_ref()
                .and_then(|style| style.get_property_value(name).ok());
            let value = value.unwrap_or_default();
            let value = value.trim();
            if value.is_empty() {
                fallback.to_owned()
            } else {
                value.to_owned()
            }
        };
        // In forced colours the system's own words stand for everything.
        let pick = |name: &str, fallback: &str, system: &str| {
            if forced {
                system.to_owned()
            } else {
                property(name, fallback)
            }
        };
        let text = pick("--text", "#1c1d21", "CanvasText");
        let surface = pick("--surface", "#ffffff", "Canvas");
        let muted = pick("--line-strong", "#9a9ca5", "GrayText");
        let accent = pick("--accent", "#2f5fdc", "Highlight");
        let probe = Probe::new();
        let dark = luminance(probe.rgb(&surface)) < 0.3;
        let colours: Vec<Rgb> = if forced {
            tiers.iter().map(|_| probe.rgb(&text)).collect()
        } else {
            tiers
                .iter()
                .map(|&tier| readable(rgb_of(tier), dark))
                .collect()
        };
        Self {
            tiers: colours.iter().map(|&rgb| css(rgb)).collect(),
            on_tiers: colours.iter().map(|&rgb| ink_on(rgb)).collect(),
            palette: Palette {
                tiers: colours,
                muted: probe.rgb(&muted),
            },
            plate: pick("--surface-2", "#eef0f3", "Canvas"),
            line: pick("--line", "#d9dbe0", "GrayText"),
            muted: pick("--muted", "#666a73", "CanvasText"),
            on_accent: ink_on(probe.rgb(&accent)),
            accent,
            danger: pick("--bad", "#c62828", "CanvasText"),
            font: property("font-family", "system-ui, sans-serif"),
            text,
            surface,
        }
    }

    pub fn tier(&self, tier: u8) -> &str {
        self.tiers
            .get(usize::from(tier))
            .map_or(&self.muted, String::as_str)
    }
}

fn rgb_of(color: u32) -> Rgb {
    [(color >> 16) as u8, (color >> 8) as u8, color as u8]
}

fn css([red, green, blue]: Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Relative luminance after WCAG 2, 0..=1, with the exponent rounded to 2.
fn luminance([red, green, blue]: Rgb) -> f32 {
    let linear = |channel: u8| (f32::from(channel) / 255.0).powi(2);
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

fn ink_on(rgb: Rgb) -> &'static str {
    if luminance(rgb) > 0.36 {
        "#16171a"
    } else {
        "#ffffff"
    }
}

/// An organiser's colour, changed only where it would vanish on the page's ground.
fn readable(rgb: Rgb, dark: bool) -> Rgb {
    let (lost, toward) = if dark {
        (luminance(rgb) < 0.06, 255.0)
    } else {
        (luminance(rgb) > 0.75, 0.0)
    };
    if !lost {
        return rgb;
    }
    rgb.map(|channel| {
        (f32::from(channel) * (1.0 - TOWARD_READABLE) + toward * TOWARD_READABLE) as u8
    })
}
