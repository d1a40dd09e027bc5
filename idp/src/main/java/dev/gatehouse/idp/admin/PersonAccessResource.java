package dev.gatehouse.idp.admin;

import dev.gatehouse.common.admin.AdminResource.PersonReference;
import dev.gatehouse.common.admin.PersonAccess;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.db.Consents;
import dev.gatehouse.common.db.SecondFactors;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.TokenHolder;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.realm.IdpConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.throttle.GuessThrottle;
import dev.gatehouse.idp.oauth.authorize.ClientConsents;
import dev.gatehouse.idp.oauth.token.Authorizations;
import dev.gatehouse.idp.totp.SecondFactor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Wrong tries and consents of a person in the administration API. */
public final class PersonAccessResource implements PersonAccess {

  private final Realms realms;
  private final GuessThrottle throttle;
  private final Consents consents;
  private final Authorizations authorizations;
  private final Tokens tokens;
  private final SecondFactors factors;
  private final AuditLog audit;
  private final InstantSource clock;

  public PersonAccessResource(
      Realms realms,
      GuessThrottle throttle,
      Consents consents,
      Authorizations authorizations,
      Tokens tokens,
      SecondFactors factors,
      AuditLog audit,
      InstantSource clock) {
    this.realms = realms;
    this.throttle = throttle;
    this.consents = consents;
    this.authorizations = authorizations;
    this.tokens = tokens;
    this.factors = factors;
    this.audit = audit;
    this.clock = clock;
  }

  @Override
  public Optional<WrongTries> wrongTries(String realm, PersonReference person) {
    return realms.find(realm).flatMap(Realm::idp).map(idp -> wrongTries(realm, idp, person));
  }

  private WrongTries wrongTries(String realm, IdpConfig idp, PersonReference person) {
    GuessThrottle.Failures failures = throttle.failures(realm, person.name(), person.id(), idp.throttle());
    Optional<Duration> refused =
        Stream.of(failures.passwordsRefusedFor(), failures.codesRefusedFor()).flatMap(Optional::stream).max(Comparator.naturalOrder());
    TokenHolder holder = tokens.holder(realm, new PersonId(person.id()));
    int most = idp.contracts().token().map(TokenLogin::lockAfter).orElse(SecondFactor.MAX_WRONG);
    int apps = factors.wrongCodes(realm, new PersonId(person.id()));
    boolean isLocked = isLocked(most, holder) || apps >= SecondFactor.MAX_WRONG;
    return new WrongTries(failures.passwords(), failures.codes(), Math.max(holder.wrong(), apps), refused, isLocked);
  }

  private boolean isLocked(int most, TokenHolder holder) {
    return holder.wrong() >= most && holder.lockedUntil().filter(end -> !clock.instant().isBefore(end)).isEmpty();
  }

  @Override
  public int unlock(String realm, PersonReference person) {
    PersonId id = new PersonId(person.id());
    int passcodes = Math.max(tokens.holder(realm, id).wrong(), factors.wrongCodes(realm, id));
    // Codes of apps after a password are counted apart as well.
    tokens.unlock(realm, id);
    return passcodes + throttle.forget(realm, person.name(), person.id());
  }

  @Override
  public List<Agreed> consents(String realm, PersonReference person) {
    return consents.ofPerson(realm, new PersonId(person.id())).stream()
        .map(consent -> new Agreed(consent.partner(), consent.attributes().stream().sorted().toList(), consent.since()))
        .toList();
  }

  @Override
  public boolean endConsent(String realm, PersonReference person, String partner) {
    PersonId id = new PersonId(person.id());
    AuditEvent.Context context = new AuditEvent.Context(realm, "-", Optional.empty());
    // First what acts in the person's name: it ends also while the database of the consents is away.
    ClientConsents.clientId(partner)
        .ifPresent(client -> authorizations.endOfClient(context, realm, id, client, Authorizations.End.ADMINISTRATOR));
    boolean revoked = consents.revoke(realm, partner, id);
    if (revoked) {
      audit.record(new AuditEvent.ConsentChanged(context, id.value(), partner, false, ""));
    }
    return revoked;
  }
}
