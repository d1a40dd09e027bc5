package dev.gatehouse.idp.reset;

import dev.gatehouse.common.db.PasswordResets.PasswordReset;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.directory.Password;
import dev.gatehouse.common.directory.PasswordChange;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.http.Cookies;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.authn.BrowserBinding;
import dev.gatehouse.idp.authn.LoginEndpoint;
import dev.gatehouse.idp.authn.PasswordChanges;
import dev.gatehouse.idp.authn.ThrottledForm;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.otp.StrongFactors;
import dev.gatehouse.idp.session.EndCause;
import dev.gatehouse.idp.session.IdpSessions;
import dev.gatehouse.idp.session.LoginContracts;
import dev.gatehouse.idp.totp.SecondFactor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The page behind the link of a mail. The token moves from the address into a cookie at once, so that it stands neither in the browser's
 * history nor in a Referer. Reading the page changes nothing, since programs that check mail open links; the form sets the password.
 */
public final class NewPasswordEndpoint implements Endpoint {

  static final String PATH = "password/reset";

  private static final String FORM = "new-password";
  private static final String COOKIE = "gh_reset.";

  /** A link that works, and whose it is. */
  private record Holder(PasswordReset reset, Person person, SessionToken browser, boolean needsCode) {}

  private final ResetLinks links;
  private final PasswordChanges passwords;
  private final SecondFactor secondFactor;
  private final StrongFactors factors;
  private final IdpSessions sessions;
  private final BrowserBinding browsers;
  private final Pages pages;
  private final Refusals refusals;

  public NewPasswordEndpoint(
      ResetLinks links,
      PasswordChanges passwords,
      SecondFactor secondFactor,
      StrongFactors factors,
      IdpSessions sessions,
      BrowserBinding browsers,
      Pages pages,
      Refusals refusals) {
    this.links = links;
    this.passwords = passwords;
    this.secondFactor = secondFactor;
    this.factors = factors;
    this.sessions = sessions;
    this.browsers = browsers;
    this.pages = pages;
    this.refusals = refusals;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    if (request.idp().contracts().passwordReset().isEmpty()) {
      return refusals.page(request, 404, "not-found", "PASSWORD_RESET_OFF");
    }
    Optional<SessionToken> carried =
        request.http().isGet() ? request.http().queryParameters().one("token").flatMap(SessionToken::parse) : Optional.empty();
    if (carried.isPresent()) {
      Duration life = request.idp().contracts().passwordReset().get().life();
      return EdgeReply.seeOther(request.here(PATH))
          .with("Set-Cookie", Cookies.set(request.origin(), cookie(request), carried.get().value(), life));
    }
    Optional<Holder> holder = holder(request);
    if (holder.isEmpty()) {
      return refusals.page(request, 400, "expired", "NO_SUCH_PASSWORD_RESET");
    }
    if (needsHelp(request, holder.get().person())) {
      return refusals.page(request, 403, "password-reset-refused", "PASSWORD_RESET_NEEDS_HELP_DESK");
    }
    return request.http().isGet() ? form(request, holder.get(), 200, Optional.empty()) : submit(request, holder.get());
  }

  private Optional<Holder> holder(RealmRequest request) {
    SessionToken browser = browsers.findOrCreate(request);
    return request
        .http()
        .cookie(Cookies.name(request.origin(), cookie(request)))
        .flatMap(token -> links.find(request, token))
        .flatMap(
            reset ->
                links
                    .person(request, reset)
                    .map(person -> new Holder(reset, person, browser, needsCode(request, reset, person, browser))));
  }

  private boolean needsCode(RealmRequest request, PasswordReset reset, Person person, SessionToken browser) {
    return LoginContracts.offersSecondStep(request)
        && secondFactor.isSetUp(request.realm().name(), person.id())
        && !reset.provedBy().equals(BrowserBinding.hash(browser));
  }

  /**
   * Returns whether the person has something stronger than a password, which this page cannot ask for: a passkey or a token. The mailbox
   * alone must not be enough then, and a help desk that knows the person resets the password.
   */
  private boolean needsHelp(RealmRequest request, Person person) {
    return LoginContracts.offersSecondStep(request)
        && !secondFactor.isSetUp(request.realm().name(), person.id())
        && factors.hasAny(request, person.id());
  }

