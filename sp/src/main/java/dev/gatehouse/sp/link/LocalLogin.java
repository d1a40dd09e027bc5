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
 * A login with name and password at the service provider, which proves a local account. Counted together with every other way
 * to guess the account's password.
 */
public final class LocalLogin {

  /** Where the realm has no identity provider whose limits hold. */
  private static final ThrottleConfig USUAL = new ThrottleConfig(10, 100, Duration.ofMinutes(15));

  /** What came of a try. */
  public sealed interface Outcome {
    record Proved(LocalAccount account) implements Outcome {}

    /** Alike for every reason. */
    record Refused() implements Outcome {}

    /** The password is right, but must be changed before it counts. */
    record MustChange() implements Outcome {}

    /** The password is right, but the account needs more than that, which we cannot ask for here. */
    record SecondFactorNeeded() implements Outcome {}

    record Throttled(Duration retryAfter) implements Outcome {}
  }

  private final String contract;
  private final Directories directories;
  private final SecondFactors factors;
  private final GuessThrottle throttle;
  private final AuditLog audit;

  /** @param contract what the login is for, in the audit log: {@code link}, {@code basic} */
  public LocalLogin(
      String contract, Directories directories, SecondFactors factors, GuessThrottle throttle, AuditLog audit) {
    this.contract = contract;
    this.directories = directories;
    this.factors = factors;
    this.throttle = throttle;
    this.audit = audit;
  }

  /** Throws {@link DirectoryUnavailable}. */
  public Outcome prove(SpRealm realm, EdgeRequest request, String name, String typed) {
    return prove(
        realm, request.client(), new GuessSource.Stranger(request.client()), name, typed.getBytes(StandardCharsets.UTF_8));
  }

  /** As {@link #prove(SpRealm, EdgeRequest, String, String)}. @param by whose count a wrong one is */
  public Outcome prove(SpRealm realm, InetAddress client, GuessSource by, String name, byte[] utf8) {
    // Neither may reach the directory: one binds anonymously, the other is work for nothing.
    if (utf8.length == 0 || utf8.length > Password.MOST_BYTES || name.isBlank() || name.length() > LoginNames.LONGEST) {
      return refused(realm, client, name, "NOT_TRIED");
    }
    ThrottleConfig limits = realm.realm().idp().map(IdpConfig::throttle).orElse(USUAL);
    return switch (throttle.admit(realm.name(), name, by, limits)) {
      case Admission.Refused(boolean byAccount, Duration retryAfter) -> {
        record(realm, client, name, byAccount ? "THROTTLED_ACCOUNT" : "THROTTLED_ADDRESS");
        yield new Outcome.Throttled(retryAfter);
      }
      case Admission.Busy busy ->
          throw new DirectoryUnavailable("as many logins of one account or address as may fail wait for it already");
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

  /** Nothing here can ask for a second factor: who stole a password must not get past it by coming this way. */
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
