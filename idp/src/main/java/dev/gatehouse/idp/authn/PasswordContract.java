package dev.gatehouse.idp.authn;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.directory.Authentication;
import dev.gatehouse.common.directory.Authentication.RefusedReason;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.directory.Password;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.throttle.GuessSource;
import dev.gatehouse.common.throttle.GuessThrottle;
import dev.gatehouse.common.throttle.GuessThrottle.Admission;
import dev.gatehouse.common.throttle.LoginNames;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.session.KnownDevices;
import dev.gatehouse.idp.session.LoginContract;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Login by name and password, shared by the form and the zero-page contract. Takes a permit of the throttle before the
 * password is checked, and refuses empty and overlong passwords before any bind (RFC 4513, section 5.1.2).
 */
public final class PasswordContract {

  /** The reason for not asking the directory: a login that waits for the directory is not a failed guess. */
  static final String BUSY = "too many logins of one account or address are waiting for it";

  private static final int NAME_LENGTH = LoginNames.LONGEST;

  /** The result of an attempt. */
  public sealed interface Outcome {
    record Accepted(Person person) implements Outcome {}

    /** The password is correct but must be changed first. */
    record MustChange(Person person) implements Outcome {}

    /** The same for every reason. */
    record Refused() implements Outcome {}

    record Throttled(Duration retryAfter) implements Outcome {}
  }

  private final Directories directories;
  private final GuessThrottle throttle;
  private final KnownDevices devices;
  private final AuditLog audit;
  private final RefusalLog refusals;

  public PasswordContract(
      Directories directories, GuessThrottle throttle, KnownDevices devices, AuditLog audit, RefusalLog refusals) {
    this.refusals = refusals;
    this.directories = directories;
    this.throttle = throttle;
    this.devices = devices;
    this.audit = audit;
  }

  /**
   * Authenticates a person.
   *
   * @param contract the contract with a password, for the audit log
   * @throws DirectoryUnavailable if no server answers
   */
  public Outcome authenticate(RealmRequest request, String name, String typed, LoginContract contract) {
    return authenticate(request, devices.guessSource(request, name), name, typed, contract);
  }

  /** Authenticates a person for an authenticated client: guesses through it are counted separately. */
  public Outcome authenticate(
      RealmRequest request, GuessSource by, String name, String typed, LoginContract contract) {
    byte[] utf8 = typed.getBytes(StandardCharsets.UTF_8);
    if (utf8.length == 0) {
      return untried(request, name, contract, RefusedReason.EMPTY_PASSWORD);
    }
    if (utf8.length > Password.MAX_BYTES) {
      return untried(request, name, contract, RefusedReason.PASSWORD_TOO_LONG);
    }
    if (name.isBlank() || name.length() > NAME_LENGTH) {
      return untried(request, name, contract, RefusedReason.UNKNOWN_NAME);
    }
    Admission admission =
        throttle.admit(request.realm().name(), name, by, request.idp().throttle());
    return switch (admission) {
      case Admission.Refused(boolean byAccount, Duration retryAfter) -> {
        recordUntried(request, name, contract, byAccount ? "THROTTLED_ACCOUNT" : "THROTTLED_ADDRESS");
        yield new Outcome.Throttled(retryAfter);
      }
      case Admission.Busy busy -> throw new DirectoryUnavailable(BUSY);
      case Admission.Admitted admitted -> {
        try (Password password = new Password(utf8)) {
          yield bind(request, name, password, contract, admitted);
        }
      }
    };
  }

  private Outcome bind(
      RealmRequest request, String name, Password password, LoginContract contract, Admission.Admitted admitted) {
    return switch (directories.of(request.realm()).authenticate(name, password)) {
      case Authentication.Accepted(Person person) -> {
        admitted.succeeded();
        yield new Outcome.Accepted(person);
      }
      case Authentication.MustChangePassword(Person person, boolean expired) -> {
        admitted.succeeded();
        record(request, name, contract, expired ? "PASSWORD_EXPIRED" : "PASSWORD_MUST_CHANGE");
        yield new Outcome.MustChange(person);
      }
      case Authentication.Refused(RefusedReason reason) -> {
        admitted.failed();
        yield refused(request, name, contract, reason);
      }
      case Authentication.Unavailable(String reason) -> {
        admitted.undecided();
        throw new DirectoryUnavailable(reason);
      }
    };
  }

  private Outcome refused(RealmRequest request, String name, LoginContract contract, RefusedReason reason) {
    record(request, name, contract, reason.name());
    return new Outcome.Refused();
  }

  private Outcome untried(RealmRequest request, String name, LoginContract contract, RefusedReason reason) {
    recordUntried(request, name, contract, reason.name());
    return new Outcome.Refused();
  }

  /** What no directory was asked about costs nobody anything, and would fill the audit log: it has the pace of strangers. */
  private void recordUntried(RealmRequest request, String name, LoginContract contract, String reason) {
    if (refusals.admits(request.http().client())) {
      record(request, name, contract, reason);
    }
  }

  private void record(RealmRequest request, String name, LoginContract contract, String reason) {
    String shown = name.length() > NAME_LENGTH ? name.substring(0, NAME_LENGTH) : name;
    audit.record(new AuditEvent.LoginRefused(request.context(), shown, contract.word(), reason));
  }
}
