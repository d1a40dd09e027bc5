package dev.gatehouse.idp.account;

import dev.gatehouse.common.db.SecondFactors;
import dev.gatehouse.common.db.SecondFactors.Factor;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.idp.authn.AuthenticatedPerson;
import dev.gatehouse.idp.authn.RecentLogin;
import dev.gatehouse.idp.authn.SetUpPages;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.otp.StrongFactors;
import dev.gatehouse.idp.session.AuthnLevel;
import dev.gatehouse.idp.session.IdpSessions;
import dev.gatehouse.idp.totp.Enrolments;
import dev.gatehouse.idp.totp.SecondFactor;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A person's authenticator apps and recovery codes. Each change needs a fresh proof: a code, or a recent login if the
 * person has no app yet. Otherwise anyone who finds a logged-in browser could lock its owner out.
 */
public final class SecondFactorEndpoint implements Endpoint {

  /** The path below {@code /realms/{realm}/}. */
  public static final String PATH = RecentLogin.APPS_PATH;

  private static final String FORM = "second-factor";
  private static final Set<String> DONE = Set.of("removed", "added");

  /** One app, as the page shows it. */
  private record Line(String id, String label, Instant createdAt, Optional<Instant> usedAt) {}

  private final IdpSessions sessions;
  private final RecentLogin recentLogin;
  private final SecondFactor secondFactor;
  private final StrongFactors factors;
  private final Enrolments enrolments;
  private final SetUpPages setUpPages;
  private final Pages pages;
  private final Refusals refusals;

  public SecondFactorEndpoint(
      IdpSessions sessions,
      RecentLogin recentLogin,
      SecondFactor secondFactor,
      StrongFactors factors,
      Enrolments enrolments,
      SetUpPages setUpPages,
      Pages pages,
      Refusals refusals) {
    this.sessions = sessions;
    this.recentLogin = recentLogin;
    this.secondFactor = secondFactor;
    this.factors = factors;
    this.enrolments = enrolments;
    this.setUpPages = setUpPages;
    this.pages = pages;
    this.refusals = refusals;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    if (request.idp().contracts().secondFactor() == ContractsConfig.SecondFactor.OFF) {
      return refusals.page(request, 404, "not-found", "SECOND_FACTOR_OFF");
    }
    return AuthenticatedPerson.onPage(
        sessions, refusals, request, FORM, me -> get(request, me), me -> post(request, me));
  }

  private EdgeReply get(RealmRequest request, AuthenticatedPerson mine) {
    return request
        .http()
        .queryParameters()
        .one("enrolment")
        .map(key -> showEnrolment(request, mine, key, 200, Optional.empty()))
        .orElseGet(() -> list(request, mine, 200, Optional.empty()));
  }

  private EdgeReply post(RealmRequest request, AuthenticatedPerson mine) {
    Parameters fields = request.http().formParameters();
    Optional<String> enrolment = request.http().queryParameters().one("enrolment");
    if (enrolment.isPresent()) {
      return confirm(request, mine, enrolment.get(), fields);
    }
    return switch (fields.one("action").orElse("")) {
      case "add" -> isSetUp(request, mine) ? proved(request, mine, fields, () -> addFurther(request, mine)) : addFirst(request, mine);
      case "remove" -> proved(request, mine, fields, () -> remove(request, mine, fields.one("factor").orElse("")));
      case "codes" -> proved(request, mine, fields, () -> newCodes(request, mine));
      default -> refusals.page(request, 400, "bad-request", "NO_SUCH_ACTION");
    };
  }

  private interface Change {
    EdgeReply make();
  }

  /** Makes the change if the code that accompanies it is correct. */
  private EdgeReply proved(RealmRequest request, AuthenticatedPerson mine, Parameters fields, Change change) {
    if (!isSetUp(request, mine)) {
      return EdgeReply.seeOther(request.here(PATH));
    }
    return switch (secondFactor.check(request, mine.session().snapshot().details(), fields.one("code").orElse(""))) {
      case SecondFactor.Outcome.Accepted accepted -> change.make();
      case SecondFactor.Outcome.Refused() -> list(request, mine, 403, Optional.of("second.wrong.code"));
      case SecondFactor.Outcome.Locked() -> list(request, mine, 403, Optional.of("second.wrong.code"));
      case SecondFactor.Outcome.TwoCodesNeeded() -> list(request, mine, 403, Optional.of("second.wrong.two_codes"));
      case SecondFactor.Outcome.Throttled(var retryAfter) ->
          list(request, mine, 429, Optional.of("login.wrong.throttled"))
              .with("Retry-After", Long.toString(Math.max(1, retryAfter.toSeconds())));
    };
  }

