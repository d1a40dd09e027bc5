package dev.gatehouse.sp.session;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The session of a person at the gateway. The gateway reads no other sessions.
 *
 * @param person the local person id: the identity provider's entity ID and the user name (or NameID), joined by
 *     {@code !}
 * @param user the user name that apps see
 * @param attributes by {@linkplain dev.gatehouse.common.saml.AttributeName plain} name
 * @param identityProvider its entity ID
 * @param nameId as asserted: logout needs it
 * @param absoluteEnd the latest possible end (from the absolute lifetime and SessionNotOnOrAfter)
 * @param authenticatedAt the time at which the person last authenticated: single sign-on opens sessions without a new
 *     authentication; the epoch if the time is unknown
 */
public record AppSession(
    SessionId id,
    String realm,
    PersonId person,
    Instant createdAt,
    Instant expiresAt,
    Instant absoluteEnd,
    String user,
    List<String> roles,
    List<String> groups,
    Map<String, List<String>> attributes,
    String identityProvider,
    NameId nameId,
    Optional<String> sessionIndex,
    Optional<String> authnContextClassRef,
    Instant authenticatedAt)
    implements Session {

  /** The session of a person who has just authenticated. */
  public AppSession(
      SessionId id,
      String realm,
      PersonId person,
      Instant createdAt,
      Instant expiresAt,
      Instant absoluteEnd,
      String user,
      List<String> roles,
      List<String> groups,
      Map<String, List<String>> attributes,
      String identityProvider,
      NameId nameId,
      Optional<String> sessionIndex,
      Optional<String> authnContextClassRef) {
    this(
        id, realm, person, createdAt, expiresAt, absoluteEnd, user, roles, groups, attributes, identityProvider, nameId,
        sessionIndex, authnContextClassRef, createdAt);
  }

  /**
   * The format of a NameID that is an OpenID provider's {@code sub}; its {@code sid} is then the SessionIndex. A SAML
   * partner that used this format would gain nothing: the issuer was verified, and no issuer speaks both protocols.
   */
  public static final String OPENID_SUBJECT = "urn:gatehouse:openid:sub";

  /** Returns whether an OpenID provider logged the person in. */
  public boolean isOpenId() {
    return nameId.format().equals(OPENID_SUBJECT);
  }

  /**
   * One key of Issuer and NameID: the SessionIndex is compared afterwards. An OpenID provider may name only the session
   * ({@code sid}), which therefore has a key of its own.
   */
  @Override
  public Set<String> indexKeys() {
    String named = indexKey(realm, identityProvider, nameId);
    return isOpenId() && sessionIndex.isPresent()
        ? Set.of(named, openIdKey(realm, identityProvider, sessionIndex.get()))
        : Set.of(named);
  }

  /** The index key of sessions that the service provider opened itself, by user name. */
  static String localKey(String realm, String entityId, String user) {
    return indexKey(realm, entityId, NameId.of(user, NameId.UNSPECIFIED));
  }

  /** The index key of sessions by issuer and {@code sid}. */
  static String openIdKey(String realm, String issuer, String sid) {
    return String.join("\n", realm, issuer, "sid", sid);
  }

  /** The same session after a use at this time. */
  AppSession touched(Instant now, Duration idle) {
    Instant idleEnd = now.plus(idle);
    Instant end = idleEnd.isBefore(absoluteEnd) ? idleEnd : absoluteEnd;
    return new AppSession(
        id, realm, person, createdAt, end, absoluteEnd, user, roles, groups, attributes, identityProvider, nameId,
        sessionIndex, authnContextClassRef, authenticatedAt);
  }

  /**
   * The person with this user name at this identity provider. The first exclamation mark ends the provider's ID. An ID
   * that contains exclamation marks is preceded by its length, so that no two pairs have the same result.
   */
  public static PersonId personId(String identityProvider, String user) {
    return identityProvider.indexOf('!') < 0
        ? new PersonId(identityProvider + "!" + user)
        : new PersonId("!" + identityProvider.length() + "!" + identityProvider + "!" + user);
  }

  public static String indexKey(String realm, String identityProvider, NameId nameId) {
    return String.join("\n", realm, identityProvider, nameId.format(), nameId.value());
  }
}
