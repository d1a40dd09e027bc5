package dev.gatehouse.common.realm;

import dev.gatehouse.common.saml.AttributeName;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** A fact about the person of a request that may be injected into requests to an app. */
public sealed interface IdentityValue {

  /** {@code user}: the user name. */
  record User() implements IdentityValue {}

  /** {@code roles}. */
  record Roles() implements IdentityValue {}

  /** {@code groups}. */
  record Groups() implements IdentityValue {}

  /**
   * Any other name: an attribute.
   *
   * @param name the {@linkplain AttributeName plain} one
   */
  record Attribute(String name) implements IdentityValue {}

  /** A fact about the login. */
  record Login(Known known) implements IdentityValue {}

  /** {@code request.client}: the address of the client, after trusted proxies. */
  record Client() implements IdentityValue {}

  /** The values of {@code session.*}. */
  enum Known {
    /** The identity provider's entity ID, or the issuer. */
    PROVIDER("session.provider"),
    /** The NameID, or the subject. */
    NAME_ID("session.nameId"),
    NAME_ID_FORMAT("session.nameIdFormat"),
    /** The AuthnContextClassRef, or {@code acr}. */
    AUTHN_CONTEXT("session.authnContext"),
    /** The time of the login, in ISO 8601. */
    LOGIN_TIME("session.loginTime"),
    /** A digest of the session's token, which gives no access to the session. */
    ID("session.id"),
    REALM("session.realm");

    private final String text;

    Known(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /** The configuration's name of the client's address. */
  String CLIENT = "request.client";

  /** Parses a configured name; empty for an unknown name below {@code session.} and {@code request.}. */
  static Optional<IdentityValue> parse(String name) {
    return switch (name) {
      case "user" -> Optional.of(new User());
      case "roles" -> Optional.of(new Roles());
      case "groups" -> Optional.of(new Groups());
      case CLIENT -> Optional.of(new Client());
      case String other when other.startsWith("session.") || other.startsWith("request.") ->
          Arrays.stream(Known.values())
              .filter(known -> known.text().toLowerCase(Locale.ROOT).equals(other.toLowerCase(Locale.ROOT)))
              .findFirst()
              .map(Login::new);
      case String attribute -> Optional.of(new Attribute(AttributeName.plain(attribute)));
    };
  }

  /** Returns all reserved names, for messages. */
  static String reserved() {
    return Arrays.stream(Known.values()).map(Known::text).collect(Collectors.joining(", ")) + ", " + CLIENT;
  }
}
