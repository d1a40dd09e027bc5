package dev.gatehouse.common.realm;

import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The idp as authorization server and OpenID provider.
 *
 * @param accessTokenLife 5 minutes by default
 * @param refreshTokenLife since the last use; 30 days by default
 * @param codeLife of an authorization code; 60 s by default (RFC 6749, section 4.1.2: at most 10 minutes)
 * @param deviceCodeLife 10 minutes by default (RFC 8628)
 * @param pushedLife of a pushed request; 90 s by default (RFC 9126)
 * @param registration who may register clients at run time
 * @param scopes our own scopes, in addition to those of OpenID Connect Core 5.4: name to the claims that it releases
 * @param claims claim to the attribute of its value, {@code roles} or {@code groups}
 * @param certificateUrl origin of listeners.clientCertificates, as clients reach it (RFC 8705, section 5)
 * @param certificateAuthorities authorities of certificates for {@code tls_client_auth} (RFC 8705, section 2.1); no certificate
 *     is accepted if empty
 */
public record OAuthConfig(
    Duration accessTokenLife,
    Duration refreshTokenLife,
    Duration codeLife,
    Duration deviceCodeLife,
    Duration pushedLife,
    Registration registration,
    Map<String, List<String>> scopes,
    Map<String, String> claims,
    Optional<URI> certificateUrl,
    List<X509Certificate> certificateAuthorities) {

  /** The permission to register clients (RFC 7591, section 3). */
  public enum Registration {
    /** Nobody. */
    CLOSED,
    /** Holders of an initial access token from an administrator. */
    TOKEN,
    /** As {@link #TOKEN}, and anybody on this machine. */
    LOOPBACK
  }

  /** Sources of the standard claims (OpenID Connect Core 5.1), as far as the directory has them. */
  public static final Map<String, String> STANDARD_CLAIMS =
      Map.ofEntries(
          Map.entry("name", "displayName"),
          Map.entry("given_name", "givenName"),
          Map.entry("family_name", "sn"),
          Map.entry("preferred_username", "uid"),
          Map.entry("email", "mail"),
          Map.entry("phone_number", "telephoneNumber"),
          Map.entry("roles", "roles"),
          Map.entry("groups", "groups"));

  /** The defaults. */
  public static final OAuthConfig USUAL =
      new OAuthConfig(
          Duration.ofMinutes(5),
          Duration.ofDays(30),
          Duration.ofSeconds(60),
          Duration.ofMinutes(10),
          Duration.ofSeconds(90),
          Registration.CLOSED,
          Map.of("roles", List.of("roles", "groups")),
          STANDARD_CLAIMS,
          Optional.empty(),
          List.of());

  public OAuthConfig {
    scopes = Map.copyOf(scopes);
    claims = Map.copyOf(claims);
    certificateAuthorities = List.copyOf(certificateAuthorities);
  }
}
