package dev.gatehouse.idp.session;

import dev.gatehouse.common.device.SessionDevice;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.directory.PersonSnapshot;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.session.Lifetime;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The session of a person at the identity provider, in one browser.
 *
 * @param first the id with which it began: the session gets another id at each rise of privilege and each new login of
 *     the same person in this browser, while authorizations keep naming the first one
 * @param passed the contracts that the person passed, in order, beginning with one that is not a second step
 * @param browser the origin of the login, with few data, for the person's own account page
 * @param participants partners that received data about the person, in order: a logout must reach them
 * @param device the device of the login; none if nothing was checked then
 */
public record IdpSession(
    SessionId id,
    SessionId first,
    String realm,
    Lifetime lifetime,
    PersonSnapshot snapshot,
    List<AuthnEvent> passed,
    Browser browser,
    List<Participant> participants,
    SessionDevice device)
    implements Session {

  private static final Duration TOUCH_AT_MOST_EVERY = Duration.ofMinutes(1);

  /** @param userAgent at most 200 characters, printable; empty if none was sent */
  public record Browser(String address, String userAgent) {

    private static final int USER_AGENT_LENGTH = 200;
    private static final Pattern NOT_PRINTABLE = Pattern.compile("[^\\x20-\\x7e]");

    static Browser of(RealmRequest request) {
      String agent = request.http().headers().first("User-Agent").orElse("");
      String printable = NOT_PRINTABLE.matcher(agent).replaceAll("");
      return new Browser(
          request.http().client().getHostAddress(),
          printable.length() > USER_AGENT_LENGTH ? printable.substring(0, USER_AGENT_LENGTH) : printable);
    }
  }

  /**
   * A partner that knows this session: a SAML service provider or an OpenID Connect client. For a client, the NameID
   * contains the {@code sub} in a format of its own, and the SessionIndex is the {@code sid}.
   *
   * @param entityId or client ID
   * @param sessionIndex our index for this session and partner; reveals nothing about the session's id
   */
  public record Participant(String entityId, NameId nameId, String sessionIndex, Instant since) {

    /** No partner's metadata can request this format: a name with it belongs to a client. */
    private static final String OPENID = "urn:gatehouse:name:openid-subject";

    /** @param sid OpenID Connect Front-Channel Logout 1.0, section 3 */
    public static Participant client(String clientId, String subject, String sid, Instant since) {
      return new Participant(clientId, new NameId(subject, OPENID, Optional.empty(), Optional.empty()), sid, since);
    }

    public boolean isClient() {
      return isClient(nameId);
    }

    /** Returns whether a name is a client's {@code sub}. */
    public static boolean isClient(NameId name) {
      return name.format().equals(OPENID);
    }
  }

  public IdpSession {
    passed = List.copyOf(passed);
    participants = List.copyOf(participants);
  }

  @Override
  public PersonId person() {
    return snapshot.person();
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

  /** The index key for a LogoutRequest: Issuer and NameID; the SessionIndex is compared afterwards. */
  public static String indexKey(String realm, String entityId, NameId nameId) {
    return String.join("\n", realm, entityId, nameId.format(), nameId.value());
  }

  /** The index key of a session whose id is no longer its first one. */
  static String firstKey(SessionId first) {
    return "first\n" + first.value();
  }

  /** The client's participation in this session. */
  public Optional<Participant> client(String clientId) {
    return participants.stream().filter(p -> p.isClient() && p.entityId().equals(clientId)).findFirst();
  }

  public Optional<Participant> participant(String entityId, String nameIdFormat) {
    return participants.stream()
        .filter(p -> p.entityId().equals(entityId) && p.nameId().format().equals(nameIdFormat))
        .findFirst();
  }

  /** The partner's participation under this name. */
  public Optional<Participant> participant(String entityId, NameId nameId) {
    return participants.stream().filter(p -> p.entityId().equals(entityId) && p.nameId().equals(nameId)).findFirst();
  }

  /** Adds the participant, unless the partner is already one under this name: then its SessionIndex remains what it was. */
  public IdpSession with(Participant participant) {
    if (participant(participant.entityId(), participant.nameId()).isPresent()) {
      return this;
    }
    List<Participant> more = new ArrayList<>(participants);
    more.add(participant);
    return new IdpSession(
        id, first, realm, lifetime, snapshot, passed, browser, more, device);
  }

  /** The session with the person's data just read from the directory. */
  public IdpSession reread(Person now, Instant at) {
    return new IdpSession(id, first, realm, lifetime, snapshot.reread(now, at), passed, browser, participants, device);
  }

  @Override
  public Optional<IdpSession> expiringAt(Instant end) {
    return Optional.of(new IdpSession(id, first, realm, lifetime.expiringAt(end), snapshot, passed, browser, participants, device));
  }

  /** Returns whether a use moves the idle end: not before a tenth of the idle time, or a minute, has passed since it was moved. */
  boolean isTouchDue(Instant now, Duration idle) {
    Duration tenth = idle.dividedBy(10);
    Duration step = tenth.compareTo(TOUCH_AT_MOST_EVERY) < 0 ? tenth : TOUCH_AT_MOST_EVERY;
    return expiresAt().isBefore(lifetime.absoluteEnd()) && !expiresAt().isAfter(now.plus(idle).minus(step));
  }

  /** The session with a new idle end. */
  public IdpSession touched(Instant now, Duration idle) {
    return new IdpSession(id, first, realm, lifetime.touched(now, idle), snapshot, passed, browser, participants, device);
  }

  /** The session at this device. */
  IdpSession on(SessionDevice now) {
    return new IdpSession(id, first, realm, lifetime, snapshot, passed, browser, participants, now);
  }

  /**
   * The session after one more contract, which replaces an earlier pass of the same one.
   *
   * @param at the device of the new id
   */
  IdpSession raised(SessionId newId, AuthnEvent event, SessionDevice at) {
    List<AuthnEvent> more = new ArrayList<>(passed);
    more.removeIf(earlier -> earlier.contract() == event.contract());
    more.add(event);
    return new IdpSession(newId, first, realm, lifetime, snapshot, more, browser, participants, at);
  }
}
