package dev.gatehouse.idp.authn;

import dev.gatehouse.common.directory.Password;
import dev.gatehouse.common.directory.PasswordChange;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.session.EndCause;
import dev.gatehouse.idp.session.IdpSessions;
import dev.gatehouse.idp.session.LoginContract;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Change of password: requested on the account page, or, with {@code task}, demanded by the directory before a login is
 * complete. Both ask for the old password, and a wrong one counts as a guess.
 */
public final class PasswordEndpoint implements Endpoint {

  private static final String FORM = "password";

  /**
   * The account whose password changes, and the continuation.
   *
   * @param task present if a login waits for the change
   */
  private record Change(String name, Optional<String> task, Optional<PasswordTask> waiting) {}

  private final IdpSessions sessions;
  private final BrowserBinding browsers;
  private final PasswordTasks tasks;
  private final PendingSignOns waiting;
  private final LoginSteps steps;
  private final PasswordChanges passwords;
  private final Pages pages;
  private final Refusals refusals;

  public PasswordEndpoint(
      IdpSessions sessions,
      BrowserBinding browsers,
      PasswordTasks tasks,
      PendingSignOns waiting,
      LoginSteps steps,
      PasswordChanges passwords,
      Pages pages,
      Refusals refusals) {
    this.sessions = sessions;
    this.browsers = browsers;
    this.tasks = tasks;
    this.waiting = waiting;
    this.steps = steps;
    this.passwords = passwords;
    this.pages = pages;
    this.refusals = refusals;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    Optional<String> key = request.http().queryParameters().one("task");
    Optional<PasswordTask> task = key.flatMap(k -> tasks.find(request, k));
    if (key.isPresent() && task.isEmpty()) {
      return refusals.page(request, 400, "expired", "NO_SUCH_PASSWORD_TASK");
    }
    Optional<String> name =
        task.map(PasswordTask::loginName).or(() -> sessions.current(request).map(s -> s.snapshot().details().name()));
    if (name.isEmpty()) {
      return EdgeReply.seeOther(LoginEndpoint.address(request, Optional.empty()));
    }
    Change change = new Change(name.get(), key, task);
    return request.http().isGet() ? form(request, change, 200, Optional.empty(), "") : submit(request, change);
  }

  private EdgeReply submit(RealmRequest request, Change change) {
    Parameters fields = request.http().formParameters();
    Optional<SessionToken> browser = browsers.find(request);
    if (browser.isEmpty()) {
      return refusals.page(request, 403, "cross-site", "NO_BROWSER_BINDING");
    }
    if (!CsrfToken.isIn(request.http(), browser.get(), FORM)) {
      return form(request, change, 403, Optional.of("password.wrong.form"), "");
    }
    byte[] old = bytes(fields, "old");
    byte[] replacement = bytes(fields, "new");
    if (!fields.one("new").equals(fields.one("again"))) {
      return form(request, change, 400, Optional.of("password.wrong.again"), "");
    }
    if (replacement.length == 0 || replacement.length > Password.MAX_BYTES || fields.one("new").equals(fields.one("old"))) {
      return form(request, change, 400, Optional.of("password.wrong.new"), "");
    }
    if (old.length == 0 || old.length > Password.MAX_BYTES) {
      return form(request, change, 403, Optional.of("password.wrong.old"), "");
    }
    return switch (passwords.change(request, change.name(), old, replacement)) {
      case PasswordChanges.Result.Changed(Person person, String ends) -> {
        EdgeReply reply = finish(request, change, person, browser.get());
        passwords.ended(ends);
        yield reply;
      }
      case PasswordChanges.Result.Throttled(Duration retryAfter) ->
          ThrottledForm.with(
              form(
                  request, change, ThrottledForm.STATUS, Optional.of("password.wrong.throttled"), "",
                  Optional.of(retryAfter)),
              retryAfter);
      case PasswordChanges.Result.WrongOld() -> form(request, change, 403, Optional.of("password.wrong.old"), "");
      case PasswordChanges.Result.NotGoodEnough(PasswordChange.Fault fault, String why) ->
          form(request, change, 400, Optional.of("password-fault." + fault), why);
    };
  }

  /** The person has just authenticated: opens a new session, and ends every other session under the old password. */
  private EdgeReply finish(RealmRequest request, Change change, Person person, SessionToken browser) {
    if (change.task().isPresent() && !tasks.finish(change.task().get())) {
      return refusals.page(request, 400, "expired", "PASSWORD_TASK_REPLAYED");
    }
    // In a session, contracts passed there before remain valid; before a session, a second step may have to follow.
    Optional<IdpSessions.Opened> renewed =
        change.task().isPresent()
            ? Optional.empty()
            : sessions
                .current(request)
                .filter(mine -> mine.person().equals(person.id()))
                .flatMap(mine -> sessions.raise(request, mine, steps.event(request, LoginContract.PASSWORD)));
    sessions.ofPerson(request.realm().name(), person.id()).stream()
        .filter(other -> renewed.filter(mine -> mine.session().id().equals(other.id())).isEmpty())
        .forEach(other -> sessions.endAndNotify(request.context(), other.realm(), other.id(), EndCause.PASSWORD_CHANGED));
    Optional<PendingSignOn> sought =
        change.waiting().flatMap(PasswordTask::pending).flatMap(key -> waiting.find(request, key));
    return renewed
        .map(
            opened -> opened.to(request.here("account") + "?done=password"))
        .orElseGet(() -> steps.passed(request, person, LoginContract.PASSWORD, browser, sought));
  }

  private EdgeReply form(RealmRequest request, Change change, int status, Optional<String> wrong, String why) {
    return form(request, change, status, wrong, why, Optional.empty());
  }

  private EdgeReply form(
      RealmRequest request,
      Change change,
      int status,
      Optional<String> wrong,
      String why,
      Optional<Duration> retryAfter) {
    SessionToken browser = browsers.findOrCreate(request);
    Map<String, Object> model = new HashMap<>();
    model.put("action", request.here("password") + change.task().map(key -> "?task=" + key).orElse(""));
    model.put("csrf", CsrfToken.of(browser, FORM));
    model.put("name", change.name());
    model.put("demanded", change.task().isPresent());
    model.put("account", request.here("account"));
    model.put("wrong", wrong);
    retryAfter.ifPresent(wait -> ThrottledForm.addWait(model, wait));
    model.put("why", why);
    return browsers.keep(
        request,
        browser,
        pages.render(request.http(), Optional.of(request.realm()), Page.of(status, "password", model)));
  }

  private static byte[] bytes(Parameters fields, String name) {
    return fields.one(name).orElse("").getBytes(StandardCharsets.UTF_8);
  }
}
