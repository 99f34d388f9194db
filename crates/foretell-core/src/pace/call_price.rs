//! What a call costs: for how long a server on the person's own machine is kept busy by it.
//!
//! A call between two keys is made in vain. Of a fast card it takes half a second; on a laptop's processor it takes
//! three, and its heat, and a question that comes meanwhile has to wait for it. A call that takes twice as long is
//! also twice as likely to come too late for the pause that it was made in. So the price grows with the square
//! of the time that a few lines take, by the measured speed of the server, within bounds. A call to a server
//! elsewhere, or to one of which nothing is known, is of the usual price.
//!
//! Absent on purpose: money. What calls to servers elsewhere cost is kept down by limits.

use foretell_text::LaneSpeed;

/// What is read and written for a few lines, in tokens, where the server has read the rest before.
const READ: f64 = 100.0;
const WRITTEN: f64 = 40.0;

/// How long that takes a server whose calls are of the usual price, in seconds.
const USUAL_TIME: f64 = 1.0;

/// The lowest and the highest price. A call is never free: it keeps the machine busy for nothing.
const LOWEST: f64 = 0.1;
const HIGHEST: f64 = 8.0;

/// The price of a call, where that of one to a server of which nothing is known is one.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(crate) struct CallPrice(f64);

impl CallPrice {
    /// That of a call to a server elsewhere, or to one of which nothing is known.
    pub(crate) const USUAL: CallPrice = CallPrice(1.0);

    /// That of a call to a server on this machine.
    pub(crate) fn at_speed(speed: LaneSpeed) -> Self {
        let Some(written) = speed.written else {
            return Self::USUAL;
        };
        let takes = |tokens: f64, speed: u32| tokens / f64::from(speed.max(1));
        let reading = speed.read.map_or(0.0, |read| takes(READ, read));
        let times_usual = (reading + takes(WRITTEN, written)) / USUAL_TIME;
        CallPrice((times_usual * times_usual).clamp(LOWEST, HIGHEST))
    }

    /// Whether a call is dearer than usual.
    pub(super) fn is_high(self) -> bool {
        self > Self::USUAL
    }

    /// What something costs at this price that costs so much at the usual one.
    pub(super) fn of(self, usual: f64) -> f64 {
        self.0 * usual
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn price(read: u32, written: u32) -> f64 {
        let speed = LaneSpeed {
            read: Some(read),
            written: Some(written),
            repeats_region: false,
        };
        CallPrice::at_speed(speed).0
    }

    #[test]
    fn a_call_is_the_dearer_the_slower_the_server_is() {
        let laptop = price(150, 20);
        let card = price(1_500, 80);
        let large_card = price(5_000, 200);
        assert!(laptop > 2.0 * card && card > large_card);
        assert!(CallPrice(laptop) > CallPrice::USUAL && CallPrice(card) < CallPrice::USUAL);
    }

    #[test]
    fn no_speed_makes_a_call_free_or_keeps_the_model_from_being_asked() {
        for speed in [0, 1, u32::MAX] {
            assert!((LOWEST..=HIGHEST).contains(&price(speed, speed)), "{speed}");
        }
    }
}
