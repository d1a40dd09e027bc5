package dev.gatehouse.sp.link;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.db.SecondFactors;
import dev.gatehouse.common.directory.Authentication;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.directory.Password;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.ContractsConfig.SecondFactor;
import dev.gatehouse.common.realm.IdpConfig;
import dev.gatehouse.common.realm.ThrottleConfig;
import dev.gatehouse.common.throttle.GuessSource;
import dev.gatehouse.common.throttle.GuessThrottle;
import dev.gatehouse.common.throttle.GuessThrottle.Admission;
import dev.gatehouse.common.throttle.LoginNames;
import dev.gatehouse.sp.edge.SpRealm;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A login with name and password at the service provider, which proves a local account. Attempts count towards the same
 * limits as every other way to guess the account's password.
 */
public final class LocalLogin {

  /** The limits if the realm has no identity provider with limits of its own. */
  private static final ThrottleConfig USUAL = new ThrottleConfig(10, 100, Duration.ofMinutes(15));

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

  private final String contract;
  private final Directories directories;
  private final SecondFactors factors;
  private final GuessThrottle throttle;
  private final AuditLog audit;

  /** @param contract the purpose of the login in the audit log: {@code link}, {@code basic} */
  public LocalLogin(
      String contract, Directories directories, SecondFactors factors, GuessThrottle throttle, AuditLog audit) {
    this.contract = contract;
    this.directories = directories;
    this.factors = factors;
    this.throttle = throttle;
    this.audit = audit;
  }

  /**
   * Proves the account with name and password.
   *
   * @throws DirectoryUnavailable if the directory does not answer
   */
  public Outcome prove(SpRealm realm, EdgeRequest request, String name, String typed) {
    return prove(
        realm, request.client(), new GuessSource.Stranger(request.client()), name, typed.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Like {@link #prove(SpRealm, EdgeRequest, String, String)}.
   *
   * @param by the source to which a wrong password is counted
   */
  public Outcome prove(SpRealm realm, InetAddress client, GuessSource by, String name, byte[] utf8) {
    // Neither may reach the directory: an empty password would be an anonymous bind, and an overlong value is wasted
    // work.
    if (utf8.length == 0 || utf8.length > Password.MAX_BYTES || name.isBlank() || name.length() > LoginNames.LONGEST) {
      return refused(realm, client, name, "NOT_TRIED");
    }
    ThrottleConfig limits = realm.realm().idp().map(IdpConfig::throttle).orElse(USUAL);
    return switch (throttle.admit(realm.name(), name, by, limits)) {
      case Admission.Refused(boolean byAccount, Duration retryAfter) -> {
        record(realm, client, name, byAccount ? "THROTTLED_ACCOUNT" : "THROTTLED_ADDRESS");
        yield new Outcome.Throttled(retryAfter);
      }
      case Admission.Busy busy ->
          throw new DirectoryUnavailable("too many logins of one account or address are waiting for it");
      case Admission.Admitted admitted -> {
        try (Password password = new Password(utf8)) {
          yield bind(realm, client, name, password, admitted);
        }
      }
    };
  }

  private Outcome bind(
      SpRealm realm, InetAddress client, String name, Password password, Admission.Admitted admitted) {
    return switch (directories.of(realm.realm()).authenticate(name, password)) {
      case Authentication.Accepted(Person person) -> {
        admitted.succeeded();
        if (needsSecondFactor(realm, person)) {
          record(realm, client, name, "SECOND_FACTOR_NEEDED");
          yield new Outcome.SecondFactorNeeded();
        }
        yield new Outcome.Proved(LocalAccount.of(person));
      }
      case Authentication.MustChangePassword(Person person, boolean expired) -> {
        admitted.succeeded();
        record(realm, client, name, "PASSWORD_MUST_CHANGE");
        yield new Outcome.MustChange();
      }
      case Authentication.Refused(var reason) -> {
        admitted.failed();
        yield refused(realm, client, name, reason.name());
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
      case OPTIONAL -> !factors.of(realm.name(), person.id()).isEmpty();
      case REQUIRED -> true;
    };
  }

  private Outcome refused(SpRealm realm, InetAddress client, String name, String reason) {
    record(realm, client, name, reason);
    return new Outcome.Refused();
  }

  private void record(SpRealm realm, InetAddress client, String name, String reason) {
    String shown = name.length() > LoginNames.LONGEST ? name.substring(0, LoginNames.LONGEST) : name;
    AuditEvent.Context context = AuditEvent.Context.of(realm.name(), client);
    audit.record(new AuditEvent.LoginRefused(context, shown, contract, reason));
  }
}
