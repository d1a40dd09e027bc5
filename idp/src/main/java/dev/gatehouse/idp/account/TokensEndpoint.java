package dev.gatehouse.idp.account;

import dev.gatehouse.common.db.SecondFactors.Factor;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.idp.authn.AuthenticatedPerson;
import dev.gatehouse.idp.authn.RecentLogin;
import dev.gatehouse.idp.authn.PasswordContract;
import dev.gatehouse.idp.authn.ShownOnce;
import dev.gatehouse.idp.authn.TokenPages;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.otp.OwnPins;
import dev.gatehouse.idp.otp.OwnTokens;
import dev.gatehouse.idp.otp.PasscodeStoreUnavailable;
import dev.gatehouse.idp.otp.TokenEnrolments;
import dev.gatehouse.idp.session.AuthnEvent;
import dev.gatehouse.idp.session.AuthnLevel;
import dev.gatehouse.idp.session.IdpSessions;
import dev.gatehouse.idp.session.LoginContract;
import dev.gatehouse.idp.session.LoginContracts;
import dev.gatehouse.idp.totp.SecondFactor;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A person's tokens and PIN. Each change has its proof: a fresh login with all that the person has, PIN and code, two codes, or the
 * password where the token is lost. Whoever finds a logged-in browser can change nothing.
 */
public final class TokensEndpoint implements Endpoint {

  static final String PATH = RecentLogin.TOKENS_PATH;

  static final String FORM = "tokens";

  private static final Set<String> DONE = Set.of("enrolled", "pin", "resynchronised", "lost", "removed", "replaced");

  /** Time for the questions that follow a code until a login is there. */
  private static final Duration QUESTIONS = Duration.ofMinutes(5);

  /**
   * One token, as the page shows it.
   *
   * @param usable whether its clock or counter can be found again
   * @param challenges to whose responses it shows where it is; none if it shows codes without being asked
   */
  private record Line(
      String serial, String name, String state, boolean app, boolean own, boolean usable, List<String> challenges,
      Optional<Instant> usedAt) {}

  private final IdpSessions sessions;
  private final RecentLogin recentLogin;
  private final SecondFactor secondFactor;
  private final PasswordContract passwords;
  private final TokenEnrolments enrolments;
  private final OwnTokens tokens;
  private final Pages pages;
  private final Refusals refusals;

  public TokensEndpoint(
      IdpSessions sessions,
      RecentLogin recentLogin,
      SecondFactor secondFactor,
      PasswordContract passwords,
      TokenEnrolments enrolments,
      OwnTokens tokens,
      Pages pages,
      Refusals refusals) {
    this.sessions = sessions;
    this.recentLogin = recentLogin;
    this.secondFactor = secondFactor;
    this.passwords = passwords;
    this.enrolments = enrolments;
    this.tokens = tokens;
    this.pages = pages;
    this.refusals = refusals;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    if (!LoginContracts.offersToken(request)) {
      return refusals.page(request, 404, "not-found", "TOKENS_OFF");
    }
    return AuthenticatedPerson.onPage(
        sessions, refusals, request, FORM, me -> list(request, me, 200, Optional.empty()), me -> post(request, me));
  }

  private EdgeReply post(RealmRequest request, AuthenticatedPerson me) {
    Parameters fields = request.http().formParameters();
    Person person = person(me);
    String serial = field(fields, "token");
    try {
      return switch (field(fields, "action")) {
        case "add" -> add(request, me);
        case "change-pin" -> {
          Optional<String> made = tokens.serverPin(request, person.id());
          yield set(request, me, made, tokens.pins().change(request, person, typed(fields, made)));
        }
        case "first-pin" -> {
          Optional<String> made = tokens.serverPin(request, person.id());
          yield recentLogin.isRecent(me.session())
              ? set(request, me, made, tokens.pins().first(request, person, typed(fields, made)))
              : recentLogin.ask(request, RecentLogin.For.TOKENS, false);
        }
        case "resynchronise" -> {
          String first = field(fields, "first");
          yield after(request, me, "resynchronised", tokens.resynchronise(request, person, serial, first, field(fields, "second")));
        }
        case "lost" -> lost(request, me, serial, field(fields, "password"));
        case "remove" -> remove(request, me, serial);
        case "replace" -> {
          String first = field(fields, "first");
          yield withAll(
              request,
              me,
              () -> {
                String by = field(fields, "by");
                // Before codes are used up: until the former one has gone back, there are both.
                if (tokens.of(request, person).size() >= Tokens.MOST) {
                  return list(request, me, 403, Optional.of("tokens.wrong.full"));
                }
                return after(request, me, "replaced", tokens.replace(request, person, serial, by, first, field(fields, "second")));
              });
        }
        case "emergency" -> withAll(request, me, () -> emergency(request, me));
        default -> refusals.page(request, 400, "bad-request", "NO_SUCH_ACTION");
      };
    } catch (PasscodeStoreUnavailable e) {
      return list(request, me, 503, Optional.of(TokenPages.text(e)));
    }
  }

