//! From which network a request comes: the peer of the connection, or, where that is a proxy of
//! ours, whom the proxy names.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::HeaderMap;
use axum::http::request::Parts;

use crate::app::App;
use crate::config::Proxies;

/// Bits of an IPv6 address that tell networks apart: one connection is given a whole /64.
const IPV6_NETWORK_BITS: u32 = 64;

/// An IPv4 address, or the /64 of an IPv6 one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Network(IpAddr);

impl Network {
    /// The network of one address.
    pub fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V6(address) => {
                let network = address.to_bits() >> IPV6_NETWORK_BITS << IPV6_NETWORK_BITS;
                Self(Ipv6Addr::from_bits(network).into())
            }
            address => Self(address),
        }
    }
}

impl FromRequestParts<App> for Network {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        let ConnectInfo(peer) = parts
            .extensions
            .get::<ConnectInfo<SocketAddr>>()
            .expect("served with the addresses of peers");
        let client = client(&app.config.proxies, peer.ip(), &parts.headers);
        Ok(Self::of(client))
    }
}

/// The address that asks. Only what one of `proxies` wrote is believed: each adds the address that
/// it saw at the end of the list, so the last one that is not a proxy is the client.
fn client(proxies: &Proxies, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
    let lines = headers.get_all("x-forwarded-for").iter();
    let mut told: Vec<&str> = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','))
        .collect();
    let mut client = peer.to_canonical();
    while proxies.include(client) {
        match told.pop().map(|address| address.trim().parse::<IpAddr>()) {
            Some(Ok(address)) => client = address.to_canonical(),
            _ => break,
        }
    }
    client
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn an_ipv6_network_is_a_64() {
        let network = |text: &str| Network::of(address(text));
        assert_eq!(network("2001:db8::1"), network("2001:db8::ffff:1"));
        assert_ne!(network("2001:db8::1"), network("2001:db8:0:1::1"));
        assert_ne!(network("192.0.2.1"), network("192.0.2.2"));
        assert_eq!(network("::ffff:192.0.2.1"), network("192.0.2.1"));
    }

    #[test]
    fn only_proxies_are_believed() {
        let proxies: Proxies = "10.0.0.0/8, 192.0.2.7".parse().unwrap();
        let check = |peer: &str, forwarded: &[&str], expect: &str| {
            let mut headers = HeaderMap::new();
            for line in forwarded {
                headers.append("x-forwarded-for", line.parse().unwrap());
            }
            let client = client(&proxies, address(peer), &headers);
            assert_eq!(client, address(expect), "{peer} {forwarded:?}");
        };
        check("198.51.100.1", &[], "198.51.100.1");
        check("198.51.100.1", &["203.0.113.5"], "198.51.100.1");
        check("10.1.2.3", &["203.0.113.5"], "203.0.113.5");
        check("192.0.2.7", &["1.1.1.1, 203.0.113.5"], "203.0.113.5");
        check(
            "10.1.2.3",
            &["1.1.1.1,203.0.113.5", "10.9.9.9"],
            "203.0.113.5",
        );
        check("10.1.2.3", &["1.1.1.1, nonsense"], "10.1.2.3");
        check("10.1.2.3", &[], "10.1.2.3");
    }
}
