package dev.gatehouse.common.node;

import dev.gatehouse.common.realm.Secret;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/**
 * The mail server that takes the node's mail (RFC 5321).
 *
 * @param authorities trusted for its certificate in addition to the JDK's
 * @param account absent if the server asks for none
 * @param from the sender's address
 * @param administrators addresses that get notices about the node and its partners
 */
public record SmtpConfig(
    String host,
    int port,
    Security security,
    List<X509Certificate> authorities,
    Optional<Account> account,
    String from,
    List<String> administrators) {

  /** The protection of the connection. */
  public enum Security {
    /** STARTTLS (RFC 3207) is required: nothing is sent to a server that does not offer it. */
    START_TLS,
    /** TLS from the first byte (RFC 8314, section 3.3). */
    SMTPS,
    /** None; the loader refuses it for hosts that are not loopback. */
    NONE
  }

  /** The account at the server. */
  public record Account(String user, Secret password) {}
}
