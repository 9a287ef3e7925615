//! The only file that touches a drawing context. Two canvases lie above each other: seats with
//! what is beneath them, and the overlay.

use std::f64::consts::TAU;

use domain::seat_map::{DecorationKind, Point};
use wasm_bindgen::{Clamped, JsCast};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ImageData};

use super::camera::{Backing, Camera, Px};
use super::overlay::{Ink, Mark};
use super::raster::{Raster, Rgb};
use super::scene::{Filter, Left, Level, Scene, meet};
use super::theme::Theme;

/// The two canvases and what their contexts were last set to.
pub struct Painter {
    seats: Sheet,
    over: Sheet,
}

struct Sheet {
    canvas: HtmlCanvasElement,
    context: CanvasRenderingContext2d,
}

impl Sheet {
    fn new(canvas: HtmlCanvasElement) -> Option<Self> {
        let context = canvas.get_context("2d").ok()??.dyn_into().ok()?;
        Some(Self { canvas, context })
    }

    fn fit(&self, backing: &Backing) {
        // Setting a size clears and reallocates, also when it is the same.
        if self.canvas.width() != backing.width || self.canvas.height() != backing.height {
            self.canvas.set_width(backing.width);
            self.canvas.set_height(backing.height);
        }
    }

    fn transform(&self, a: f64, d: f64, e: f64, f: f64) {
        // Fails for nothing that a camera can say.
        let _ = self.context.set_transform(a, 0.0, 0.0, d, e, f);
    }
}

/// What lies beneath the seats.
pub struct Ground<'a> {
    pub scene: &'a Scene,
    pub camera: &'a Camera,
    pub theme: &'a Theme,
    pub filter: Filter,
    /// By section.
    pub left: &'a [Left],
}

impl Painter {
    /// `None` where the browser gives no context.
    pub fn new(seats: HtmlCanvasElement, over: HtmlCanvasElement) -> Option<Self> {
        Some(Self {
            seats: Sheet::new(seats)?,
            over: Sheet::new(over)?,
        })
    }

    /// Sizes the backing stores; they are cleared when they change.
    pub fn fit(&self, backing: &Backing) {
        self.seats.fit(backing);
        self.over.fit(backing);
    }

    /// Puts the raster onto the lower canvas and the house beneath it.
    pub fn seats(&self, raster: &Raster, backing: &Backing, ground: &Ground<'_>) {
        let context = &self.seats.context;
        let bytes = raster.pixels().as_flattened();
        let (width, height) = (raster.width() as u32, raster.height() as u32);
        // A view of our own memory: nothing may allocate before it is put.
        let image = ImageData::new_with_u8_clamped_array_and_sh(Clamped(bytes), width, height);
        if let Ok(image) = image {
            let _ = context.put_image_data(&image, 0.0, 0.0);
        }
        let pose = ground.camera.pose();
        self.seats.transform(
            pose.scale * backing.ratio.0,
            pose.scale * backing.ratio.1,
            pose.origin.x * backing.ratio.0,
            pose.origin.y * backing.ratio.1,
        );
        // From here on everything goes behind what is there.
        let _ = context.set_global_composite_operation("destination-over");
        self.ground(ground);
        let _ = context.set_global_composite_operation("source-over");
        self.seats.transform(1.0, 1.0, 0.0, 0.0);
    }

