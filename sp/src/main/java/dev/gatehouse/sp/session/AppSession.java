package dev.gatehouse.sp.session;

import dev.gatehouse.common.device.SessionDevice;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.session.Lifetime;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * The session of a person at the gateway. The gateway reads no other sessions.
 *
 * @param lifetime ends at the latest at the assertion's SessionNotOnOrAfter
 * @param login the authentication that opened the session
 * @param device the device that the session is bound to
 */
public record AppSession(SessionId id, String realm, Lifetime lifetime, LocalAccount account, Login login, SessionDevice device)
    implements Session {

  /** Creates a session that is bound to no device. */
  public AppSession(SessionId id, String realm, Lifetime lifetime, LocalAccount account, Login login) {
    this(id, realm, lifetime, account, login, SessionDevice.NONE);
  }

  /**
   * The authentication by an identity provider.
   *
   * @param identityProvider its entity ID
   * @param nameId as asserted: logout needs it
   * @param authenticatedAt the time at which the person last authenticated: single sign-on opens sessions without a new
   *     authentication; the epoch if the time is unknown
   */
  public record Login(
      String identityProvider,
      NameId nameId,
      Optional<String> sessionIndex,
      Optional<String> authnContextClassRef,
      Instant authenticatedAt) {}

  /**
   * The format of a NameID that is an OpenID provider's {@code sub}; its {@code sid} is then the SessionIndex. A SAML
   * partner that used this format would gain nothing: the issuer was verified, and no issuer speaks both protocols.
   */
  public static final String OPENID_SUBJECT = "urn:gatehouse:openid:sub";

  /**
   * Returns whether the account is not the one that the provider names, but a link leads to it. Otherwise the person's id begins with the
   * provider's.
   */
  public boolean isLinked() {
    return !person().value().startsWith(personId(login.identityProvider(), "").value());
  }

  /** Returns whether an OpenID provider logged the person in. */
  public boolean isOpenId() {
    return login.nameId().format().equals(OPENID_SUBJECT);
  }

  /**
   * One key of Issuer and NameID: the SessionIndex is compared afterwards. An OpenID provider may name only the session
   * ({@code sid}), which therefore has a key of its own.
   */
  @Override
  public Set<String> indexKeys() {
    String named = indexKey(realm, login.identityProvider(), login.nameId());
    Optional<String> sid = login.sessionIndex();
    return isOpenId() && sid.isPresent()
        ? Set.of(named, openIdKey(realm, login.identityProvider(), sid.get()))
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

  @Override
  public PersonId person() {
    return account.person();
  }

  @Override
  public Instant createdAt() {
    return lifetime.createdAt();
  }

  @Override
  public Instant expiresAt() {
    return lifetime.expiresAt();
  }

  @Override
  public Optional<AppSession> expiringAt(Instant end) {
    return Optional.of(new AppSession(id, realm, lifetime.expiringAt(end), account, login, device));
  }

  /** The same session after a use at this time. */
  AppSession touched(Instant now, Duration idle) {
    return new AppSession(id, realm, lifetime.touched(now, idle), account, login, device);
  }

  /** The same session with what the directory says now of the same person. */
  AppSession with(LocalAccount changed) {
    return new AppSession(id, realm, lifetime, changed, login, device);
  }

  /** The same session on another device, or with another key of it. */
  public AppSession on(SessionDevice other) {
    return new AppSession(id, realm, lifetime, account, login, other);
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
