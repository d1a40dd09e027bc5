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
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Checks the code that a person typed: a code of an authenticator app, or a recovery code. A time step counts only once
 * per person (RFC 6238, section 5.2).
 *
 * <p>Where the realm takes tokens, an app is one, and its wrong codes are counted with wrong passcodes of the person, whatever their way
 * in; the throttle is about passwords. Elsewhere guesses have two limits: the realm's throttle, which slows them, and a number of wrong ones in
 * a row, counted in the database. With the throttle alone, an attacker who has the password could try for a year, and would more likely
 * than not succeed: six digits, three of them valid at a time, 960 attempts a day. Past the second limit, a recovery code or an
 * administrator helps.
 */
public final class SecondFactor {

  /**
   * The number of wrong codes where no tokens are configured. NIST SP 800-63B, section 3.2.2, allows a hundred: a probability of three in
   * ten thousand that one of them is correct.
   */
  public static final int MAX_WRONG = 100;

  private static final Pattern DIGITS = Pattern.compile("[0-9]{6,8}");

  /** Two successive codes; twelve digits may be a recovery code, once in a million. */
  private static final Pattern TWO_CODES = Pattern.compile("[0-9]{12}|[0-9]{14}|[0-9]{16}");

  /** The result of a code. */
  public sealed interface Outcome {
    record Accepted(Proof proof) implements Outcome {}

    /** Wrong, used before, or not a code: the same for the person. */
    record Refused() implements Outcome {}

    /** Several codes in a row were wrong: two successive ones are needed, typed one after the other. */
    record TwoCodesNeeded() implements Outcome {}

    /** Too many codes in a row were wrong: codes of apps are not accepted any more. */
    record Locked() implements Outcome {}

    record Throttled(Duration retryAfter) implements Outcome {}
  }

  /** The kind of code. */
  public enum Proof {
    APP,
    RECOVERY_CODE
  }

  private final SecondFactors factors;
  private final AppCodes codes;
  private final SealingKey sealing;
  private final GuessThrottle throttle;
  private final AuditLog audit;

  public SecondFactor(SecondFactors factors, AppCodes codes, SealingKey sealing, GuessThrottle throttle, AuditLog audit) {
    this.factors = factors;
    this.codes = codes;
    this.sealing = sealing;
    this.throttle = throttle;
    this.audit = audit;
  }

  /** Returns whether the person has a second factor. */
  public boolean isSetUp(String realm, PersonId person) {
    return !factors.of(realm, person).isEmpty();
  }

  /**
   * Returns whether second factors were lost, and no administrator has confirmed yet that the person may set one up.
   */
  public boolean needsConfirmation(String realm, PersonId person) {
    return factors.needsConfirmation(realm, person);
  }

  /** Takes a permit before the code is checked, unless codes have the person's count of wrong passcodes; records each refusal. */
  public Outcome check(RealmRequest request, Person person, String typed) {
    String digits = typed.replaceAll("\\s", "");
    if (request.idp().contracts().token().isEmpty() || !DIGITS.matcher(digits).matches() && !TWO_CODES.matcher(digits).matches()) {
      return checkThrottled(request, person, typed);
    }
    return RecoveryCodes.normal(digits).filter(code -> takes(request, person, code)).isPresent()
        ? new Outcome.Accepted(Proof.RECOVERY_CODE)
        : checkCode(request, person, digits);
  }

  private Outcome checkThrottled(RealmRequest request, Person person, String typed) {
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
    AppCodes.Result result = codes.check(request.realm(), person.id(), code);
    return switch (result) {
      case ACCEPTED -> new Outcome.Accepted(Proof.APP);
      case WRONG, DISABLED -> refused(request, person, result == AppCodes.Result.WRONG ? "WRONG_CODE" : "TOKEN_DISABLED");
      case USED -> refused(request, person, "CODE_REPLAYED");
      case TWO_CODES_NEEDED -> {
        record(request, person, "TWO_CODES_NEEDED");
        yield new Outcome.TwoCodesNeeded();
      }
      case LOCKED -> {
        record(request, person, "SECOND_FACTOR_LOCKED");
        yield new Outcome.Locked();
      }
    };
  }

  private Outcome checkRecoveryCode(RealmRequest request, Person person, String code) {
    return takes(request, person, code) ? new Outcome.Accepted(Proof.RECOVERY_CODE) : refused(request, person, "WRONG_RECOVERY_CODE");
  }

  /** Uses the recovery code up if there is one. */
  private boolean takes(RealmRequest request, Person person, String code) {
    String realm = request.realm().name();
    if (!factors.takeRecoveryCode(realm, person.id(), digest(sealing, realm, person.id(), code))) {
      return false;
    }
    codes.forgive(request.realm(), person.id());
    audit.record(
        new AuditEvent.SecondFactorChanged(
            request.context(), person.id().value(), person.name(), "recovery-code-used"));
    return true;
  }

  private Outcome refused(RealmRequest request, Person person, String reason) {
    record(request, person, reason);
    return new Outcome.Refused();
  }

  private void record(RealmRequest request, Person person, String reason) {
    audit.record(new AuditEvent.LoginRefused(request.context(), person.name(), "totp", reason));
  }

  static String digest(SealingKey sealing, String realm, PersonId person, String code) {
    return sealing.digest(code.toLowerCase(Locale.ROOT), "recovery", realm, person.value());
  }

  /** The person's apps, for the account page. */
  public List<Factor> of(String realm, PersonId person) {
    return factors.of(realm, person);
  }

  /** The number of unused recovery codes. */
  public int recoveryCodesLeft(String realm, PersonId person) {
    return factors.recoveryCodesLeft(realm, person);
  }
}