    fn ground(&self, ground: &Ground<'_>) {
        let (context, theme) = (&self.seats.context, ground.theme);
        let visible = ground.camera.visible();
        let afar = Level::of(ground.camera.seat_diameter()) == Level::House;
        let map = &ground.scene.map;
        context.set_line_width(1.0 / ground.camera.pose().scale);
        context.set_stroke_style_str(&theme.line);
        for (ix, (section, plate)) in map.sections.iter().zip(&ground.scene.plates).enumerate() {
            if !meet(&plate.bounds, &visible) {
                continue;
            }
            self.outline(&section.outline);
            if afar && ground.filter.shows(plate.tier) {
                // The fuller of free seats, the stronger the colour.
                let share = ground.left.get(ix).map_or(0.0, Left::share);
                context.set_global_alpha(0.06 + 0.26 * share);
                context.set_fill_style_str(theme.tier(plate.tier.0));
                context.fill();
                context.set_global_alpha(1.0);
            }
            context.set_fill_style_str(&theme.plate);
            context.fill();
        }
        for (area, &tier) in map.areas.iter().zip(&ground.scene.area_tiers) {
            self.outline(&area.outline);
            context.stroke();
            context.set_global_alpha(if ground.filter.shows(tier) {
                0.22
            } else {
                0.05
            });
            context.set_fill_style_str(theme.tier(tier.0));
            context.fill();
            context.set_global_alpha(1.0);
        }
        // Decorations are drawn in the order of the plan, and each goes behind those before.
        for decoration in map.decorations.iter().rev() {
            if decoration.outline.len() < 3 || decoration.kind == DecorationKind::Text {
                continue;
            }
            self.outline(&decoration.outline);
            context.stroke();
            match decoration.color {
                Some(color) if decoration.kind != DecorationKind::Stage => {
                    context.set_global_alpha(0.25);
                    context.set_fill_style_str(&format!("#{color:06x}"));
                    context.fill();
                    context.set_global_alpha(1.0);
                }
                _ => {
                    context.set_fill_style_str(&theme.line);
                    context.set_global_alpha(0.55);
                    context.fill();
                    context.set_global_alpha(1.0);
                }
            }
        }
    }

    fn outline(&self, outline: &[Point]) {
        let context = &self.seats.context;
        context.begin_path();
        for (ix, point) in outline.iter().enumerate() {
            let (x, y) = (f64::from(point.x), f64::from(point.y));
            if ix == 0 {
                context.move_to(x, y);
            } else {
                context.line_to(x, y);
            }
        }
        context.close_path();
    }

    /// Draws the marks, lowest first, onto the upper canvas.
    pub fn over(&self, marks: &[Mark<'_>], backing: &Backing, theme: &Theme, view: (f64, f64)) {
        let context = &self.over.context;
        self.over
            .transform(backing.ratio.0, backing.ratio.1, 0.0, 0.0);
        context.clear_rect(0.0, 0.0, view.0, view.1);
        context.set_text_align("center");
        context.set_text_baseline("middle");
        context.set_line_join("round");
        let mut pen = Pen {
            context,
            theme,
            font: (0, false),
            ink: None,
        };
        for mark in marks {
            pen.mark(mark);
        }
    }
}

/// Remembers what the context is set to: a string across the border costs as much as a hundred
/// numbers.
struct Pen<'a> {
    context: &'a CanvasRenderingContext2d,
    theme: &'a Theme,
    font: (i32, bool),
    ink: Option<Ink>,
}