  private EdgeReply submit(RealmRequest request, Holder holder) {
    Parameters fields = request.http().formParameters();
    if (browsers.find(request).isEmpty() || !CsrfToken.isIn(request.http(), holder.browser(), FORM)) {
      return form(request, holder, 403, Optional.of("password.wrong.form"));
    }
    byte[] replacement = fields.one("new").orElse("").getBytes(StandardCharsets.UTF_8);
    if (!fields.one("new").equals(fields.one("again"))) {
      return form(request, holder, 400, Optional.of("password.wrong.again"));
    }
    if (replacement.length == 0 || replacement.length > Password.MAX_BYTES) {
      return form(request, holder, 400, Optional.of("password.wrong.new"));
    }
    if (!holder.needsCode()) {
      return set(request, holder, replacement);
    }
    return switch (secondFactor.check(request, holder.person(), fields.one("code").orElse(""))) {
      case SecondFactor.Outcome.Accepted accepted -> set(request, proved(holder), replacement);
      case SecondFactor.Outcome.Refused() -> form(request, holder, 403, Optional.of("second.wrong.code"));
      case SecondFactor.Outcome.Locked() -> form(request, holder, 403, Optional.of("second.wrong.code"));
      case SecondFactor.Outcome.TwoCodesNeeded() -> form(request, holder, 403, Optional.of("second.wrong.two_codes"));
      case SecondFactor.Outcome.Throttled(Duration retryAfter) ->
          ThrottledForm.with(
              form(
                  request, holder, ThrottledForm.STATUS, Optional.of("login.wrong.throttled"), "",
                  Optional.of(retryAfter)),
              retryAfter);
    };
  }

  /** A code counts once, so that it is remembered for the next try in this browser. */
  private static Holder proved(Holder holder) {
    PasswordReset reset = ResetLinks.provedIn(holder.reset(), BrowserBinding.hash(holder.browser()));
    return new Holder(reset, holder.person(), holder.browser(), false);
  }

  private EdgeReply set(RealmRequest request, Holder holder, byte[] replacement) {
    if (!links.take(request, holder.reset())) {
      return refusals.page(request, 400, "expired", "PASSWORD_RESET_USED");
    }
    PasswordChanges.Result result;
    try {
      result = passwords.reset(request, holder.person().id(), replacement);
    } catch (DirectoryUnavailable e) {
      links.putBack(request, holder.reset());
      throw e;
    }
    return switch (result) {
      case PasswordChanges.Result.Changed(Person person, String ends) -> {
        EdgeReply reply = done(request, person);
        passwords.ended(ends);
        yield reply;
      }
      case PasswordChanges.Result.NotGoodEnough(PasswordChange.Fault fault, String why) -> {
        links.putBack(request, holder.reset());
        yield form(request, holder, 400, Optional.of("password-fault." + fault), why, Optional.empty());
      }
      case PasswordChanges.Result.WrongOld(), PasswordChanges.Result.Throttled _ ->
          refusals.page(request, 400, "expired", "PERSON_GONE");
    };
  }

  /** Ends all sessions; the person logs in with the new password, which proves that it is known. */
  private EdgeReply done(RealmRequest request, Person person) {
    sessions
        .ofPerson(request.realm().name(), person.id())
        .forEach(
            session -> sessions.endAndNotify(request.context(), session.realm(), session.id(), EndCause.PASSWORD_CHANGED));
    Map<String, Object> model = new HashMap<>();
    model.put("done", true);
    model.put("login", LoginEndpoint.address(request, Optional.empty()));
    return pages
        .render(request.http(), Optional.of(request.realm()), Page.of(200, "new-password", model))
        .with("Set-Cookie", Cookies.remove(request.origin(), cookie(request)));
  }

  private EdgeReply form(RealmRequest request, Holder holder, int status, Optional<String> wrong) {
    return form(request, holder, status, wrong, "", Optional.empty());
  }

  private EdgeReply form(
      RealmRequest request, Holder holder, int status, Optional<String> wrong, String why, Optional<Duration> retryAfter) {
    Map<String, Object> model = new HashMap<>();
    model.put("done", false);
    model.put("action", request.here(PATH));
    model.put("csrf", CsrfToken.of(holder.browser(), FORM));
    model.put("name", holder.person().name());
    model.put("code", holder.needsCode());
    model.put("wrong", wrong);
    model.put("why", why);
    retryAfter.ifPresent(wait -> ThrottledForm.addWait(model, wait));
    return browsers.keep(
        request,
        holder.browser(),
        pages.render(request.http(), Optional.of(request.realm()), Page.of(status, "new-password", model)));
  }

  private static String cookie(RealmRequest request) {
    return COOKIE + request.realm().name();
  }
}
