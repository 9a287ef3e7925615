//! Points, rectangles and polygons in plan units, y down.

/// Steps of the plan's grid in one plan unit.
pub const STEPS_PER_UNIT: f32 = 16.0;

/// A position in plan units, y down. Kept on a grid of 1/16 unit, so that encoding is exact.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Point {
    pub x: f32,
    pub y: f32,
}

impl Point {
    /// The grid point nearest to `(x, y)`.
    pub fn on_grid(x: f64, y: f64) -> Self {
        Self {
            x: to_grid(x),
            y: to_grid(y),
        }
    }

    /// Distance in plan units.
    pub fn distance(self, other: Self) -> f32 {
        (self.x - other.x).hypot(self.y - other.y)
    }
}

/// The grid length nearest to `length`.
pub fn to_grid(length: f64) -> f32 {
    let steps = f64::from(STEPS_PER_UNIT);
    // Adding zero turns a negative zero into the plain one.
    ((length * steps).round() / steps) as f32 + 0.0
}

/// An upright rectangle, edges included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rect {
    pub min: Point,
    pub max: Point,
}

impl Rect {
    /// The smallest rectangle around `points`; `None` without points.
    pub fn around(points: impl IntoIterator<Item = Point>) -> Option<Self> {
        points.into_iter().fold(None, |rect, p| {
            let rect = rect.unwrap_or(Self { min: p, max: p });
            Some(Self {
                min: Point {
                    x: rect.min.x.min(p.x),
                    y: rect.min.y.min(p.y),
                },
                max: Point {
                    x: rect.max.x.max(p.x),
                    y: rect.max.y.max(p.y),
                },
            })
        })
    }

    pub fn contains(&self, p: Point) -> bool {
        (self.min.x..=self.max.x).contains(&p.x) && (self.min.y..=self.max.y).contains(&p.y)
    }

    /// Whether the disc around `at` touches the rectangle.
    pub fn touches(&self, at: Point, radius: f32) -> bool {
        let dx = at.x - at.x.clamp(self.min.x, self.max.x);
        let dy = at.y - at.y.clamp(self.min.y, self.max.y);
        dx * dx + dy * dy <= radius * radius
    }

    pub fn center(&self) -> Point {
        Point {
            x: (self.min.x + self.max.x) / 2.0,
            y: (self.min.y + self.max.y) / 2.0,
        }
    }
}

/// Whether `p` lies inside the polygon, by the even-odd rule.
pub fn polygon_contains(outline: &[Point], p: Point) -> bool {
    let mut inside = false;
    let mut previous = match outline.last() {
        Some(&last) => last,
        None => return false,
    };
    for &corner in outline {
        if (corner.y > p.y) != (previous.y > p.y) {
            let along = (p.y - corner.y) / (previous.y - corner.y);
            if p.x < corner.x + along * (previous.x - corner.x) {
                inside = !inside;
            }
        }
        previous = corner;
    }
    inside
}

/// Signed area: positive when the corners run clockwise on screen (y down).
pub fn signed_area(outline: &[Point]) -> f64 {
    let mut twice = 0.0;
    let mut previous = match outline.last() {
        Some(&last) => last,
        None => return 0.0,
    };
    for &corner in outline {
        twice += f64::from(previous.x) * f64::from(corner.y)
            - f64::from(corner.x) * f64::from(previous.y);
        previous = corner;
    }
    twice / 2.0
}

/// The same polygon with its corners running clockwise on screen.
pub fn clockwise(mut outline: Vec<Point>) -> Vec<Point> {
    if signed_area(&outline) < 0.0 {
        outline.reverse();
    }
    outline
}

/// Centre of gravity; the middle of the box where the polygon has no area.
pub fn centroid(outline: &[Point]) -> Point {
    let area = signed_area(outline);
    if area.abs() < 1.0 {
        let around = Rect::around(outline.iter().copied());
        return around.map_or(Point::default(), |rect| rect.center());
    }
    let (mut x, mut y) = (0.0, 0.0);
    let mut previous = outline[outline.len() - 1];
    for &corner in outline {
        let (ax, ay) = (f64::from(previous.x), f64::from(previous.y));
        let (bx, by) = (f64::from(corner.x), f64::from(corner.y));
        let cross = ax * by - bx * ay;
        x += (ax + bx) * cross;
        y += (ay + by) * cross;
        previous = corner;
    }
    Point::on_grid(x / (6.0 * area), y / (6.0 * area))
}

/// The convex hull, clockwise on screen, by Andrew's monotone chain. Fewer than three points
/// when the input has no area.
pub fn hull(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let mut hull: Vec<Point> = Vec::with_capacity(points.len() + 1);
    let half = |hull: &mut Vec<Point>, points: &mut dyn Iterator<Item = Point>| {
        let start = hull.len();
        for p in points {
            while hull.len() >= start + 2
                && turn(hull[hull.len() - 2], hull[hull.len() - 1], p) <= 0.0
            {
                hull.pop();
            }
            hull.push(p);
        }
        hull.pop();
    };
    half(&mut hull, &mut points.iter().copied());
    half(&mut hull, &mut points.iter().rev().copied());
    hull
}

/// The convex hull of discs: where a section's outline is not known, its seats' hull stands in.
pub fn hull_of_discs(discs: impl IntoIterator<Item = (Point, f32)>) -> Vec<Point> {
    let mut corners = Vec::new();
    for (at, radius) in discs {
        let (x, y, r) = (f64::from(at.x), f64::from(at.y), f64::from(radius));
        for (dx, dy) in [(-r, -r), (r, -r), (r, r), (-r, r)] {
            corners.push(Point::on_grid((x + dx).max(0.0), (y + dy).max(0.0)));
        }
    }
    hull(corners)
}

fn turn(a: Point, b: Point, c: Point) -> f64 {
    let (ax, ay) = (f64::from(a.x), f64::from(a.y));
    (f64::from(b.x) - ax) * (f64::from(c.y) - ay) - (f64::from(b.y) - ay) * (f64::from(c.x) - ax)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(list: &[(f32, f32)]) -> Vec<Point> {
        list.iter().map(|&(x, y)| Point { x, y }).collect()
    }

    #[test]
    fn a_hull_runs_clockwise_around_its_points() {
        let cloud = points(&[(0., 0.), (4., 0.), (2., 1.), (4., 4.), (0., 4.), (2., 2.)]);
        let hull = hull(cloud);
        assert_eq!(hull.len(), 4);
        assert_eq!(signed_area(&hull), 16.0);
        assert_eq!(centroid(&hull), Point { x: 2.0, y: 2.0 });
    }

    #[test]
    fn a_notch_is_outside() {
        let notched = points(&[(0., 0.), (6., 0.), (6., 6.), (3., 2.), (0., 6.)]);
        assert!(polygon_contains(&notched, Point { x: 1.0, y: 1.0 }));
        assert!(!polygon_contains(&notched, Point { x: 3.0, y: 5.0 }));
        assert!(!polygon_contains(&[], Point::default()));
    }
}
