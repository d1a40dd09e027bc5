package dev.gatehouse.idp.reset;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.realm.ContractsConfig.PasswordReset;
import dev.gatehouse.common.realm.ThrottleConfig;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.throttle.GuessThrottle;
import dev.gatehouse.common.throttle.GuessThrottle.Admission;
import dev.gatehouse.common.throttle.LoginNames;
import dev.gatehouse.idp.authn.BrowserBinding;
import dev.gatehouse.idp.authn.LoginEndpoint;
import dev.gatehouse.idp.authn.ThrottledForm;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.session.KnownDevices;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The form for people who forgot their password. What depends on the person happens after the answer, so that neither its text nor its
 * time tells whether the person exists.
 */
public final class ForgottenPasswordEndpoint implements Endpoint {

  private static final String FORM = "forgotten";

  /** Requests by name and by address in an hour; names are counted whether they exist or not. */
  private static final ThrottleConfig LIMITS = new ThrottleConfig(5, 30, Duration.ofHours(1));

  private final ResetLinks links;
  private final ResetTasks tasks;
  private final GuessThrottle throttle;
  private final KnownDevices devices;
  private final BrowserBinding browsers;
  private final Pages pages;
  private final Refusals refusals;

  ForgottenPasswordEndpoint(
      ResetLinks links,
      ResetTasks tasks,
      GuessThrottle throttle,
      KnownDevices devices,
      BrowserBinding browsers,
      Pages pages,
      Refusals refusals) {
    this.links = links;
    this.tasks = tasks;
    this.throttle = throttle;
    this.devices = devices;
    this.browsers = browsers;
    this.pages = pages;
    this.refusals = refusals;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    Optional<PasswordReset> allowed = request.idp().contracts().passwordReset();
    if (allowed.isEmpty()) {
      return refusals.page(request, 404, "not-found", "PASSWORD_RESET_OFF");
    }
    return request.http().isGet()
        ? form(request, 200, Optional.empty(), Optional.empty())
        : submit(request, allowed.get().life());
  }

  private EdgeReply submit(RealmRequest request, Duration life) {
    Parameters fields = request.http().formParameters();
    Optional<SessionToken> browser = browsers.find(request);
    if (browser.isEmpty() || !CsrfToken.isIn(request.http(), browser.get(), FORM)) {
      return form(request, 403, Optional.of("password.wrong.form"), Optional.empty());
    }
    String name = LoginNames.sought(fields.one("username").orElse(""));
    if (name.isEmpty()) {
      return form(request, 400, Optional.of("forgotten.wrong.name"), Optional.empty());
    }
    // Requests from elsewhere do not keep people from asking in a browser of theirs.
    return switch (throttle.admit(request.realm().name(), name, devices.guessSource(request, name), LIMITS)) {
      case Admission.Refused(boolean byAccount, Duration retryAfter) -> throttled(request, retryAfter);
      case Admission.Busy(Duration retryAfter) -> throttled(request, retryAfter);
      case Admission.Admitted admitted -> {
        admitted.failed();
        AuditEvent.Context context = request.context();
        tasks.add(() -> links.send(request, context, name, life));
        yield sent(request, life);
      }
    };
  }

  private EdgeReply throttled(RealmRequest request, Duration retryAfter) {
    return ThrottledForm.with(
        form(request, ThrottledForm.STATUS, Optional.of("forgotten.wrong.throttled"), Optional.of(retryAfter)), retryAfter);
  }

  private EdgeReply sent(RealmRequest request, Duration life) {
    Map<String, Object> model = model(request);
    model.put("sent", true);
    model.put("life", life.toMinutes());
    return pages.render(request.http(), Optional.of(request.realm()), Page.of(200, "forgotten", model));
  }

  private EdgeReply form(RealmRequest request, int status, Optional<String> wrong, Optional<Duration> retryAfter) {
    SessionToken browser = browsers.findOrCreate(request);
    Map<String, Object> model = model(request);
    model.put("sent", false);
    model.put("action", request.here(LoginEndpoint.FORGOTTEN));
    model.put("csrf", CsrfToken.of(browser, FORM));
    model.put("wrong", wrong);
    retryAfter.ifPresent(wait -> ThrottledForm.addWait(model, wait));
    return browsers.keep(
        request, browser, pages.render(request.http(), Optional.of(request.realm()), Page.of(status, "forgotten", model)));
  }

  private static Map<String, Object> model(RealmRequest request) {
    Map<String, Object> model = new HashMap<>();
    model.put("login", LoginEndpoint.address(request, Optional.empty()));
    return model;
  }
}
