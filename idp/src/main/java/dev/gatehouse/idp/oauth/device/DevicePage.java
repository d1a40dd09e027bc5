package dev.gatehouse.idp.oauth.device;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.throttle.GuessThrottle;
import dev.gatehouse.common.throttle.GuessThrottle.Admission;
import dev.gatehouse.idp.authn.AuthenticatedPerson;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.idp.authn.PendingRequests;
import dev.gatehouse.idp.authn.ThrottledForm;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.session.IdpSessions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The page for a person with a device (RFC 8628, section 3.3). A logged-in person enters the code, sees the client that
 * asks, and agrees or refuses. A code in the address is filled in, but the person must still submit it (section 5.4).
 */
final class DevicePage implements Endpoint {

  static final String PATH = "device";

  private static final String ENTRY = "device";
  private static final String MESSAGE = "device authorization";

  private final IdpSessions sessions;
  private final DeviceSignOns signOns;
  private final PendingRequests<DeviceConfirmation> pendingRequests;
  private final DeviceCodes codes;
  private final DeviceQuestion question;
  private final GuessThrottle throttle;
  private final Pages pages;
  private final Refusals refusals;

  DevicePage(
      IdpSessions sessions,
      DeviceSignOns signOns,
      PendingRequests<DeviceConfirmation> pendingRequests,
      DeviceCodes codes,
      DeviceQuestion question,
      GuessThrottle throttle,
      Pages pages,
      Refusals refusals) {
    this.sessions = sessions;
    this.signOns = signOns;
    this.pendingRequests = pendingRequests;
    this.codes = codes;
    this.question = question;
    this.throttle = throttle;
    this.pages = pages;
    this.refusals = refusals;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    Parameters query = request.http().queryParameters();
    Optional<String> code = query.one("user_code");
    Optional<AuthenticatedPerson> me = AuthenticatedPerson.of(sessions, request);
    if (me.isEmpty()) {
      return signOns.login(request, code.flatMap(UserCode::parse));
    }
    Optional<String> confirm = query.one("confirm");
    if (confirm.isPresent()) {
      return question.handle(request, me.get(), confirm.get());
    }
    return request.http().isGet()
        ? entry(request, me.get(), 200, code.flatMap(UserCode::parse).map(UserCode::shown).orElse(""), Optional.empty())
        : enter(request, me.get());
  }

  private EdgeReply enter(RealmRequest request, AuthenticatedPerson me) {
    Parameters fields = request.http().formParameters();
    String typed = fields.one("user_code").orElse("");
    if (!CsrfToken.isIn(request.http(), me.token(), ENTRY)) {
      return entry(request, me, 403, "", Optional.of("login.wrong.form"));
    }
    // Counted separately from second factors. A correct code returns its permit but does not clear earlier failures: an
    // attacker can get any number of codes of their own, which would otherwise pay for guesses at other people's codes.
    Admission admission =
        throttle.admitCode(
            request.realm().name(),
            "device " + me.session().person().value(),
            request.http().client(),
            request.idp().throttle());
    return switch (admission) {
      case Admission.Refused(boolean byAccount, Duration retryAfter) -> throttled(request, me, typed, retryAfter);
      case Admission.Busy(Duration retryAfter) -> throttled(request, me, typed, retryAfter);
      case Admission.Admitted admitted -> {
        Optional<DeviceCodes.Found> found = UserCode.parse(typed).flatMap(code -> codes.find(request, code));
        if (found.isEmpty()) {
          admitted.failed();
          refusals.clientAnswered(request, "-", MESSAGE, "USER_CODE_UNKNOWN", "");
          yield entry(request, me, 403, typed, Optional.of("device.wrong.code"));
        }
        admitted.undecided();
        yield pendingRequests.at(
            request,
            new DeviceConfirmation(found.get().key(), me.session().person()),
            Optional.empty(),
            key -> DeviceQuestion.address(request, key));
      }
    };
  }

  private EdgeReply throttled(RealmRequest request, AuthenticatedPerson me, String typed, Duration retryAfter) {
    Map<String, Object> model = model(request, me, typed, Optional.of("login.wrong.throttled"));
    ThrottledForm.addWait(model, retryAfter);
    return ThrottledForm.with(render(request, ThrottledForm.STATUS, "device", model), retryAfter);
  }

  private EdgeReply entry(RealmRequest request, AuthenticatedPerson me, int status, String code, Optional<String> wrong) {
    return render(request, status, "device", model(request, me, code, wrong));
  }

  private static Map<String, Object> model(RealmRequest request, AuthenticatedPerson me, String code, Optional<String> wrong) {
    Map<String, Object> model = new HashMap<>();
    model.put("action", request.here(PATH));
    model.put("csrf", CsrfToken.of(me.token(), ENTRY));
    model.put("code", code);
    model.put("person", me.session().snapshot().details().name());
    model.put("wrong", wrong);
    return model;
  }

  private EdgeReply render(RealmRequest request, int status, String template, Map<String, Object> model) {
    return pages.render(request.http(), Optional.of(request.realm()), Page.of(status, template, model));
  }
}
