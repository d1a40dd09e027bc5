package dev.gatehouse.gateway.console;

import dev.gatehouse.common.admin.PersonLogins.Provider;
import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.SameOrigin;
import dev.gatehouse.common.node.Node.AdminLogin;
import dev.gatehouse.gateway.admin.web.AdminKeyCheck;
import dev.gatehouse.gateway.admin.web.AdminKeyCheck.Verdict;
import dev.gatehouse.gateway.admin.web.AdminSessions;
import dev.gatehouse.gateway.admin.web.AdministratorPeople;
import dev.gatehouse.gateway.administrator.SetUpLink;
import dev.gatehouse.gateway.console.PendingLogin.SetUpClaim;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code /console/set-up}: takes the code of the set-up link and the name of a person of the directory, who then logs in. A script puts
 * the code from the address into the form and out of the address; without script it is typed in.
 */
final class SetUpEndpoint {

  /** The script of the page, which contains exactly the same text. */
  static final String SCRIPT =
      "if (location.hash) { document.getElementById('code').value = location.hash.substring(1);"
          + " history.replaceState(null, '', location.pathname); }";

  private static final String POLICY = "Content-Security-Policy";

  private final AdministratorPeople people;
  private final FirstAdministrator first;
  private final PendingLogins pendings;
  private final AdminKeyCheck guesses;
  private final ConsolePages pages;

  SetUpEndpoint(
      AdministratorPeople people, FirstAdministrator first, PendingLogins pendings, AdminKeyCheck guesses, ConsolePages pages) {
    this.people = people;
    this.first = first;
    this.pendings = pendings;
    this.guesses = guesses;
    this.pages = pages;
  }

  EdgeReply answer(EdgeRequest request) {
    Optional<AdminLogin> login = people.login();
    if (login.isEmpty()) {
      return EdgeReply.seeOther(Address.LOGIN);
    }
    if (request.isGet()) {
      return page(request, 200, "", 0);
    }
    if (!request.method().equals("POST") || !SameOrigin.sent(request)) {
      return page(request, 403, "foreign", 0);
    }
    Optional<String> code = field(request, "code");
    Optional<String> name = field(request, "person");
    if (code.isEmpty() || name.isEmpty()) {
      return page(request, 400, "missing", 0);
    }
    return first.isCode(code.get()) ? begin(request, login.get(), code.get(), name.get()) : wrong(request);
  }

  private static Optional<String> field(EdgeRequest request, String name) {
    return request.formParameters().one(name).map(String::strip).filter(value -> !value.isEmpty());
  }

  /** A right code is taken at any time; wrong ones are slowed, for the log's sake. */
  private EdgeReply wrong(EdgeRequest request) {
    return switch (guesses.refuse(request.client(), "ADMINISTRATOR_SET_UP_CODE_UNKNOWN")) {
      case Verdict.TooMany(Duration retryAfter, boolean atOnce) -> {
        long seconds = Math.max(1, retryAfter.toSeconds());
        yield page(request, 429, "throttled", seconds).with("Retry-After", String.valueOf(seconds));
      }
      case Verdict.NotAudited unavailable -> page(request, 503, "unavailable", 0);
      case Verdict.Wrong wrong -> page(request, 403, "wrong", 0);
      case Verdict.Right right -> page(request, 403, "wrong", 0);
    };
  }

  /** Only who has the code learns whether there is such a person. */
  private EdgeReply begin(EdgeRequest request, AdminLogin login, String code, String name) {
    Optional<Provider> provider = people.logins().provider(login.realm());
    if (provider.isEmpty()) {
      return page(request, 503, "provider", 0);
    }
    Optional<Person> person = people.logins().find(login.realm(), name);
    if (person.isEmpty()) {
      return page(request, 400, "person", 0);
    }
    SetUpClaim claim = new SetUpClaim(person.get().id().value(), SetUpLink.digest(code));
    PendingLogin pending = pendings.create(Address.CONSOLE, false, AdminSessions.token(request), Optional.of(claim));
    String url = pending.authorizationUrl(provider.get(), login, Optional.of(person.get().name()));
    return pendings.keep(pages.leave(request, url), pending, PersonLoginEndpoint.isSecure(login, request));
  }

  private EdgeReply page(EdgeRequest request, int status, String wrong, long seconds) {
    return scripted(pages.open(request, status, "console-set-up", Map.of("wrong", wrong, "seconds", seconds)));
  }

  /** Allows exactly the page's script (CSP Level 3, section 6.7.2.3). */
  private static EdgeReply scripted(EdgeReply page) {
    String source = "; script-src 'sha256-" + Base64.getEncoder().encodeToString(Sha256.of(SCRIPT)) + "'";
    List<Headers.Field> fields =
        page.headers().fields().stream()
            .map(field -> field.name().equals(POLICY) ? new Headers.Field(POLICY, field.value() + source) : field)
            .toList();
    return new EdgeReply(page.status(), Headers.of(fields), page.body());
  }
}