  /** After a login of the last ten minutes with more than a password. */
  private EdgeReply withAll(RealmRequest request, AuthenticatedPerson me, Supplier<EdgeReply> change) {
    return recentLogin.isRecent(me.session(), AuthnLevel.TOKEN) ? change.get() : recentLogin.ask(request, RecentLogin.For.TOKENS, true);
  }

  /**
   * Makes codes for a person who has just logged in with what the codes will stand in for, or with more. After a login with an emergency or
   * recovery code, whoever found a sheet of paper would print the next one.
   */
  private EdgeReply emergency(RealmRequest request, AuthenticatedPerson me) {
    if (me.session().passed().stream().noneMatch(event -> isByOwnMeans(request, me, event))) {
      return list(request, me, 403, Optional.of("tokens.wrong.emergency"));
    }
    if (!tokens.emergencyCodes().isFirst(request, person(me), field(request.http().formParameters(), "once"))) {
      return list(request, me, 409, Optional.of("tokens.wrong.made"));
    }
    List<String> codes = tokens.emergencyCodes().make(request, person(me));
    return codes.isEmpty()
        ? list(request, me, 403, Optional.of("tokens.wrong.not_accepted"))
        : ShownOnce.page(
            pages, request, ShownOnce.What.EMERGENCY_CODES, codes, person(me).name(), request.here(PATH),
            Optional.of(tokens.emergencyCodes().end()));
  }

  private boolean isByOwnMeans(RealmRequest request, AuthenticatedPerson me, AuthnEvent event) {
    return recentLogin.isRecent(event)
        && switch (event.contract()) {
          case PASSKEY, SYNCED_PASSKEY, SECURITY_KEY, TOTP -> true;
          case TOKEN -> tokens.wasUsed(request, person(me), event.at().minus(QUESTIONS), event.at().plusSeconds(1));
          case DIRECT, BASIC, GRANT, PASSWORD, CERTIFICATE, RECOVERY -> false;
        };
  }

  private static OwnPins.Typed typed(Parameters fields, Optional<String> made) {
    return new OwnPins.Typed(
        field(fields, "passcode"), field(fields, "challenge"), made.orElseGet(() -> field(fields, "pin")),
        made.orElseGet(() -> field(fields, "again")));
  }

  private EdgeReply set(RealmRequest request, AuthenticatedPerson me, Optional<String> made, OwnPins.Answer answer) {
    OwnTokens.Outcome outcome = answer.outcome();
    if (answer.asked().isPresent()) {
      boolean goesOn = outcome == OwnTokens.Outcome.RESPONSE_NEEDED;
      return list(request, me, goesOn ? 200 : 400, goesOn ? Optional.empty() : Optional.of(wrong(outcome)), answer.asked());
    }
    return made.isPresent() && outcome == OwnTokens.Outcome.DONE
        ? ShownOnce.page(pages, request, ShownOnce.What.SERVER_PIN, List.of(made.get()), person(me).name(), request.here(PATH))
        : after(request, me, "pin", outcome);
  }

  private EdgeReply add(RealmRequest request, AuthenticatedPerson me) {
    boolean strong = enrolments.hasSecondStep(request, me.session().person());
    if (!strong && secondFactor.needsConfirmation(request.realm().name(), me.session().person())) {
      return refusals.page(request, 403, "second-factor-lost", "SECOND_FACTOR_UNCONFIRMED");
    }
    if (!(strong ? recentLogin.isRecent(me.session(), AuthnLevel.TOKEN) : recentLogin.isRecent(me.session()))) {
      return recentLogin.ask(request, RecentLogin.For.TOKENS, strong);
    }
    if (tokens.of(request, person(me)).size() >= Tokens.MOST) {
      return list(request, me, 403, Optional.of("tokens.wrong.full"));
    }
    return EdgeReply.seeOther(TokenSetUpEndpoint.address(request, enrolments.begin(request, person(me), me.browser(), strong)));
  }

  private EdgeReply lost(RealmRequest request, AuthenticatedPerson me, String serial, String password) {
    return switch (passwords.authenticate(request, person(me).name(), password, LoginContract.PASSWORD)) {
      case PasswordContract.Outcome.Accepted(Person proved) when proved.id().equals(me.session().person()) ->
          after(request, me, "lost", tokens.lost(request, person(me), serial));
      case PasswordContract.Outcome.Throttled(var retryAfter) ->
          list(request, me, 429, Optional.of("login.wrong.throttled"))
              .with("Retry-After", Long.toString(Math.max(1, retryAfter.toSeconds())));
      case PasswordContract.Outcome other -> list(request, me, 403, Optional.of("tokens.wrong.password"));
    };
  }

