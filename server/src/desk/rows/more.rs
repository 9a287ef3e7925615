//! Rows that few batches have, as JSON: its words are those that `desk_commit` reads.

use domain::board::command::Contact;
use serde::Serialize;

/// Rows that only some batches have; the JSON argument of `desk_commit`.
#[derive(Debug, Default, Serialize)]
pub(in crate::desk) struct More {
    pub dropped: Vec<DroppedLine>,
    pub sold: Vec<SoldSeat>,
    pub contacts: Vec<ContactRow>,
    pub attempts: Vec<AttemptRow>,
    pub attempts_ended: Vec<AttemptEnd>,
    pub payments: Vec<PaymentRow>,
    pub tickets: Vec<TicketRow>,
    pub outbox: Vec<OutboxRow>,
    pub settings: Option<domain::board::settings::Settings>,
}

#[derive(Debug, Serialize)]
pub(in crate::desk) struct DroppedLine {
    pub order: i64,
    pub line: u16,
}

#[derive(Debug, Serialize)]
pub(in crate::desk) struct SoldSeat {
    pub seat: u32,
    pub order: i64,
}

#[derive(Debug, Serialize)]
pub(in crate::desk) struct ContactRow {
    pub order: i64,
    #[serde(flatten)]
    pub contact: Contact,
}

#[derive(Debug, Serialize)]
pub(in crate::desk) struct AttemptRow {
    pub order: i64,
    pub attempt: String,
}

#[derive(Debug, Serialize)]
pub(in crate::desk) struct AttemptEnd {
    pub order: i64,
    pub attempt: String,
    pub state: &'static str,
}

#[derive(Debug, Serialize)]
pub(in crate::desk) struct PaymentRow {
    pub order: i64,
    pub provider: String,
    pub payment_id: String,
    pub amount: i64,
    pub currency: String,
    pub parked: Option<&'static str>,
}

#[derive(Debug, Serialize)]
pub(in crate::desk) struct TicketRow {
    pub order: i64,
    pub line: u16,
    pub seat: Option<u32>,
    pub area: Option<u16>,
}

#[derive(Debug, Serialize)]
pub(in crate::desk) struct OutboxRow {
    pub kind: &'static str,
    pub order: i64,
}

impl More {
    pub(in crate::desk) fn is_empty(&self) -> bool {
        self.dropped.is_empty()
            && self.sold.is_empty()
            && self.contacts.is_empty()
            && self.attempts.is_empty()
            && self.attempts_ended.is_empty()
            && self.payments.is_empty()
            && self.tickets.is_empty()
            && self.outbox.is_empty()
            && self.settings.is_none()
    }
}
