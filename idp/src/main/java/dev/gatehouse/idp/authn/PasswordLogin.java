package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.authn.PasswordContract.Outcome;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.session.LoginContract;
import java.time.Duration;
import java.util.Optional;

/** A login by name and password, from the form or by HTTP Basic: verifies them, and continues after this first step. */
final class PasswordLogin {

  /** The result of one attempt. */
  sealed interface Attempt {

    /** The password was right; the reply leads to a session, to a second step or to a change of the password. */
    record Accepted(EdgeReply next) implements Attempt {}

    record Refused() implements Attempt {}

    record Throttled(Duration retryAfter) implements Attempt {}
  }

  private final PasswordContract contract;
  private final PasswordTasks tasks;
  private final LoginSteps steps;
  private final PasswordRelease release;

  PasswordLogin(PasswordContract contract, PasswordTasks tasks, LoginSteps steps, PasswordRelease release) {
    this.contract = contract;
    this.tasks = tasks;
    this.steps = steps;
    this.release = release;
  }

  /** @param by the contract that the login fulfils */
  Attempt attempt(
      RealmRequest request,
      LoginContract by,
      String name,
      String password,
      SessionToken browser,
      Optional<PendingSignOn> sought) {
    return switch (contract.authenticate(request, name, password, by)) {
      case Outcome.Accepted(var person) -> {
        release.keep(request, sought, browser, person.id(), password);
        yield new Attempt.Accepted(steps.passed(request, person, Optional.of(name), by, browser, sought));
      }
      case Outcome.MustChange(var person) ->
          new Attempt.Accepted(
              EdgeReply.seeOther(tasks.begin(request, person, browser, sought.map(PendingSignOn::key))));
      case Outcome.Refused() -> new Attempt.Refused();
      case Outcome.Throttled(var retryAfter) -> new Attempt.Throttled(retryAfter);
    };
  }
}
