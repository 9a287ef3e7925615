//! Every setting, in one struct. Settings come from environment variables; `rowlock config`
//! prints them with their meaning, and keeps the secret ones to itself.

use std::fmt::{Display, Write};
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, bail};
use ipnet::{AddrParseError, IpNet};

/// A setting that is never printed or logged.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub String);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("(secret)")
    }
}

/// Networks of proxies whose word about their clients is taken.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proxies(Vec<IpNet>);

impl Proxies {
    pub fn include(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }
}

impl FromStr for Proxies {
    type Err = AddrParseError;

    fn from_str(text: &str) -> Result<Self, AddrParseError> {
        let network = |text: &str| match text.parse::<IpAddr>() {
            Ok(address) => Ok(IpNet::from(address)),
            Err(_) => text.parse::<IpNet>(),
        };
        let networks = text.split(',').map(|text| network(text.trim()));
        Ok(Self(networks.collect::<Result<_, _>>()?))
    }
}

impl Display for Proxies {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let networks: Vec<String> = self.0.iter().map(IpNet::to_string).collect();
        f.write_str(&networks.join(","))
    }
}

/// How a setting is read from text and shown.
trait Setting: Sized {
    fn read(text: &str) -> anyhow::Result<Self>;
    fn show(&self) -> String;
}

macro_rules! plain_setting {
    ($($type:ty),*) => {$(
        impl Setting for $type {
            fn read(text: &str) -> anyhow::Result<Self> {
                Ok(text.parse()?)
            }

            fn show(&self) -> String {
                self.to_string()
            }
        }
    )*};
}

plain_setting!(SocketAddr, String, Proxies, u32, u64, bool);

impl Setting for PathBuf {
    fn read(text: &str) -> anyhow::Result<Self> {
        Ok(Self::from(text))
    }

    fn show(&self) -> String {
        self.display().to_string()
    }
}

impl Setting for Secret {
    fn read(text: &str) -> anyhow::Result<Self> {
        Ok(Self(text.to_owned()))
    }

    fn show(&self) -> String {
        "(secret)".to_owned()
    }
}

/// An empty variable is the same as none.
impl<T: Setting> Setting for Option<T> {
    fn read(text: &str) -> anyhow::Result<Self> {
        T::read(text).map(Some)
    }

    fn show(&self) -> String {
        self.as_ref().map_or("(not set)".to_owned(), T::show)
    }
}