  private EdgeReply addFirst(RealmRequest request, AuthenticatedPerson mine) {
    if (secondFactor.needsConfirmation(request.realm().name(), mine.session().person())) {
      return refusals.page(request, 403, "second-factor-lost", "SECOND_FACTOR_UNCONFIRMED");
    }
    if (!recentLogin.isRecent(mine.session())) {
      return recentLogin.ask(request, RecentLogin.For.APPS, false);
    }
    // Whoever has a strong passkey or a token proves it first: a thief of the password must not add an app.
    if (factors.hasAny(request, mine.session().person())) {
      return recentLogin.isRecent(mine.session(), AuthnLevel.SECOND_FACTOR)
          ? addFurther(request, mine)
          : recentLogin.ask(request, RecentLogin.For.APPS, true);
    }
    return enrol(request, enrolments.beginFirst(request, mine.session().snapshot().details(), mine.browser()));
  }

  private EdgeReply addFurther(RealmRequest request, AuthenticatedPerson mine) {
    return enrol(request, enrolments.beginFurther(request, mine.session().snapshot().details(), mine.browser()));
  }

  private static EdgeReply enrol(RealmRequest request, String key) {
    return EdgeReply.seeOther(request.here(PATH) + "?enrolment=" + key);
  }

  private EdgeReply showEnrolment(RealmRequest request, AuthenticatedPerson mine, String key, int status, Optional<String> wrong) {
    return enrolments
        .find(request, mine.session().snapshot().details(), mine.browser(), key)
        .map(
            offer ->
                setUpPages.form(
                    request,
                    offer,
                    request.here(PATH) + "?enrolment=" + key,
                    CsrfToken.of(mine.token(), FORM),
                    mine.session().snapshot().details().name(),
                    status,
                    wrong))
        .orElseGet(() -> EdgeReply.seeOther(request.here(PATH)));
  }

  private EdgeReply confirm(RealmRequest request, AuthenticatedPerson mine, String key, Parameters fields) {
    String code = fields.one("code").orElse("");
    String label = fields.one("label").orElse("");
    return switch (enrolments.confirm(request, mine.session().snapshot().details(), mine.browser(), key, code, label)) {
      case Enrolments.Outcome.WrongCode() ->
          showEnrolment(request, mine, key, 403, Optional.of("set-up.wrong.code"));
      case Enrolments.Outcome.Gone() -> EdgeReply.seeOther(request.here(PATH));
      case Enrolments.Outcome.Done(var codes) ->
          codes.isEmpty()
              ? EdgeReply.seeOther(request.here(PATH) + "?done=added")
              : setUpPages.recoveryCodes(request, codes, request.here(PATH));
    };
  }

  private EdgeReply remove(RealmRequest request, AuthenticatedPerson mine, String factor) {
    if (mustKeep(request, mine)) {
      return list(request, mine, 403, Optional.of("second-factor.wrong.last"));
    }
    enrolments.remove(request, mine.session().snapshot().details(), factor);
    return EdgeReply.seeOther(request.here(PATH) + "?done=removed");
  }

  /** If a second factor is required, the last app cannot be removed until there is another. */
  private boolean mustKeep(RealmRequest request, AuthenticatedPerson mine) {
    return request.idp().contracts().secondFactor() == ContractsConfig.SecondFactor.REQUIRED
        && factors(request, mine).size() == 1;
  }

  private EdgeReply newCodes(RealmRequest request, AuthenticatedPerson mine) {
    return setUpPages.recoveryCodes(
        request, enrolments.makeRecoveryCodes(request, mine.session().snapshot().details()), request.here(PATH));
  }

  private boolean isSetUp(RealmRequest request, AuthenticatedPerson mine) {
    return secondFactor.isSetUp(request.realm().name(), mine.session().person());
  }

  private List<Factor> factors(RealmRequest request, AuthenticatedPerson mine) {
    return secondFactor.of(request.realm().name(), mine.session().person());
  }

  private EdgeReply list(RealmRequest request, AuthenticatedPerson mine, int status, Optional<String> wrong) {
    List<Factor> factors = factors(request, mine);
    Map<String, Object> model = new HashMap<>();
    model.put("action", request.here(PATH));
    model.put("account", request.here("account"));
    model.put("csrf", CsrfToken.of(mine.token(), FORM));
    model.put("wrong", wrong);
    model.put("done", request.http().queryParameters().one("done").filter(DONE::contains));
    model.put("factors", factors.stream().map(f -> new Line(f.id(), f.label(), f.createdAt(), f.usedAt())).toList());
    model.put("full", factors.size() >= SecondFactors.MAX_FACTORS);
    model.put("keep", mustKeep(request, mine));
    model.put("left", secondFactor.recoveryCodesLeft(request.realm().name(), mine.session().person()));
    return pages.render(request.http(), Optional.of(request.realm()), Page.of(status, "second-factor", model));
  }
}
