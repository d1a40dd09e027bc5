package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.otp.OwnPins;
import dev.gatehouse.idp.otp.PasscodeAttempt;
import dev.gatehouse.idp.otp.PasscodeCheck;
import dev.gatehouse.idp.otp.PasscodeChecks;
import dev.gatehouse.idp.otp.PasscodeResult;
import dev.gatehouse.idp.otp.PasscodeResult.Challenged;
import dev.gatehouse.idp.otp.PasscodeResult.Question;
import dev.gatehouse.idp.otp.PasscodeStoreUnavailable;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The form for PIN and code, and for what is asked after them: one field, and no script. */
public final class TokenPages {

  static final String FORM = "token";

  /** The name of the login page for challenges, with the hash of the browser that alone may answer. */
  private static final String CLIENT = "login";

  /**
   * What the form is for.
   *
   * @param action the form's address
   * @param name who logs in; empty if the person is to say so
   * @param links addresses beside the form, by their names in the page
   */
  record Form(String action, String name, boolean known, Optional<PendingSignOn> sought, Map<String, String> links) {}

  private final PasscodeChecks passcodes;
  private final Pages pages;

  TokenPages(PasscodeChecks passcodes, Pages pages) {
    this.passcodes = passcodes;
    this.pages = pages;
  }

  /** The first form. */
  EdgeReply show(RealmRequest request, SessionToken browser, Form form, int status, Optional<String> wrong) {
    return page(request, browser, form, status, wrong, Optional.empty());
  }

  /**
   * What the form for a first PIN shows beside the field of the PIN.
   *
   * @param isNeeded whether the person has no code to type
   * @param asked what the token is to answer, if the form was sent before
   * @param proposed a PIN that the person may take or not
   */
  record Response(boolean isNeeded, Optional<OwnPins.Asked> asked, Optional<String> proposed) {
    @Override
    public String toString() {
      return "Response[" + isNeeded + "]";
    }
  }

  /** The form for a first PIN, with a code or a response. */
  EdgeReply firstPin(RealmRequest request, SessionToken browser, Form form, int status, Optional<String> wrong, Response response) {
    TokenLogin.Pin pin = request.idp().contracts().token().orElse(TokenLogin.USUAL).pin();
    Map<String, Object> model = new HashMap<>();
    model.put("action", form.action());
    model.put("csrf", CsrfToken.of(browser, FORM));
    model.put("name", form.name());
    model.put("chosen", pin.chosenBy() != TokenLogin.ChosenBy.SERVER);
    model.put("proposed", response.proposed());
    model.put("byResponse", response.isNeeded());
    model.put("challenge", response.asked().map(OwnPins.Asked::reference));
    model.put("shown", response.asked().map(OwnPins.Asked::challenge));
    model.put("least", pin.least());
    model.put("most", pin.most());
    model.put("wrong", wrong);
    model.put("again", Optional.ofNullable(form.links().get("again")));
    return pages.render(request.http(), Optional.of(request.realm()), Page.of(status, "first-pin", model));
  }

  /** The first PIN of a person who does not choose it, shown once; then comes the form. */
  EdgeReply madePin(RealmRequest request, String pin, Form form) {
    return ShownOnce.page(pages, request, ShownOnce.What.SERVER_PIN, List.of(pin), form.name(), form.action());
  }

  /** After a report of a lost token: the login ends here. */
  EdgeReply lost(RealmRequest request, Form form) {
    Map<String, Object> model = new HashMap<>();
    model.put("isLost", true);
    model.put("known", true);
    model.put("name", form.name());
    model.put("again", Optional.ofNullable(form.links().get("again")));
    return pages.render(request.http(), Optional.of(request.realm()), Page.of(200, "token", model));
  }

  /** Passes on what was typed. Returns the person and token, or the next form. */
  Decided submit(RealmRequest request, SessionToken browser, Form form) {
    PasscodeCheck check = passcodes.of(request.realm()).orElseThrow();
    String client = CLIENT + ":" + BrowserBinding.hash(browser);
    String passcode = request.http().formParameters().one("passcode").orElse("");
    PasscodeAttempt attempt = new PasscodeAttempt(form.name(), passcode, client, request.http().client().getHostAddress());
    Optional<String> reference = request.http().formParameters().one("challenge").filter(key -> !key.isEmpty());
    try {
      PasscodeResult result = reference.map(key -> check.answer(key, attempt)).orElseGet(() -> check.check(attempt));
      return switch (result) {
        case PasscodeResult.Accepted accepted -> new Decided.Accepted(accepted);
        case PasscodeResult.Refused refused ->
            new Decided.Again(page(request, browser, form, 403, Optional.of("token.wrong"), Optional.empty()));
        case Challenged challenged ->
            new Decided.Again(page(request, browser, form, 200, Optional.empty(), Optional.of(challenged)));
      };
    } catch (PasscodeStoreUnavailable e) {
      return new Decided.Again(page(request, browser, form, 503, Optional.of(text(e)), Optional.empty()));
    }
  }

  /** Returns the name of what a person reads who gets no decision. A code that may have counted is not called uncounted. */
  public static String text(PasscodeStoreUnavailable undecided) {
    return undecided.isBusy() ? "token.busy" : undecided.mayHaveCounted() ? "token.unknown" : "token.unavailable";
  }

  /** What came of a form. */
  sealed interface Decided {
    record Accepted(PasscodeResult.Accepted result) implements Decided {}

    record Again(EdgeReply page) implements Decided {}
  }

  private EdgeReply page(
      RealmRequest request, SessionToken browser, Form form, int status, Optional<String> wrong, Optional<Challenged> asked) {
    TokenLogin.Pin pin = request.idp().contracts().token().orElse(TokenLogin.USUAL).pin();
    String question = asked.map(Challenged::question).map(Question::name).map(name -> name.toLowerCase(Locale.ROOT)).orElse("passcode");
    Map<String, Object> model = new HashMap<>();
    model.put("action", form.action());
    model.put("csrf", CsrfToken.of(browser, FORM));
    model.put("name", form.name());
    model.put("known", form.known() || asked.isPresent());
    model.put("question", "token." + question);
    model.put("hint", "token." + question + ".hint");
    model.put("least", pin.least());
    model.put("most", pin.most());
    model.put("challenge", asked.map(Challenged::reference));
    model.put("shown", asked.flatMap(Challenged::shown));
    model.put("shownText", "token." + question + ".shown");
    model.put("wrong", wrong);
    model.put("partner", form.sought().map(PendingSignOn::partner));
    model.put("isLost", false);
    model.put("lost", Optional.ofNullable(form.links().get("lost")));
    model.put("password", Optional.ofNullable(form.links().get("password")));
    model.put("again", Optional.ofNullable(form.links().get("again")));
    return pages.render(request.http(), Optional.of(request.realm()), Page.of(status, "token", model));
  }
}