  private EdgeReply remove(RealmRequest request, AuthenticatedPerson me, String serial) {
    if (!recentLogin.isRecent(me.session(), AuthnLevel.TOKEN)) {
      return recentLogin.ask(request, RecentLogin.For.TOKENS, true);
    }
    if (mustKeep(request, me, serial)) {
      return list(request, me, 403, Optional.of("tokens.wrong.last"));
    }
    return after(request, me, "removed", tokens.remove(request, person(me), serial));
  }

  /** If a second factor is required, the last one cannot be removed: the next login would set one up with a password alone. */
  private boolean mustKeep(RealmRequest request, AuthenticatedPerson me, String serial) {
    return request.idp().contracts().secondFactor() == ContractsConfig.SecondFactor.REQUIRED
        && !secondFactor.isSetUp(request.realm().name(), me.session().person())
        && tokens.of(request, person(me)).stream()
            .noneMatch(token -> !token.serial().equals(serial) && tokens.isOfUse(request, person(me), token));
  }

  private EdgeReply after(RealmRequest request, AuthenticatedPerson me, String done, OwnTokens.Outcome outcome) {
    return switch (outcome) {
      case DONE -> EdgeReply.seeOther(request.here(PATH) + "?done=" + done);
      case PIN_NOT_ALLOWED, PINS_DIFFER -> list(request, me, 400, Optional.of(wrong(outcome)));
      case NOT_ACCEPTED, NEXT_CODE_NEEDED, TWO_CODES_NEEDED, RESPONSE_NEEDED -> list(request, me, 403, Optional.of(wrong(outcome)));
    };
  }

  private static String wrong(OwnTokens.Outcome outcome) {
    return "tokens.wrong." + outcome.name().toLowerCase(Locale.ROOT);
  }

  private EdgeReply list(RealmRequest request, AuthenticatedPerson me, int status, Optional<String> wrong) {
    return list(request, me, status, wrong, Optional.empty());
  }

  private EdgeReply list(
      RealmRequest request, AuthenticatedPerson me, int status, Optional<String> wrong, Optional<OwnPins.Asked> asked) {
    TokenLogin.Pin rules = request.idp().contracts().token().orElseThrow().pin();
    List<Token> mine = tokens.of(request, person(me));
    Map<String, Object> model = new HashMap<>();
    model.put("action", request.here(PATH));
    model.put("account", request.here("account"));
    model.put("csrf", CsrfToken.of(me.token(), FORM));
    model.put("wrong", wrong);
    model.put("done", request.http().queryParameters().one("done").filter(DONE::contains));
    Map<String, String> apps =
        secondFactor.of(request.realm().name(), me.session().person()).stream().collect(Collectors.toMap(Factor::id, Factor::label));
    model.put("tokens", mine.stream().map(token -> line(request, token, apps)).toList());
    boolean managesApps = request.idp().contracts().secondFactor() != ContractsConfig.SecondFactor.OFF;
    model.put("apps", managesApps ? Optional.of(request.here(SecondFactorEndpoint.PATH)) : Optional.empty());
    model.put("others", mine.stream().anyMatch(token -> token.type().kind() != TokenType.Kind.APP));
    model.put("full", mine.size() >= Tokens.MOST);
    model.put("hasPin", tokens.hasPin(request, person(me)));
    model.put("chosen", rules.chosenBy() != TokenLogin.ChosenBy.SERVER);
    model.put("proposed", tokens.pins().proposed(request));
    model.put("byResponse", tokens.pins().isByResponse(request, person(me)));
    model.put("challenge", asked.map(OwnPins.Asked::reference));
    model.put("shown", asked.map(OwnPins.Asked::challenge));
    model.put("once", tokens.emergencyCodes().formKey());
    model.put("least", rules.least());
    model.put("most", rules.most());
    return pages.render(request.http(), Optional.of(request.realm()), Page.of(status, "tokens", model));
  }

  private Line line(RealmRequest request, Token token, Map<String, String> apps) {
    String state = token.state().name().toLowerCase(Locale.ROOT);
    boolean app = token.type().kind() == TokenType.Kind.APP;
    String label = apps.getOrDefault(token.serial(), "");
    boolean usable = token.state() == Token.State.ENABLED && OwnTokens.isResynchronised(token);
    return new Line(
        token.serial(), label.isBlank() ? token.serial() : label, state, app, tokens.isOwn(token), usable,
        usable ? tokens.challenges(request, token) : List.of(), token.usedAt());
  }

  private static Person person(AuthenticatedPerson me) {
    return me.session().snapshot().details();
  }

  private static String field(Parameters fields, String name) {
    return fields.one(name).orElse("");
  }
}
