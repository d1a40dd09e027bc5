package dev.gatehouse.common.realm;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An OpenID provider: people can be sent there by our sp, and routes can take its access tokens.
 *
 * @param issuer exactly as in its discovery document (OpenID Connect Discovery 1.0, section 3)
 * @param displayName shown to people who choose; the issuer where absent
 * @param client who we are there; empty where only its JWTs are verified
 * @param scopes that we ask for, {@code openid} first
 * @param claims which of its claims tell who a person is
 * @param userInfo whether claims are fetched from its UserInfo endpoint too (OpenID Connect Core 5.3)
 * @param accept claim name to the values that count, {@code *} for any run of characters; {@code authnContext} stands for
 *     {@code acr}
 */
public record ProviderConfig(
    String issuer,
    Optional<String> displayName,
    Optional<Client> client,
    List<String> scopes,
    SubjectClaims claims,
    boolean userInfo,
    Map<String, List<String>> accept) {

  /** The scope without which there is no ID token. */
  public static final String OPENID = "openid";

  public ProviderConfig {
    scopes = List.copyOf(scopes);
    accept = Map.copyOf(accept);
  }

  /** One of whose claims every value counts that may count without being listed. */
  public ProviderConfig(
      String issuer,
      Optional<String> displayName,
      Optional<Client> client,
      List<String> scopes,
      SubjectClaims claims,
      boolean userInfo) {
    this(issuer, displayName, client, scopes, claims, userInfo, Map.of());
  }

  /** What people call it. */
  public String name() {
    return displayName.orElse(issuer);
  }

  /** We, as its client. */
  public record Client(String clientId, Proof proof) {}

  /** How we prove that it is us (OpenID Connect Core 9). */
  public sealed interface Proof {
    /** {@code client_secret_basic}. */
    record SecretBasic(Secret secret) implements Proof {}

    /** {@code client_secret_post}. */
    record SecretPost(Secret secret) implements Proof {}

    /** {@code private_key_jwt}, with the sp's signing key, published at {@code /.gatehouse/oidc/jwks}. */
    record PrivateKeyJwt() implements Proof {}
  }

  /**
   * Names of claims.
   *
   * @param user its only value is the user name; {@code sub} by default, which alone stays a person's and is nobody else's
   *     (OpenID Connect Core 5.7)
   * @param roles its values are the roles, {@code roles} by default
   * @param groups its values are the groups, {@code groups} by default
   */
  public record SubjectClaims(String user, String roles, String groups) {
    /** As where nothing is configured, of the realm's own idp: names of people are our directory's. */
    public static final SubjectClaims OF_OWN_IDP = new SubjectClaims("preferred_username", "roles", "groups");

    /** As where nothing is configured, of anybody else. */
    public static final SubjectClaims USUAL = new SubjectClaims("sub", "roles", "groups");
  }
}
