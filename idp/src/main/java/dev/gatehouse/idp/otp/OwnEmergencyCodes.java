package dev.gatehouse.idp.otp;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Emergency codes that people print for themselves. */
public final class OwnEmergencyCodes {

  private static final int CODES = 10;
  private static final Duration LIFE = Duration.ofDays(30);

  /** Longer than any session from which a page is loaded again. */
  private static final Duration FORM_LIFE = Duration.ofDays(1);

  private final PasscodeChecks parts;
  private final OwnTokens own;

  OwnEmergencyCodes(PasscodeChecks parts, OwnTokens own) {
    this.parts = parts;
    this.own = own;
  }

  /** When codes end that are made now. */
  public Instant end() {
    return parts.clock.instant().plus(LIFE);
  }

  /** Returns a key for one form: a page that is loaded again sends the same one. */
  public String formKey() {
    return SessionToken.create(parts.random).value();
  }

  /** Returns whether the form is sent for the first time; takes note of it. A key is good for what it was made for alone: its person. */
  public boolean isFirst(RealmRequest request, Person person, String formKey) {
    ReplayKey key = new ReplayKey(request.realm().name(), "otp-emergency-form " + person.id().value(), formKey);
    return !formKey.isEmpty() && parts.uses.isNew(key, parts.clock.instant().plus(FORM_LIFE));
  }

  /**
   * Makes a sheet of codes for the time when a token is lost; what stood in before counts no more. That the person has just logged in with
   * more than a password, is proved by the caller.
   *
   * @return the codes, to be shown once; empty if the person has no token that counts or no PIN, which each code follows
   */
  public List<String> make(RealmRequest request, Person person) {
    String realm = request.realm().name();
    Instant now = parts.clock.instant();
    if (own.of(request, person).stream().noneMatch(token -> token.isUsable(now)) || !own.hasPin(request, person)) {
      return List.of();
    }
    List<String> codes = Stream.generate(() -> Emergencies.create(parts.random)).distinct().limit(CODES).toList();
    Set<String> digests =
        codes.stream().map(code -> Emergencies.digest(parts.sealing, realm, person.id(), code)).collect(Collectors.toSet());
    parts.tokens.keepEmergency(realm, person.id(), digests, false, now.plus(LIFE));
    parts.audit.record(new AuditEvent.TokenChanged(request.context(), "-", person.id().value(), "emergency-codes"));
    return codes;
  }
}
