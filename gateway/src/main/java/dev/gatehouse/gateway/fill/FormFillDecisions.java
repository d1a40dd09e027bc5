package dev.gatehouse.gateway.fill;

import dev.gatehouse.common.realm.FormFillConfig;
import dev.gatehouse.common.realm.FormFillConfig.Source;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.sp.secret.AppSecrets;
import dev.gatehouse.sp.secret.AppSecrets.Stored;
import dev.gatehouse.sp.secret.SecretsLocation;
import dev.gatehouse.sp.secret.SecretsLocation.Why;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.SessionPasswords;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides how to handle a page that may contain a login form, and the app's response to the form. Blocks. */
public final class FormFillDecisions {

  private static final Logger LOG = LoggerFactory.getLogger(FormFillDecisions.class);

  /** The handling of a page. */
  public sealed interface Plan {
    /** The page is passed to the person unchanged. */
    record Pass() implements Plan {}

    /** The filled form is submitted. */
    record Submit(LoginForm form, LoginForm.Body body) implements Plan {}

    /** The person must first store or correct something. */
    record Ask(Why why) implements Plan {}
  }

  /**
   * The person who requests the page.
   *
   * @param token of the session, as the browser sent it
   * @param askedAt when the page was requested
   */
  public record Person(
      String route, FormFillConfig config, AppSession session, Optional<SessionToken> token, Instant askedAt) {
    @Override
    public String toString() {
      return route;
    }
  }

  /** A page as received. */
  public record Page(byte[] html, Optional<Charset> charset, PageAddress address) {}

  private static final Plan PASS = new Plan.Pass();

  private final AppSecrets secrets;
  private final SessionPasswords passwords;
  private final FormFillAttempts attempts;

  public FormFillDecisions(AppSecrets secrets, SessionPasswords passwords, InstantSource time) {
    this.secrets = secrets;
    this.passwords = passwords;
    this.attempts = new FormFillAttempts(time);
  }

  /** Decides how to handle a page that may contain the form. */
  public Plan plan(Person person, Page page) {
    return switch (new FormFinder(person.config()).find(page.html(), page.charset(), page.address())) {
      case FormFinder.Found.None none -> {
        seen(person);
        yield PASS;
      }
      case FormFinder.Found.Refused(FormFillReason reason) -> pass(person, reason);
      case FormFinder.Found.Form(LoginForm form) -> fill(person, form);
    };
  }

  private Plan fill(Person person, LoginForm form) {
    FormFillConfig config = person.config();
    AppSession session = person.session();
    List<String> wanted = config.stored();
    Map<String, Stored> stored =
        wanted.isEmpty() ? Map.of() : secrets.of(session.realm(), session.person(), config.app());
    if (!stored.keySet().containsAll(wanted)) {
      return new Plan.Ask(Why.MISSING);
    }
    Optional<Secret> password =
        config.needsPassword() ? person.token().flatMap(token -> passwords.of(session, token)) : Optional.empty();
    if (config.needsPassword() && password.isEmpty()) {
      return new Plan.Ask(Why.PASSWORD_UNKNOWN);
    }
    Instant changed =
        wanted.stream()
            .flatMap(name -> Optional.ofNullable(stored.get(name)).stream())
            .map(Stored::changedAt)
            .max(Instant::compareTo)
            .orElse(Instant.MIN);
    if (attempts.isBarred(session.id(), config.app(), changed, person.askedAt())) {
      log(person, FormFillReason.NOT_ACCEPTED);
      return new Plan.Ask(why(config));
    }
    if (attempts.times(session.id(), config.app()) >= config.perSession()) {
      return pass(person, FormFillReason.TOO_OFTEN);
    }
    Optional<LoginForm.Body> body = form.filled(source -> value(source, session, stored, password));
    if (body.isEmpty()) {
      return pass(person, FormFillReason.ATTRIBUTE_MISSING);
    }
    attempts.begun(session.id(), config.app());
    return new Plan.Submit(form, body.get());
  }

  private static Optional<String> value(
      Source source, AppSession session, Map<String, Stored> stored, Optional<Secret> password) {
    return switch (source) {
      case Source.User user -> Optional.of(session.account().user());
      case Source.Password wanted -> password.map(Secret::value);
      case Source.Stored(String name) -> Optional.ofNullable(stored.get(name)).map(Stored::value).map(Secret::value);
      case Source.Attribute(String name) -> {
        List<String> values = session.account().attributes().getOrDefault(name, List.of());
        yield values.size() == 1 ? Optional.of(values.getFirst()) : Optional.empty();
      }
      case Source.Literal(Secret text) -> Optional.of(text.value());
      case Source.Control control -> Optional.empty();
    };
  }

  /** Returns whether the response to the form says that it was not accepted: by the form again, or by the configured text. */
  public boolean isRefusal(Person person, Page answer) {
    FormFillConfig config = person.config();
    boolean saysNo =
        config.failure().text()
            .filter(text -> new String(answer.html(), answer.charset().orElse(StandardCharsets.UTF_8)).contains(text))
            .isPresent();
    return saysNo
        || config.post().isEmpty()
            && !(new FormFinder(config).find(answer.html(), answer.charset(), answer.address())
                instanceof FormFinder.Found.None);
  }

  /** Returns whether a status or a redirect means that the form was not accepted. */
  public static boolean isRefusal(FormFillConfig config, int status, Optional<String> location) {
    return status >= 400
        || config.failure().status().contains(status)
        || location.isPresent()
            && config.failure().location().filter(pattern -> Wildcard.matches(pattern, location.get())).isPresent();
  }

  /**
   * Records that the app did not accept the form. Returns the address to which the person is redirected.
   *
   * @param back the page with the form
   */
  public String refused(Person person, String back) {
    attempts.failed(person.session().id(), person.config().app());
    log(person, FormFillReason.NOT_ACCEPTED);
    return SecretsLocation.address(person.config().app(), why(person.config()), back);
  }

  /** Records that the app has answered a form. */
  public void answered(Person person) {
    attempts.answered(person.session().id(), person.config().app());
  }

  /** Records that a page of the app was seen that is not the form. */
  public void seen(Person person) {
    attempts.arrived(person.session().id(), person.config().app());
  }

  private static Why why(FormFillConfig config) {
    return config.stored().isEmpty() ? Why.PASSWORD_WRONG : Why.WRONG;
  }

  private static Plan pass(Person person, FormFillReason reason) {
    log(person, reason);
    return PASS;
  }

  private static void log(Person person, FormFillReason reason) {
    LOG.warn("The login form on route {} of app {} was not filled or not accepted: {}", person.route(),
        person.config().app(), reason);
  }
}
