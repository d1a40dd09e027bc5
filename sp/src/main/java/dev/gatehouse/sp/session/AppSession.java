package dev.gatehouse.sp.session;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.saml.NameId;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A person logged in at the gateway. The only session that the gateway reads.
 *
 * @param person at this side: the identity provider's entity ID and the user name (or NameID), joined by {@code !}
 * @param user the user name that apps see
 * @param attributes by {@linkplain dev.gatehouse.common.saml.AttributeName plain} name
 * @param identityProvider its entity ID
 * @param nameId as asserted: logout needs it
 * @param absoluteEnd the latest end, whatever happens (absolute life and SessionNotOnOrAfter)
 * @param authenticatedAt when the person last proved who they are: single sign-on opens sessions without asking them; the epoch
 *     where nobody knows
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

  /** Of somebody who has just been authenticated. */
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
   * The format of a NameID that is an OpenID provider's {@code sub}; its {@code sid} is the SessionIndex then. A SAML
   * partner that wrote it would gain nothing: who the issuer is was verified, and no issuer speaks both protocols.
   */
  public static final String OPENID_SUBJECT = "urn:gatehouse:openid:sub";

  /** Whether an OpenID provider logged the person in. */
  public boolean isOpenId() {
    return nameId.format().equals(OPENID_SUBJECT);
  }

  /**
   * One key of Issuer and NameID: SessionIndex is compared afterwards. OpenID providers may name a session alone, which has a key
   * of its own.
   */
  @Override
  public Set<String> indexKeys() {
    String named = indexKey(realm, identityProvider, nameId);
    return isOpenId() && sessionIndex.isPresent()
        ? Set.of(named, openIdKey(realm, identityProvider, sessionIndex.get()))
        : Set.of(named);
  }

  /** Finds sessions that the service provider opened itself, by user name. */
  static String localKey(String realm, String entityId, String user) {
    return indexKey(realm, entityId, NameId.of(user, NameId.UNSPECIFIED));
  }

  /** Finds sessions by issuer and {@code sid}. */
  static String openIdKey(String realm, String issuer, String sid) {
    return String.join("\n", realm, issuer, "sid", sid);
  }

  /** The same session, used at that time. */
  AppSession touched(Instant now, Duration idle) {
    Instant idleEnd = now.plus(idle);
    Instant end = idleEnd.isBefore(absoluteEnd) ? idleEnd : absoluteEnd;
    return new AppSession(
        id, realm, person, createdAt, end, absoluteEnd, user, roles, groups, attributes, identityProvider, nameId,
        sessionIndex, authnContextClassRef, authenticatedAt);
  }

  /**
   * The person with that user name at that identity provider. The first exclamation mark ends the provider's ID; one that
   * has some of its own is preceded by its length, so that no two of such pairs give the same.
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
