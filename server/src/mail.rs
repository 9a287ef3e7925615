//! Mails. They are written into a folder, one file a mail, named by the outbox row that asked for
//! it: a mail that is written twice is the same file with the same message id.

use std::path::PathBuf;

use anyhow::Context;
use domain::ids::{OrderId, ShowId};
use domain::money::{Minor, Money};
use domain::order::OrderState;
use domain::wire::view::{LineView, OrderView};
use lettre::message::header::ContentType;
use lettre::message::{Mailbox, Message};

use crate::app::App;
use crate::error::Result;
use crate::messages::Locale;
use crate::orders::link;
use crate::orders::read::{self, Viewer};

/// Folder within the data directory.
const FOLDER: &str = "mail";
/// Who writes, where nothing else is configured.
const SENDER: &str = "Rowlock <tickets@rowlock.invalid>";
/// Domain of message ids: ours alone, and no host of anybody's.
const MESSAGE_ID_DOMAIN: &str = "rowlock.invalid";

/// The confirmation of a paid order. An order without a mail address has none.
pub async fn order_paid(app: &App, outbox_id: i64, show: ShowId, order: OrderId) -> Result<()> {
    let stored = read::stored(&app.db, order).await?;
    let stored = stored
        .filter(|stored| stored.show == show && stored.summary.state == OrderState::Paid)
        .with_context(|| format!("order {order} is not paid"))?;
    let Some(email) = &stored.contact_email else {
        return Ok(());
    };
    let name = stored.contact_name.clone();
    let to = Mailbox::new(
        name.clone(),
        email.parse().context("the address of an order")?,
    );
    let view = read::view(app, &stored, Viewer::Link).await?;
    let token = link::token(&app.keys.link, order);
    let link = format!("{}/orders/{order}?t={token}", app.config.public_url());
    let name = name.unwrap_or_default();
    let subject = [("title", view.title.as_str()), ("number", &view.number)];
    let message = Message::builder()
        .from(SENDER.parse().context("our own address")?)
        .to(to)
        .subject(stored.locale.fill("mail-subject", &subject))
        .message_id(Some(format!("<outbox-{outbox_id}@{MESSAGE_ID_DOMAIN}>")))
        .header(ContentType::TEXT_PLAIN)
        .body(text(stored.locale, &view, &name, &link))
        .context("a mail")?;
    put(app, outbox_id, message.formatted()).await
}

fn text(locale: Locale, order: &OrderView, name: &str, link: &str) -> String {
    let money = |amount: Minor| {
        locale.money(Money {
            amount,
            currency: order.currency,
        })
    };
    let field = |key: &str, value: &str| format!("{}: {value}\n", locale.text(key));
    let mut text = String::new();
    if !name.is_empty() {
        text += &locale.fill("mail-greeting", &[("name", name)]);
        text += "\n\n";
    }
    text += locale.text("mail-thanks");
    text += "\n\n";
    text += &field("mail-show", &order.title);
    text += &field("mail-when", &locale.date(&order.starts));
    text += &field("mail-where", &format!("{}, {}", order.venue, order.city));
    text += &field("mail-order", &order.number);
    text += &format!("\n{}:\n", locale.text("mail-seats"));
    for line in &order.lines {
        let words = seat(locale, line);
        text += &format!("- {words} ({}), {}\n", line.tier_name, money(line.price));
    }
    text += "\n";
    if order.fees != Minor(0) {
        text += &field("mail-fees", &money(order.fees));
    }
    text += &field("mail-total", &money(order.total));
    text += &format!("\n{}\n{link}\n", locale.text("mail-tickets-link"));
    text += &format!("\n{}\n\n", locale.text("mail-keep"));
    text += locale.text("mail-sign");
    text += "\n";
    text
}

fn seat(locale: Locale, line: &LineView) -> String {
    let words = [
        ("section", line.section.as_str()),
        ("row", &line.row),
        ("seat", &line.label),
    ];
    let key = if line.seat.is_some() {
        "mail-seat"
    } else {
        "mail-area"
    };
    locale.fill(key, &words)
}

/// Writes the file whole or not at all.
async fn put(app: &App, outbox_id: i64, bytes: Vec<u8>) -> Result<()> {
    let folder: PathBuf = app.config.data_dir.join(FOLDER);
    tokio::fs::create_dir_all(&folder)
        .await
        .context("the mail folder cannot be made")?;
    let path = folder.join(format!("{outbox_id}.eml"));
    let draft = folder.join(format!(".{outbox_id}.{}.draft", std::process::id()));
    tokio::fs::write(&draft, bytes)
        .await
        .context("a mail cannot be written")?;
    tokio::fs::rename(&draft, &path)
        .await
        .context("a mail cannot be put in its place")?;
    Ok(())
}
