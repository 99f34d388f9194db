//! One model for all lanes: what a lane that names no server of its own takes from `model`.
//!
//! A lane's own settings win, one by one, with two exceptions:
//!
//! - What is for one server only goes with the address: a lane with an address of its own takes neither the model's
//!   name, which another server may not know, nor a key, headers, certificates or the leave to send unencrypted, so
//!   that no key reaches another server.
//! - The three ways to name a key are one: a lane that names its key in one way takes no other.
//!
//! A lane that says `embedded`, or that the server cannot serve ([`BackEnd::serves`]), stays as it is. What is
//! taken has the origin that it has in `model`, which is how people are told where it comes from.
//!
//! Absent on purpose: whether a model is any good at what a lane asks. That takes its name, and lanes know it.

use foretell_text::LaneKind;

use crate::choice::BackEnd;
use crate::resolve::ResolvedValues;
use crate::setting_origin::Home;
use crate::setting_value::SettingValue;
use crate::settings_table::{MODEL_PREFIX, lane_prefix};

/// The ways to name a key.
const KEYS: [&str; 3] = ["apiKeyEnv", "apiKeyFile", "apiKeyCommand"];
/// What else is for one server only.
const OF_SERVER: [&str; 2] = ["allowInsecure", "caFile"];

/// Gives each lane what it takes from `model`.
pub(crate) fn share(all: &mut ResolvedValues) {
    let Some(kind) = back_end(all, MODEL_PREFIX).filter(|kind| *kind != BackEnd::Embedded) else {
        return;
    };
    for lane in LaneKind::ALL {
        let mut lane = LaneModel {
            all,
            prefix: lane_prefix(lane),
            is_served: kind.serves(lane),
        };
        lane.take_all();
    }
}

fn back_end(all: &ResolvedValues, prefix: &str) -> Option<BackEnd> {
    let Some(SettingValue::Text(word)) = all.values.get(&format!("{prefix}kind")) else {
        return None;
    };
    let named = BackEnd::CHOICES.into_iter().find(|(it, _)| it == word);
    named.map(|(_, kind)| kind)
}

/// The settings of one lane, while it takes from `model`.
struct LaneModel<'a> {
    all: &'a mut ResolvedValues,
    prefix: &'static str,
    is_served: bool,
}

impl LaneModel<'_> {
    fn take_all(&mut self) {
        let has_own_kind = self.says("kind");
        let is_embedded = back_end(self.all, self.prefix) == Some(BackEnd::Embedded);
        let stays = if has_own_kind {
            is_embedded
        } else {
            !self.is_served
        };
        if stays {
            return;
        }
        let has_own_server = self.says("url");
        let has_own_key = KEYS.iter().any(|name| self.says(name));
        self.take("kind");
        if has_own_server {
            return;
        }
        self.take("url");
        self.take("model");
        OF_SERVER.iter().for_each(|name| self.take(name));
        if !has_own_key {
            KEYS.iter().for_each(|name| self.take(name));
        }
        self.take_headers();
    }

    /// Whether somebody said what it is for this lane.
    fn says(&self, name: &str) -> bool {
        is_said(self.all, &format!("{}{name}", self.prefix))
    }

    /// Takes a setting, unless the lane has its own or nobody said it of the model.
    fn take(&mut self, name: &str) {
        let from = format!("{MODEL_PREFIX}{name}");
        if self.says(name) || !is_said(self.all, &from) {
            return;
        }
        let to = format!("{}{name}", self.prefix);
        let ResolvedValues { values, origins } = &mut *self.all;
        match values.get(&from).cloned() {
            Some(value) => values.insert(to.clone(), value),
            None => values.remove(&to),
        };
        if let Some(of_model) = origins.get(&from).cloned() {
            origins.insert(to, of_model);
        }
    }

    /// Headers are sent together; of two of one name the lane's is.
    fn take_headers(&mut self) {
        let own = format!("{}headers", self.prefix);
        let Some(SettingValue::Headers(of_lane)) = self.all.values.get(&own).cloned() else {
            return;
        };
        if !self.says("headers") {
            self.take("headers");
            return;
        }
        let from = format!("{MODEL_PREFIX}headers");
        let Some(SettingValue::Headers(mut together)) = self.all.values.get(&from).cloned() else {
            return;
        };
        for (name, says) in of_lane.iter() {
            together.insert(name, says.to_owned());
        }
        let origins = self.all.origins.get(&from).cloned().unwrap_or_default();
        let of_model = origins.into_iter().filter(|it| it.home != Home::Default);
        let all = self.all.origins.entry(own.clone()).or_default();
        let mut merged: Vec<_> = of_model.collect();
        merged.append(all);
        *all = merged;
        self.all.values.insert(own, SettingValue::Headers(together));
    }
}

/// Whether somebody said what a setting is.
fn is_said(all: &ResolvedValues, name: &str) -> bool {
    let origins = all.origins.get(name);
    origins.is_some_and(|it| it.iter().any(|origin| origin.home != Home::Default))
}
