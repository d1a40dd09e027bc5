package dev.gatehouse.idp.totp;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.db.SecondFactors;
import dev.gatehouse.common.db.SecondFactors.Factor;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.throttle.GuessThrottle;
import dev.gatehouse.common.throttle.GuessThrottle.Admission;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Checks the code that a person typed, of an authenticator app or a recovery code. A time step counts once per person (RFC
 * 6238, section 5.2).
 *
 * <p>Guesses have two bounds: the realm's throttle, which slows them, and {@link #MOST_WRONG} in a row, kept in the database.
 * The first alone would let somebody who has the password try for a year, and succeed more likely than not: six digits,
 * three of them right at a time, 960 tries a day. After the second only a recovery code helps, or an administrator. Nobody
 * else can bring that about: the password comes first.
 */
public final class SecondFactor {

  /** NIST SP 800-63B, section 3.2.2, allows a hundred: three in ten thousand that one of them is right. */
  public static final int MOST_WRONG = 100;

  private static final Pattern DIGITS = Pattern.compile("[0-9]{6,8}");

  /** What came of a code. */
  public sealed interface Outcome {
    record Accepted(Proof proof) implements Outcome {}

    /** Wrong, used before, or no code at all: alike for the person. */
    record Refused() implements Outcome {}

    /** Too many were wrong in a row: codes of apps count no more. */
    record Locked() implements Outcome {}

    record Throttled(Duration retryAfter) implements Outcome {}
  }

  /** What proved it. */
  public enum Proof {
    APP,
    RECOVERY_CODE
  }

  private final SecondFactors factors;
  private final SealingKey sealing;
  private final GuessThrottle throttle;
  private final AuditLog audit;
  private final InstantSource clock;

  public SecondFactor(
      SecondFactors factors, SealingKey sealing, GuessThrottle throttle, AuditLog audit, InstantSource clock) {
    this.factors = factors;
    this.sealing = sealing;
    this.throttle = throttle;
    this.audit = audit;
    this.clock = clock;
  }

  /** Whether the person has one. */
  public boolean isSetUp(String realm, PersonId person) {
    return !factors.of(realm, person).isEmpty();
  }

  /** Whether second factors were lost and nobody has confirmed yet that the person may set one up. */
  public boolean needsConfirmation(String realm, PersonId person) {
    return factors.needsConfirmation(realm, person);
  }

  /** Takes a permit before the code is looked at; each refusal is audited. */
  public Outcome check(RealmRequest request, Person person, String typed) {
    Admission admission =
        throttle.admitCode(
            request.realm().name(), person.id().value(), request.http().client(), request.idp().throttle());
    return switch (admission) {
      case Admission.Refused(boolean byAccount, Duration retryAfter) -> {
        record(request, person, byAccount ? "THROTTLED_ACCOUNT" : "THROTTLED_ADDRESS");
        yield new Outcome.Throttled(retryAfter);
      }
      case Admission.Busy(Duration retryAfter) -> new Outcome.Throttled(retryAfter);
      case Admission.Admitted admitted -> {
        Outcome outcome = checkAdmitted(request, person, typed.strip());
        if (outcome instanceof Outcome.Accepted) {
          admitted.succeeded();
        } else {
          admitted.failed();
        }
        yield outcome;
      }
    };
  }

  private Outcome checkAdmitted(RealmRequest request, Person person, String typed) {
    String digits = typed.replaceAll("\\s", "");
    if (DIGITS.matcher(digits).matches()) {
      return checkCode(request, person, digits);
    }
    return RecoveryCodes.normal(typed)
        .map(code -> checkRecoveryCode(request, person, code))
        .orElseGet(() -> refused(request, person, "CODE_MALFORMED"));
  }

  private Outcome checkCode(RealmRequest request, Person person, String code) {
    String realm = request.realm().name();
    if (!factors.admit(realm, person.id(), MOST_WRONG)) {
      record(request, person, "SECOND_FACTOR_LOCKED");
      return new Outcome.Locked();
    }
    Instant now = clock.instant();
    for (Factor factor : factors.of(realm, person.id())) {
      OptionalLong step = new TotpCodes(factor.digits()).step(open(realm, person.id(), factor), code, now);
      if (step.isPresent()) {
        return factors.accept(realm, person.id(), factor.id(), step.getAsLong(), now)
            ? new Outcome.Accepted(Proof.APP)
            : refused(request, person, "CODE_REPLAYED");
      }
    }
    return refused(request, person, "WRONG_CODE");
  }

  private Outcome checkRecoveryCode(RealmRequest request, Person person, String code) {
    String realm = request.realm().name();
    if (!factors.takeRecoveryCode(realm, person.id(), digest(sealing, realm, person.id(), code))) {
      return refused(request, person, "WRONG_RECOVERY_CODE");
    }
    factors.forgive(realm, person.id());
    audit.record(
        new AuditEvent.SecondFactorChanged(
            request.context(), person.id().value(), person.name(), "recovery-code-used"));
    return new Outcome.Accepted(Proof.RECOVERY_CODE);
  }

  private TotpSecret open(String realm, PersonId person, Factor factor) {
    return new TotpSecret(sealing.open(factor.sealedSecret(), context(realm, person, factor.id())));
  }

  private Outcome refused(RealmRequest request, Person person, String reason) {
    record(request, person, reason);
    return new Outcome.Refused();
  }

  private void record(RealmRequest request, Person person, String reason) {
    audit.record(new AuditEvent.LoginRefused(request.context(), person.name(), "totp", reason));
  }

  /** What a secret is sealed for. */
  static String[] context(String realm, PersonId person, String factor) {
    return new String[] {"totp", realm, person.value(), factor};
  }

  static String digest(SealingKey sealing, String realm, PersonId person, String code) {
    return sealing.digest(code.toLowerCase(Locale.ROOT), "recovery", realm, person.value());
  }

  /** For the account page: what the person has. */
  public List<Factor> of(String realm, PersonId person) {
    return factors.of(realm, person);
  }

  /** How many recovery codes were not used yet. */
  public int recoveryCodesLeft(String realm, PersonId person) {
    return factors.recoveryCodesLeft(realm, person);
  }
}