/// Declares the struct, its defaults and its printed form from one list.
macro_rules! settings {
    ($($(#[doc = $doc:literal])+ $field:ident: $type:ty = $name:literal or $default:expr;)+) => {
        /// All settings; see the fields.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Config {
            $($(#[doc = $doc])+ #[doc = concat!("\n\nVariable: `", $name, "`.")] pub $field: $type,)+
        }

        impl Default for Config {
            fn default() -> Self {
                Self { $($field: $default,)+ }
            }
        }

        impl Config {
            /// Reads settings through `lookup`; what is absent or empty keeps its default.
            ///
            /// # Errors
            /// A value that does not parse, or settings that contradict each other; the message
            /// names the variable and never repeats the value of a secret.
            pub fn read(lookup: impl Fn(&str) -> Option<String>) -> anyhow::Result<Self> {
                let mut config = Self::default();
                $(if let Some(text) = lookup($name).filter(|text| !text.is_empty()) {
                    config.$field = Setting::read(&text).with_context(|| format!("{} cannot be read", $name))?;
                })+
                config.check()?;
                Ok(config)
            }

            /// Every setting as `NAME=value` below its meaning; secrets are not shown.
            pub fn describe(&self) -> String {
                let mut text = String::new();
                $(
                    $(writeln!(text, "#{}", $doc).expect("a string takes all");)+
                    writeln!(text, "{}={}\n", $name, self.$field.show()).expect("a string takes all");
                )+
                text
            }
        }
    };
}

settings! {
    /// Where to listen; this alone sets the address.
    addr: SocketAddr = "ROWLOCK_ADDR" or SocketAddr::from(([127, 0, 0, 1], 3000));
    /// How browsers reach us, scheme and host, without a slash at the end. Not set: http and the
    /// address above. With https, cookies are marked Secure.
    public_url: Option<String> = "ROWLOCK_PUBLIC_URL" or None;
    /// Where the embedded database and everything else that is kept in files lives.
    data_dir: PathBuf = "ROWLOCK_DATA_DIR" or PathBuf::from(".rowlock");
    /// Postgres to use. Not set: an own one is started and stopped with the server.
    database_url: Option<Secret> = "DATABASE_URL" or None;
    /// Redis to use. Not set: an own one is started and stopped with the server.
    redis_url: Option<Secret> = "REDIS_URL" or None;
    /// Connections to Postgres of this process; a quarter of them are the desks'.
    database_connections_max: u32 = "ROWLOCK_DATABASE_CONNECTIONS_MAX" or 16;
    /// Longest time that one statement may take, milliseconds.
    statement_timeout_ms: u64 = "ROWLOCK_STATEMENT_TIMEOUT_MS" or 10_000;
    /// Longest time from a request to the head of its answer, milliseconds.
    request_timeout_ms: u64 = "ROWLOCK_REQUEST_TIMEOUT_MS" or 30_000;
    /// Longest time that requests in flight get to finish at shutdown, milliseconds.
    drain_timeout_ms: u64 = "ROWLOCK_DRAIN_TIMEOUT_MS" or 10_000;
    /// The built browser half: style sheets, scripts, WebAssembly, pictures.
    site_dir: PathBuf = "ROWLOCK_SITE_DIR" or PathBuf::from("target/site");
    /// Demonstration: seeds venues and shows once and allows the pretend payment provider.
    /// `serve --demo` sets it.
    demo: bool = "ROWLOCK_DEMO" or false;
    /// Allows the pretend payment provider outside the demonstration, for tests.
    sandbox_payments: bool = "ROWLOCK_SANDBOX_PAYMENTS" or false;
    /// Holds end at their deadline by themselves, by timer and sweep. Off, for tests alone: they end
    /// only when somebody wants their places.
    expire_on_time: bool = "ROWLOCK_EXPIRE_ON_TIME" or true;
    /// Password of the demonstration's member of staff. Not set: made once and kept in the
    /// data directory.
    demo_password: Option<Secret> = "ROWLOCK_DEMO_PASSWORD" or None;
    /// Proxies in front of us, addresses or networks (`10.0.0.0/8`) with commas between: whom they
    /// name in X-Forwarded-For is whose logins are counted.
    proxies: Proxies = "ROWLOCK_PROXIES" or Proxies::default();
    /// Bearer token that opens /metrics. Not set: they are shown to this machine alone, and to nobody
    /// once ROWLOCK_PUBLIC_URL is set, for then a proxy of this machine may ask for strangers.
    metrics_token: Option<Secret> = "ROWLOCK_METRICS_TOKEN" or None;
    /// How long a member of staff stays signed in, minutes.
    staff_session_minutes: u32 = "ROWLOCK_STAFF_SESSION_MINUTES" or 720;
    /// What to log, as tracing's filter syntax.
    log: String = "ROWLOCK_LOG" or "info".to_owned();
    /// Log as one JSON object a line.
    log_json: bool = "ROWLOCK_LOG_JSON" or false;
}

impl Config {
    /// Settings from the environment.
    ///
    /// # Errors
    /// See [`Config::read`].
    pub fn from_env() -> anyhow::Result<Self> {
        Self::read(|name| std::env::var(name).ok())
    }

    /// Scheme and host as browsers see them, without a slash at the end.
    pub fn public_url(&self) -> String {
        match &self.public_url {
            Some(url) => url.clone(),
            None => format!("http://{}", self.addr),
        }
    }

    /// Cookies may only travel encrypted.
    pub fn secure_cookies(&self) -> bool {
        self.public_url().starts_with("https://")
    }

    fn check(&self) -> anyhow::Result<()> {
        if let Some(url) = &self.public_url {
            let host = url
                .strip_prefix("http://")
                .or_else(|| url.strip_prefix("https://"));
            if !host.is_some_and(|host| !host.is_empty() && !host.contains(['/', '?', '#', '@'])) {
                bail!(
                    "ROWLOCK_PUBLIC_URL must be scheme and host alone, like https://tickets.example"
                );
            }
        }
        if self.database_connections_max < 4 {
            bail!("ROWLOCK_DATABASE_CONNECTIONS_MAX must be 4 or more");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> anyhow::Result<Config> {
        Config::read(|name| {
            let pair = pairs.iter().find(|(key, _)| *key == name);
            pair.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn defaults_hold_where_nothing_is_set() {
        assert_eq!(read(&[("ROWLOCK_ADDR", "")]).unwrap(), Config::default());
        assert_eq!(Config::default().public_url(), "http://127.0.0.1:3000");
    }

    #[test]
    fn secrets_are_never_shown() {
        let config = read(&[("DATABASE_URL", "postgres://me:hush@db/rowlock")]).unwrap();
        assert!(config.describe().contains("DATABASE_URL=(secret)"));
        assert!(!config.describe().contains("hush"));
        assert!(!format!("{config:?}").contains("hush"));
    }

    #[test]
    fn proxies_are_addresses_and_networks() {
        let config = read(&[("ROWLOCK_PROXIES", "10.0.0.0/8, ::1")]).unwrap();
        assert!(
            config
                .describe()
                .contains("ROWLOCK_PROXIES=10.0.0.0/8,::1/128")
        );
        assert!(config.proxies.include([10, 1, 2, 3].into()));
        assert!(!config.proxies.include([192, 0, 2, 1].into()));
        assert!(read(&[("ROWLOCK_PROXIES", "proxy.example")]).is_err());
    }

    #[test]
    fn a_value_that_cannot_be_read_is_named() {
        let error = read(&[("ROWLOCK_ADDR", "nowhere")]).unwrap_err();
        assert!(error.to_string().contains("ROWLOCK_ADDR"), "{error}");
        for url in ["tickets.example", "https://", "https://a/b", "ftp://a"] {
            assert!(read(&[("ROWLOCK_PUBLIC_URL", url)]).is_err(), "{url}");
        }
        assert!(
            read(&[("ROWLOCK_PUBLIC_URL", "https://a")])
                .unwrap()
                .secure_cookies()
        );
    }
}
