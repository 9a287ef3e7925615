//! `rowlock`: serves, and the commands beside it.

use std::io::{BufRead, Write};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Parser, Subcommand};
use domain::refusal::Refusal;
use server::clock::Stopwatch;
use server::config::Config;
use server::embedded::Services;
use server::error::Error;
use server::{check, db, demo, people, run, telemetry, venues};

#[derive(Parser)]
#[command(
    name = "rowlock",
    version,
    about = "Sells numbered seats and never sells one twice."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve until Ctrl-C or SIGTERM.
    Serve {
        /// Seed venues and shows once, make a member of staff, allow the pretend payments.
        #[arg(long)]
        demo: bool,
    },
    /// Read a seating plan (pretix JSON or our own) into a venue, and print what was read.
    ImportMap(ImportMap),
    /// Bring the schema up to date.
    Migrate,
    /// Check the rules that hold at rest; print what is broken and end with 1 if anything is.
    CheckInvariants,
    /// Play every show's log again, hold it against what was written and what the tables say, and
    /// print how far each goes and its head; end with 1 if anything is broken.
    Audit,
    /// Print every setting with its meaning, secrets left out.
    Config,
    /// Members of staff.
    Staff {
        #[command(subcommand)]
        command: StaffCommand,
    },
}

#[derive(clap::Args)]
struct ImportMap {
    file: std::path::PathBuf,
    /// Name of the venue; the plan's own if not given.
    #[arg(long, default_value = "")]
    venue: String,
    #[arg(long, default_value = "Unknown city")]
    city: String,
    /// Two letters, ISO 3166-1.
    #[arg(long, default_value = "ZZ")]
    country: String,
    /// IANA time zone of the venue.
    #[arg(long, default_value = "UTC")]
    zone: String,
}