impl Pen<'_> {
    fn mark(&mut self, mark: &Mark<'_>) {
        match *mark {
            Mark::Text {
                at,
                ref text,
                size,
                bold,
                ink,
                halo,
            } => {
                self.set_font(size, bold);
                if halo {
                    self.context.set_line_width(3.0);
                    self.context.set_stroke_style_str(&self.theme.surface);
                    self.context.set_global_alpha(0.85);
                    let _ = self.context.stroke_text(text, at.x, at.y);
                    self.context.set_global_alpha(1.0);
                }
                self.set_ink(ink);
                let _ = self.context.fill_text(text, at.x, at.y);
            }
            Mark::Suggested { at, radius } => {
                self.ring(at, radius + 3.5, 4.0, &self.theme.surface);
                self.ring(at, radius + 3.0, 2.5, &self.theme.accent);
            }
            Mark::Chosen { at, radius } => self.chosen(at, radius),
            Mark::Gone { at, radius } => {
                self.ring(at, radius + 2.0, 2.5, &self.theme.danger);
                let reach = radius * 0.5;
                self.stroke(
                    &[(-reach, -reach), (reach, reach)],
                    at,
                    2.5,
                    &self.theme.danger,
                );
                self.stroke(
                    &[(reach, -reach), (-reach, reach)],
                    at,
                    2.5,
                    &self.theme.danger,
                );
            }
            Mark::Hovered { at, radius } => self.ring(at, radius + 2.0, 2.0, &self.theme.text),
            Mark::Focused { at, radius } => {
                self.ring(at, radius + 5.0, 5.0, &self.theme.surface);
                self.ring(at, radius + 5.0, 2.5, &self.theme.text);
            }
            Mark::Pulse { at, radius, age } => {
                self.context.set_global_alpha((1.0 - age) * 0.7);
                self.ring(at, radius * (1.0 + age * 0.9), 2.0, &self.theme.text);
                self.context.set_global_alpha(1.0);
            }
        }
    }

    fn chosen(&mut self, at: Px, radius: f64) {
        self.ink = None;
        self.context.set_fill_style_str(&self.theme.surface);
        self.disc(at, radius + 4.0);
        self.context.set_fill_style_str(&self.theme.accent);
        self.disc(at, radius + 2.0);
        let r = radius * 0.5;
        let tick = [(-r, r * 0.05), (-r * 0.25, r * 0.75), (r, -r * 0.65)];
        self.stroke(&tick, at, (radius * 0.22).max(1.6), self.theme.on_accent);
    }

    fn disc(&self, at: Px, radius: f64) {
        self.context.begin_path();
        let _ = self.context.arc(at.x, at.y, radius, 0.0, TAU);
        self.context.fill();
    }

    fn ring(&self, at: Px, radius: f64, width: f64, colour: &str) {
        self.context.begin_path();
        let _ = self.context.arc(at.x, at.y, radius, 0.0, TAU);
        self.context.set_line_width(width);
        self.context.set_stroke_style_str(colour);
        self.context.stroke();
    }

    fn stroke(&self, line: &[(f64, f64)], at: Px, width: f64, colour: &str) {
        self.context.begin_path();
        for (ix, &(x, y)) in line.iter().enumerate() {
            if ix == 0 {
                self.context.move_to(at.x + x, at.y + y);
            } else {
                self.context.line_to(at.x + x, at.y + y);
            }
        }
        self.context.set_line_width(width);
        self.context.set_stroke_style_str(colour);
        self.context.stroke();
    }

    fn set_font(&mut self, size: f64, bold: bool) {
        // Whole pixels: finer steps would make a new font for every frame of a zoom.
        let wanted = (size.round() as i32, bold);
        if self.font != wanted {
            self.font = wanted;
            let weight = if bold { 600 } else { 400 };
            self.context
                .set_font(&format!("{weight} {}px {}", wanted.0, self.theme.font));
        }
    }

    fn set_ink(&mut self, ink: Ink) {
        if self.ink == Some(ink) {
            return;
        }
        self.ink = Some(ink);
        let colour = match ink {
            Ink::Text => self.theme.text.as_str(),
            Ink::Muted => self.theme.muted.as_str(),
            Ink::OnTier(tier) => self
                .theme
                .on_tiers
                .get(tier.at())
                .copied()
                .unwrap_or("#ffffff"),
        };
        self.context.set_fill_style_str(colour);
    }
}

/// One pixel in which any CSS colour becomes numbers.
pub(super) struct Probe(Option<CanvasRenderingContext2d>);

impl Probe {
    pub(super) fn new() -> Self {
        let context = || {
            let document = web_sys::window()?.document()?;
            let canvas: HtmlCanvasElement =
                document.create_element("canvas").ok()?.dyn_into().ok()?;
            canvas.set_width(1);
            canvas.set_height(1);
            // Kept where it is read; otherwise the browser moves it there with a warning.
            let options = js_sys::Object::new();
            js_sys::Reflect::set(&options, &"willReadFrequently".into(), &true.into()).ok()?;
            canvas
                .get_context_with_context_options("2d", &options)
                .ok()??
                .dyn_into()
                .ok()
        };
        Self(context())
    }

    pub(super) fn rgb(&self, css: &str) -> Rgb {
        let read = || {
            let context = self.0.as_ref()?;
            context.set_fill_style_str(css);
            context.fill_rect(0.0, 0.0, 1.0, 1.0);
            let data = context.get_image_data(0.0, 0.0, 1.0, 1.0).ok()?.data();
            Some([data[0], data[1], data[2]])
        };
        read().unwrap_or([128; 3])
    }
}
