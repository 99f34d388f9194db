//! [`MetricsAddress`]: where metrics may be read, which is on this machine and nowhere else.
//!
//! The text that a person typed is parsed once, before anything starts; what comes of it can only be an address
//! of the loopback interface. Nothing is looked up: `localhost` is 127.0.0.1, whatever a name server or
//! a file says, and no other name is taken.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::str::FromStr;

/// The name that means this machine.
const LOCALHOST: &str = "localhost";

/// An address that only this machine can reach, and a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MetricsAddress(SocketAddr);

impl MetricsAddress {
    pub(super) fn socket(self) -> SocketAddr {
        self.0
    }
}

impl FromStr for MetricsAddress {
    type Err = MetricsAddressError;

    fn from_str(given: &str) -> Result<Self, Self::Err> {
        if let Ok(address) = given.parse::<SocketAddr>() {
            return if address.ip().is_loopback() {
                Ok(MetricsAddress(address))
            } else {
                Err(MetricsAddressError::NotThisMachine)
            };
        }
        let (host, port) = given
            .rsplit_once(':')
            .ok_or(MetricsAddressError::NotAnAddress)?;
        let port = port
            .parse()
            .map_err(|_| MetricsAddressError::NotAnAddress)?;
        if host.eq_ignore_ascii_case(LOCALHOST) {
            Ok(MetricsAddress((Ipv4Addr::LOCALHOST, port).into()))
        } else {
            Err(MetricsAddressError::NotAnAddress)
        }
    }
}

/// Whether a host, as a request names it, is this machine.
pub(super) fn is_this_machine(host: &str) -> bool {
    let address = host.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    let address = address.unwrap_or(host).parse::<IpAddr>();
    address.map_or(host.eq_ignore_ascii_case(LOCALHOST), |it| it.is_loopback())
}

/// Why metrics cannot be served somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MetricsAddressError {
    /// Others could reach it.
    #[error(
        "other machines could read them there, and they are for this one only; \
         give 127.0.0.1:PORT, [::1]:PORT or localhost:PORT"
    )]
    NotThisMachine,
    /// It is no address with a port, or a name that would have to be looked up.
    #[error(
        "that is not an address of this machine with a port; give 127.0.0.1:PORT, [::1]:PORT or \
         localhost:PORT, with 0 for any port that is free"
    )]
    NotAnAddress,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_taken() {
        let socket = |given: &str| given.parse().map(MetricsAddress::socket);
        let v4 = |ip: &str, port| Ok(SocketAddr::new(ip.parse().unwrap(), port));
        assert_eq!(socket("127.0.0.1:9464"), v4("127.0.0.1", 9464));
        assert_eq!(socket("127.8.9.10:0"), v4("127.8.9.10", 0));
        assert_eq!(socket("[::1]:9464"), v4("::1", 9464));
        assert_eq!(socket("LocalHost:9464"), v4("127.0.0.1", 9464));
    }

    #[test]
    fn what_others_could_reach_is_refused() {
        for given in [
            "0.0.0.0:9464",
            "[::]:9464",
            "192.168.1.7:9464",
            "[fe80::1]:9464",
            "[::ffff:127.0.0.1]:9464",
        ] {
            let refused = given.parse::<MetricsAddress>();
            assert_eq!(refused, Err(MetricsAddressError::NotThisMachine), "{given}");
        }
    }

    #[test]
    fn what_is_no_address_is_refused_and_no_name_is_looked_up() {
        for given in [
            "",
            ":",
            "9464",
            ":9464",
            "127.0.0.1",
            "127.0.0.1:",
            "127.0.0.1:65536",
            "127.0.0.1:x",
            "::1:9464x",
            "example.org:9464",
            "localhost.example.org:9464",
            "localhost",
            "größe:1",
        ] {
            let refused = given.parse::<MetricsAddress>();
            assert_eq!(refused, Err(MetricsAddressError::NotAnAddress), "{given}");
        }
    }

    #[test]
    fn a_host_is_this_machine_by_number_or_by_its_one_name() {
        for host in ["127.0.0.1", "127.1.2.3", "[::1]", "::1", "localhost"] {
            assert!(is_this_machine(host), "{host}");
        }
        for host in [
            "",
            "[",
            "[]",
            "rebound.example.org",
            "10.0.0.1",
            "[::]",
            "0.0.0.0",
        ] {
            assert!(!is_this_machine(host), "{host}");
        }
    }
}
