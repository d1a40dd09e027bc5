package dev.gatehouse.idp.authn;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.directory.Password;
import dev.gatehouse.common.directory.PasswordChange;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.throttle.GuessThrottle;
import dev.gatehouse.common.throttle.GuessThrottle.Admission;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.session.KnownDevices;
import java.time.Duration;

/** Changes passwords in the directory, within the bounds on guesses, and notifies people of it. */
public final class PasswordChanges {

  private final Directories directories;
  private final GuessThrottle throttle;
  private final KnownDevices devices;
  private final PasswordNotice notice;
  private final PasswordEnds ends;
  private final AuditLog audit;

  public PasswordChanges(
      Directories directories, GuessThrottle throttle, KnownDevices devices, PasswordNotice notice, PasswordEnds ends, AuditLog audit) {
    this.directories = directories;
    this.throttle = throttle;
    this.devices = devices;
    this.notice = notice;
    this.ends = ends;
    this.audit = audit;
  }

  /** The result of a change. */
  public sealed interface Result {
    /** @param ends the key for {@link PasswordEnds#done}, when the person's other sessions have ended */
    record Changed(Person person, String ends) implements Result {}

    record Throttled(Duration retryAfter) implements Result {}

    record WrongOld() implements Result {}

    /** @param why the directory's explanation; may be empty */
    record NotGoodEnough(PasswordChange.Fault fault, String why) implements Result {}
  }

  /**
   * Changes the password of the person with that login name.
   *
   * @throws DirectoryUnavailable if the directory could not tell whether the old password is right
   */
  Result change(RealmRequest request, String name, byte[] old, byte[] replacement) {
    Admission admission =
        throttle.admit(request.realm().name(), name, devices.guessSource(request, name), request.idp().throttle());
    return switch (admission) {
      case Admission.Refused(boolean byAccount, Duration retryAfter) -> {
        String reason = byAccount ? "THROTTLED_ACCOUNT" : "THROTTLED_ADDRESS";
        audit.record(new AuditEvent.LoginRefused(request.context(), name, "password", reason));
        yield new Result.Throttled(retryAfter);
      }
      case Admission.Busy busy -> throw new DirectoryUnavailable(PasswordContract.BUSY);
      case Admission.Admitted admitted -> {
        try (Password from = new Password(old);
            Password to = new Password(replacement)) {
          yield change(request, name, from, to, admitted);
        }
      }
    };
  }

  /**
   * Sets the password of a person who followed a link in a mail and passed the second factor, if they have one.
   *
   * @return never {@link Result.Throttled}; {@link Result.WrongOld} if the person is gone
   * @throws DirectoryUnavailable if the directory did not answer
   */
  public Result reset(RealmRequest request, PersonId id, byte[] replacement) {
    String key = ends.intend(request.realm().name(), id);
    try (Password to = new Password(replacement)) {
      return switch (directories.of(request.realm()).resetPassword(id, to)) {
        case PasswordChange.Changed(Person person) -> changed(request, person, key);
        case PasswordChange.Refused() -> {
          ends.done(key);
          yield new Result.WrongOld();
        }
        case PasswordChange.NotGoodEnough(PasswordChange.Fault fault, String why) -> {
          ends.done(key);
          yield new Result.NotGoodEnough(fault, why);
        }
        case PasswordChange.Unavailable(String reason, boolean isSent) -> throw unavailable(reason, isSent, key);
      };
    }
  }

  /** Notes that the other sessions of a person whose password was changed have ended. */
  public void ended(String key) {
    ends.done(key);
  }

  private Result.Changed changed(RealmRequest request, Person person, String key) {
    devices.passwordChanged(request, person);
    audit.record(new AuditEvent.PasswordChanged(request.context(), person.id().value(), person.name()));
    notice.changed(request.context(), person.id());
    return new Result.Changed(person, key);
  }

  private Result change(RealmRequest request, String name, Password from, Password to, Admission.Admitted admitted) {
    String key = ends.intend(request.realm().name(), name);
    return switch (directories.of(request.realm()).changePassword(name, from, to)) {
      case PasswordChange.Changed(Person person) -> {
        admitted.succeeded();
        yield changed(request, person, key);
      }
      case PasswordChange.Refused() -> {
        admitted.failed();
        ends.done(key);
        audit.record(new AuditEvent.LoginRefused(request.context(), name, "password", "WRONG_OLD_PASSWORD"));
        yield new Result.WrongOld();
      }
      case PasswordChange.NotGoodEnough(PasswordChange.Fault fault, String why) -> {
        admitted.succeeded();
        ends.done(key);
        yield new Result.NotGoodEnough(fault, why);
      }
      case PasswordChange.Unavailable(String reason, boolean isSent) -> {
        admitted.undecided();
        throw unavailable(reason, isSent, key);
      }
    };
  }

  /** The sessions of a person whose password may be another one now end; those of others go on. */
  private DirectoryUnavailable unavailable(String reason, boolean isSent, String key) {
    if (!isSent) {
      ends.done(key);
    }
    return new DirectoryUnavailable(reason);
  }
}