#[derive(Subcommand)]
enum StaffCommand {
    /// Add a member of staff or set a new password, read from standard input (one line).
    Add {
        email: String,
        /// As colleagues see it; the mail address if not given.
        #[arg(long)]
        name: Option<String>,
    },
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = Config::from_env().and_then(|config| {
        telemetry::log(&config);
        tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .context("the runtime cannot start")?
            .block_on(run_command(cli.command, config))
    });
    match done {
        Ok(code) => code,
        Err(error) => {
            eprintln!("rowlock: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run_command(command: Command, mut config: Config) -> anyhow::Result<ExitCode> {
    match command {
        Command::Serve { demo } => {
            config.demo |= demo;
            return serve(config).await;
        }
        Command::ImportMap(asked) => {
            let services = Services::open(&config).await?;
            let imported = import_map(&config, &services, asked).await;
            services.close().await;
            imported?;
        }
        Command::Config => print!("{}", config.describe()),
        Command::Migrate => {
            let services = Services::open(&config).await?;
            let migrated = db::migrate(services.database_url()).await;
            services.close().await;
            migrated?;
        }
        Command::CheckInvariants | Command::Audit => {
            let services = Services::open(&config).await?;
            let heads = matches!(command, Command::Audit);
            let checked = check_all(&config, &services, heads).await;
            services.close().await;
            return checked;
        }
        Command::Staff {
            command: StaffCommand::Add { email, name },
        } => {
            let services = Services::open(&config).await?;
            let added = add_staff(&config, &services, &email, name.as_deref()).await;
            services.close().await;
            added?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn serve(config: Config) -> anyhow::Result<ExitCode> {
    // Listened to first, so that a signal during start also stops the services in order.
    let mut signals = Signals::new()?;
    let services = tokio::select! {
        services = Services::open_alone(&config) => services?,
        () = signals.next() => return Ok(ExitCode::SUCCESS),
    };
    let served = serve_with(&config, &services, &mut signals).await;
    services.close().await;
    served?;
    Ok(ExitCode::SUCCESS)
}

async fn serve_with(
    config: &Config,
    services: &Services,
    signals: &mut Signals,
) -> anyhow::Result<()> {
    let running = tokio::select! {
        running = run::start(config.clone(), services) => running?,
        () = signals.next() => return Ok(()),
    };
    if config.demo {
        let begun = Stopwatch::start();
        println!("Looking after the demonstration's shows …");
        tokio::select! {
            seeded = demo::seed(&running.app) => seeded.map_err(Error::into_fault)?,
            () = signals.next() => {
                running.stop().await;
                return Ok(());
            }
        }
        println!("Ready after {:.1} s", begun.elapsed().as_secs_f64());
        let login = people::demo::ensure(&running.app)
            .await
            .map_err(Error::into_fault)?;
        println!(
            "Staff: {}/staff/login  {} / {}",
            running.app.config.public_url(),
            login.email,
            login.password
        );
    }
    println!("Rowlock is at {}", running.app.config.public_url());
    std::io::stdout()
        .flush()
        .context("standard output is closed")?;
    signals.next().await;
    tracing::info!("stopping");
    tokio::select! {
        () = running.stop() => {}
        () = signals.next() => tracing::warn!("stopped at once by a second signal"),
    }
    Ok(())
}

async fn check_all(config: &Config, services: &Services, heads: bool) -> anyhow::Result<ExitCode> {
    let pool = db::connect(config, services.database_url()).await?;
    let found = check::all(&pool).await.map_err(Error::into_fault)?;
    for show in found.shows.iter().filter(|_| heads) {
        println!("{show}");
    }
    for breach in found.breaches() {
        println!("{breach}");
    }
    if found.breaches().next().is_none() {
        println!("All invariants hold.");
        return Ok(ExitCode::SUCCESS);
    }
    Ok(ExitCode::FAILURE)
}

async fn import_map(config: &Config, services: &Services, asked: ImportMap) -> anyhow::Result<()> {
    db::migrate(services.database_url()).await?;
    let pool = db::connect(config, services.database_url()).await?;
    let venue = venues::NewVenue {
        name: asked.venue,
        city: asked.city,
        country: asked.country,
        zone: asked.zone,
    };
    let imported = venues::import::import_file(&pool, &asked.file, venue)
        .await
        .map_err(|error| match error {
            Error::Refusal(refusal) => {
                anyhow::anyhow!("refused ({}): {}", refusal.code(), words(&refusal))
            }
            Error::Fault(fault) => fault,
        })
        .with_context(|| format!("{} is not imported", asked.file.display()))?;
    print!("{}", imported.report);
    println!("Seat map {} of venue {}", imported.seat_map, imported.venue);
    Ok(())
}

/// A refusal for the person at the terminal.
fn words(refusal: &Refusal) -> String {
    match refusal {
        Refusal::BrokenPlan { line: 0, detail } => detail.clone(),
        Refusal::BrokenPlan { line, detail } => format!("line {line}: {detail}"),
        // The option is named after whose name it is.
        Refusal::BadField { field, detail } if field == "name" => format!("--venue: {detail}"),
        Refusal::BadField { field, detail } => format!("--{field}: {detail}"),
        Refusal::BodyTooLarge { bytes_max } => format!("longer than {bytes_max} bytes"),
        other => other.to_string(),
    }
}

async fn add_staff(
    config: &Config,
    services: &Services,
    email: &str,
    name: Option<&str>,
) -> anyhow::Result<()> {
    db::migrate(services.database_url()).await?;
    let pool = db::connect(config, services.database_url()).await?;
    let mut password = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut password)
        .context("no password on standard input")?;
    let password = password.trim_end_matches(['\r', '\n']);
    people::staff::put(&pool, email, name.unwrap_or(email), password)
        .await
        .map_err(Error::into_fault)
        .with_context(|| format!("{email} cannot be added"))?;
    Ok(())
}

/// Ctrl-C and SIGTERM.
struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

impl Signals {
    fn new() -> anyhow::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            terminate: signal(SignalKind::terminate()).context("no SIGTERM handler")?,
            interrupt: signal(SignalKind::interrupt()).context("no SIGINT handler")?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
