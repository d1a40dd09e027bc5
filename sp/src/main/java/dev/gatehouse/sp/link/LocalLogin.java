package dev.gatehouse.sp.link;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.db.SecondFactors;
import dev.gatehouse.common.directory.Authentication;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.directory.Password;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.passkey.Passkeys;
import dev.gatehouse.common.realm.ContractsConfig.SecondFactor;
import dev.gatehouse.common.realm.IdpConfig;
import dev.gatehouse.common.realm.ThrottleConfig;
import dev.gatehouse.common.throttle.GuessSource;
import dev.gatehouse.common.throttle.GuessThrottle;
import dev.gatehouse.common.throttle.GuessThrottle.Admission;
import dev.gatehouse.common.throttle.LoginNames;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.session.LocalAccount;
import java.net.InetAddress;
import java.time.Duration;

/**
 * A login with name and password at the service provider, which proves a local account. Attempts count towards the same
 * limits as every other way to guess the account's password.
 */
public final class LocalLogin {

  /** The limits if the realm has no identity provider with limits of its own. */
  private static final ThrottleConfig USUAL = new ThrottleConfig(10, 100, Duration.ofMinutes(15));

  /**
   * An attempt.
   *
   * @param contract its purpose in the audit log: {@code link}, {@code basic}
   * @param by the source to which a wrong password is counted
   */
  public record Attempt(SpRealm realm, String contract, InetAddress client, GuessSource by, String name) {}

  /** The result of an attempt. */
  public sealed interface Outcome {
    record Proved(LocalAccount account) implements Outcome {}

    /** The same for every reason. */
    record Refused() implements Outcome {}

    /** The password is correct but must be changed first. */
    record MustChange() implements Outcome {}

    /** The password is correct, but the account requires a second factor, which cannot be asked for here. */
    record SecondFactorNeeded() implements Outcome {}

    record Throttled(Duration retryAfter) implements Outcome {}
  }

  private final Directories directories;
  private final SecondFactors factors;
  private final Passkeys passkeys;
  private final Tokens tokens;
  private final GuessThrottle throttle;
  private final AuditLog audit;
  private final RefusalLog refusals;

  public LocalLogin(
      Directories directories, SecondFactors factors, Passkeys passkeys, Tokens tokens, GuessThrottle throttle, AuditLog audit,
      RefusalLog refusals) {
    this.directories = directories;
    this.factors = factors;
    this.passkeys = passkeys;
    this.tokens = tokens;
    this.throttle = throttle;
    this.audit = audit;
    this.refusals = refusals;
  }

  /**
   * Proves the account with name and password.
   *
   * @param utf8 the password; the caller erases it
   * @throws DirectoryUnavailable if the directory does not answer
   */
  public Outcome prove(Attempt attempt, byte[] utf8) {
    SpRealm realm = attempt.realm();
    String name = attempt.name();
    // Neither may reach the directory: an empty password would be an anonymous bind, and an overlong value is wasted
    // work.
    if (utf8.length == 0 || utf8.length > Password.MAX_BYTES || name.isBlank() || name.length() > LoginNames.LONGEST) {
      recordUntried(attempt, "NOT_TRIED");
      return new Outcome.Refused();
    }
    ThrottleConfig limits = realm.realm().idp().map(IdpConfig::throttle).orElse(USUAL);
    return switch (throttle.admit(realm.name(), name, attempt.by(), limits)) {
      case Admission.Refused(boolean byAccount, Duration retryAfter) -> {
        recordUntried(attempt, byAccount ? "THROTTLED_ACCOUNT" : "THROTTLED_ADDRESS");
        yield new Outcome.Throttled(retryAfter);
      }
      case Admission.Busy busy ->
          throw new DirectoryUnavailable("too many logins of one account or address are waiting for it");
      case Admission.Admitted admitted -> {
        try (Password password = new Password(utf8)) {
          yield bind(attempt, password, admitted);
        }
      }
    };
  }

  private Outcome bind(Attempt attempt, Password password, Admission.Admitted admitted) {
    SpRealm realm = attempt.realm();
    return switch (directories.of(realm.realm()).authenticate(attempt.name(), password)) {
      case Authentication.Accepted(Person person) -> {
        admitted.succeeded();
        if (needsSecondFactor(realm, person)) {
          record(attempt, "SECOND_FACTOR_NEEDED");
          yield new Outcome.SecondFactorNeeded();
        }
        yield new Outcome.Proved(LocalAccount.of(person));
      }
      case Authentication.MustChangePassword(Person person, boolean expired) -> {
        admitted.succeeded();
        record(attempt, "PASSWORD_MUST_CHANGE");
        yield new Outcome.MustChange();
      }
      case Authentication.Refused(var reason) -> {
        admitted.failed();
        yield refused(attempt, reason.name());
      }
      case Authentication.Unavailable(String reason) -> {
        admitted.undecided();
        throw new DirectoryUnavailable(reason);
      }
    };
  }

  /** Nothing here can ask for a second factor. A thief of a password must not be able to bypass the factor this way. */
  private boolean needsSecondFactor(SpRealm realm, Person person) {
    return switch (realm.realm().idp().map(idp -> idp.contracts().secondFactor()).orElse(SecondFactor.OFF)) {
      case OFF -> false;
      case OPTIONAL ->
          !factors.of(realm.name(), person.id()).isEmpty() || hasStrongPasskey(realm, person) || hasToken(realm, person);
      case REQUIRED -> true;
    };
  }

  private boolean hasStrongPasskey(SpRealm realm, Person person) {
    return realm.realm().idp().flatMap(idp -> idp.contracts().passkeys()).isPresent()
        && passkeys.of(realm.name(), person.id()).stream().anyMatch(Passkeys.Passkey::isStrong);
  }

  /** Where the realm takes tokens, the login page asks whoever has one for its code, whatever the token's state. */
  private boolean hasToken(SpRealm realm, Person person) {
    return realm.realm().idp().flatMap(idp -> idp.contracts().token()).isPresent() && !tokens.of(realm.name(), person.id()).isEmpty();
  }

  private Outcome refused(Attempt attempt, String reason) {
    record(attempt, reason);
    return new Outcome.Refused();
  }

  /** What no directory was asked about costs nobody anything, and would fill the audit log: it has the pace of strangers. */
  private void recordUntried(Attempt attempt, String reason) {
    if (refusals.admits(attempt.client())) {
      record(attempt, reason);
    }
  }

  private void record(Attempt attempt, String reason) {
    String name = attempt.name();
    String shown = name.length() > LoginNames.LONGEST ? name.substring(0, LoginNames.LONGEST) : name;
    AuditEvent.Context context = AuditEvent.Context.of(attempt.realm().name(), attempt.client());
    audit.record(new AuditEvent.LoginRefused(context, shown, attempt.contract(), reason));
  }
}
