package dev.gatehouse.idp.authn;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.saml.NameId;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A person logged in at the identity provider, in one browser.
 *
 * @param first the id that it began with: it gets another at each rise of privilege and each new login of the same person in
 *     this browser, and authorizations go on naming this one
 * @param absoluteEnd the latest end, whatever happens
 * @param details the person as the directory described them at {@code readAt}
 * @param passed the contracts that the person passed, in order: first one that is no second step
 * @param browser where from, kept modestly: for the person's own account page
 * @param participants partners that were told of the person, in order: those a logout must reach
 */
public record IdpSession(
    SessionId id,
    SessionId first,
    String realm,
    PersonId person,
    Instant createdAt,
    Instant expiresAt,
    Instant absoluteEnd,
    Person details,
    Instant readAt,
    List<AuthnEvent> passed,
    Browser browser,
    List<Participant> participants)
    implements Session {

  /** @param userAgent at most 200 characters, printable; empty where none was sent */
  public record Browser(String address, String userAgent) {}

  /**
   * A partner that knows of this session: a SAML service provider, or an OpenID Connect client, whose {@code sub} is a name of
   * a format of its own, and whose SessionIndex is {@code sid}.
   *
   * @param entityId or client ID
   * @param sessionIndex ours for this session and partner; says nothing about the session's id
   */
  public record Participant(String entityId, NameId nameId, String sessionIndex, Instant since) {

    /** No partner's metadata can ask for this format: it is a client's that a name of it belongs to. */
    private static final String OPENID = "urn:gatehouse:name:openid-subject";

    /** @param sid OpenID Connect Front-Channel Logout 1.0, section 3 */
    public static Participant client(String clientId, String subject, String sid, Instant since) {
      return new Participant(clientId, new NameId(subject, OPENID, Optional.empty(), Optional.empty()), sid, since);
    }

    public boolean isClient() {
      return isClient(nameId);
    }

    /** Whether a name is a client's {@code sub}. */
    public static boolean isClient(NameId name) {
      return name.format().equals(OPENID);
    }
  }

  public IdpSession {
    passed = List.copyOf(passed);
    participants = List.copyOf(participants);
  }

  @Override
  public Set<String> indexKeys() {
    Set<String> keys =
        participants.stream()
            .map(p -> indexKey(realm, p.entityId(), p.nameId()))
            .collect(Collectors.toCollection(HashSet::new));
    if (!first.equals(id)) {
      keys.add(firstKey(first));
    }
    return keys;
  }

  /** Finds sessions for a LogoutRequest: by its Issuer and NameID; SessionIndex is compared afterwards. */
  public static String indexKey(String realm, String entityId, NameId nameId) {
    return String.join("\n", realm, entityId, nameId.format(), nameId.value());
  }

  /** Finds a session that has another id now than it began with. */
  static String firstKey(SessionId first) {
    return "first\n" + first.value();
  }

  /** The client as it knows this session. */
  public Optional<Participant> client(String clientId) {
    return participants.stream().filter(p -> p.isClient() && p.entityId().equals(clientId)).findFirst();
  }

  public Optional<Participant> participant(String entityId, String nameIdFormat) {
    return participants.stream()
        .filter(p -> p.entityId().equals(entityId) && p.nameId().format().equals(nameIdFormat))
        .findFirst();
  }

  /** With the participant, unless it is there already. */
  public IdpSession with(Participant participant) {
    if (participants.stream()
        .anyMatch(p -> p.entityId().equals(participant.entityId()) && p.nameId().equals(participant.nameId()))) {
      return this;
    }
    List<Participant> more = new ArrayList<>(participants);
    more.add(participant);
    return new IdpSession(
        id, first, realm, person, createdAt, expiresAt, absoluteEnd, details, readAt, passed, browser, more);
  }

  /** With the person as just read from the directory. */
  public IdpSession reread(Person now, Instant at) {
    return new IdpSession(
        id, first, realm, person, createdAt, expiresAt, absoluteEnd, now, at, passed, browser, participants);
  }

  /** With a new idle end. */
  public IdpSession touched(Instant now, Duration idle) {
    Instant end = now.plus(idle);
    return new IdpSession(
        id,
        first,
        realm,
        person,
        createdAt,
        end.isBefore(absoluteEnd) ? end : absoluteEnd,
        absoluteEnd,
        details,
        readAt,
        passed,
        browser,
        participants);
  }

  /** After one more contract, which stands in place of an earlier pass of the same. */
  IdpSession raised(SessionId newId, AuthnEvent event) {
    List<AuthnEvent> more = new ArrayList<>(passed);
    more.removeIf(earlier -> earlier.contract() == event.contract());
    more.add(event);
    return new IdpSession(
        newId,
        first,
        realm,
        person,
        createdAt,
        expiresAt,
        absoluteEnd,
        details,
        readAt,
        more,
        browser,
        participants);
  }
}
