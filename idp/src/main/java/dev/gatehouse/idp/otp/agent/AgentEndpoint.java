package dev.gatehouse.idp.otp.agent;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.codec.JsonText;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.OAuthReplies;
import dev.gatehouse.idp.oauth.client.AuthenticatedClient;
import dev.gatehouse.idp.oauth.client.ClientAuthentications;
import dev.gatehouse.idp.otp.PasscodeAttempt;
import dev.gatehouse.idp.otp.PasscodeCheck;
import dev.gatehouse.idp.otp.PasscodeChecks;
import dev.gatehouse.idp.otp.PasscodeResult;
import dev.gatehouse.idp.otp.PasscodeResult.Accepted;
import dev.gatehouse.idp.otp.PasscodeResult.Challenged;
import dev.gatehouse.idp.otp.PasscodeResult.Question;
import dev.gatehouse.idp.otp.PasscodeResult.Reason;
import dev.gatehouse.idp.otp.PasscodeResult.Refused;
import dev.gatehouse.idp.otp.PasscodeStoreUnavailable;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Authentications for agents: {@code POST otp/v1/authentications} with {@code name}, {@code passcode}, and {@code challenge} if it answers
 * one. An agent is an OAuth client with the permission; it authenticates as at the token endpoint, by a certificate or a signed assertion
 * that counts once, and never by a secret. Why a passcode does not count is in the audit log only.
 */
final class AgentEndpoint implements Endpoint {

  static final String PATH = "otp/v1/authentications";

  private static final String CONTRACT = "agent";
  private static final Set<Method> PROVED = Set.of(Method.PRIVATE_KEY_JWT, Method.TLS, Method.SELF_SIGNED_TLS);
  private static final int LONGEST_NAME = 256;
  private static final int LONGEST_ADDRESS = 64;

  private final ClientAuthentications authentications;
  private final PasscodeChecks passcodes;
  private final AgentRates rates;
  private final OAuthReplies replies;
  private final AuditLog audit;

  AgentEndpoint(
      ClientAuthentications authentications, PasscodeChecks passcodes, AgentRates rates, OAuthReplies replies, AuditLog audit) {
    this.authentications = authentications;
    this.passcodes = passcodes;
    this.rates = rates;
    this.replies = replies;
    this.audit = audit;
  }

  /** What an agent asks, once it is known who asks. */
  private record Asked(String agent, ClientConfig.Passcodes rights, PasscodeAttempt attempt, Optional<String> challenge) {}

  @Override
  public EdgeReply handle(RealmRequest request) {
    Optional<PasscodeCheck> check = passcodes.of(request.realm());
    if (check.isEmpty()) {
      return replies.refused(request, "-", OAuthError.of(Code.INVALID_REQUEST, "This realm takes no tokens: idp.contracts.token is not configured"));
    }
    Result<EdgeReply, OAuthError> answer =
        form(request)
            .then(
                form ->
                    authentications
                        .authenticate(request, form)
                        .then(client -> asked(client, form)))
            .then(asked -> limited(request, asked))
            .then(asked -> Result.accepted(answer(request, check.get(), asked)));
    return switch (answer) {
      case Result.Accepted(EdgeReply reply) -> reply;
      case Result.Refused(var error) -> replies.refused(request, "-", error);
    };
  }

  /** Parameters in the query are ignored: addresses stand in logs. */
  private static Result<Parameters, OAuthError> form(RealmRequest request) {
    if (!request.http().isForm()) {
      return OAuthError.refused(Code.INVALID_REQUEST, "The body has to be application/x-www-form-urlencoded");
    }
    Parameters form = request.http().formParameters();
    Set<String> names = new HashSet<>();
    return form.all().stream()
        .filter(parameter -> !names.add(parameter.name()))
        .findFirst()
        .<Result<Parameters, OAuthError>>map(
            twice -> OAuthError.refused(Code.INVALID_REQUEST, "The parameter " + twice.name() + " occurs more than once"))
        .orElseGet(() -> Result.accepted(form));
  }

  private static Result<Asked, OAuthError> asked(AuthenticatedClient client, Parameters form) {
    Optional<ClientConfig.Passcodes> rights = client.client().config().permissions().passcodes();
    if (rights.isEmpty() || !PROVED.contains(client.method())) {
      return OAuthError.refused(Code.UNAUTHORIZED_CLIENT, "The client may not ask about passcodes: it has no passcodes section");
    }
    Optional<String> name = value(form, "name").filter(text -> isPlain(text, LONGEST_NAME));
    Optional<String> passcode = value(form, "passcode");
    String address = value(form, "address").orElse("");
    if (name.isEmpty() || passcode.isEmpty()) {
      String problem = (name.isEmpty() ? "name" : "passcode") + " is missing, or not plain text of the allowed length";
      return OAuthError.refused(Code.INVALID_REQUEST, "The parameter " + problem);
    }
    if (!isPlain(address, LONGEST_ADDRESS)) {
      return OAuthError.refused(Code.INVALID_REQUEST, "The parameter address is not plain text of up to " + LONGEST_ADDRESS + " characters");
    }
    Set<String> roles = rights.get().roles();
    PasscodeAttempt attempt =
        new PasscodeAttempt(name.get(), passcode.get(), "agent:" + client.client().id(), address, person -> admits(roles, person));
    return Result.accepted(new Asked(client.client().id(), rights.get(), attempt, value(form, "challenge")));
  }

  private static Optional<String> value(Parameters form, String name) {
    return form.one(name).filter(value -> !value.isBlank());
  }

  private static boolean isPlain(String text, int longest) {
    return text.length() <= longest && text.chars().noneMatch(Character::isISOControl);
  }

  private Result<Asked, OAuthError> limited(RealmRequest request, Asked asked) {
    return rates.admits(request.realm().name(), asked.agent(), asked.rights().perSecond())
        ? Result.accepted(asked)
        : new Result.Refused<>(
            OAuthError.slowed(
                Code.TEMPORARILY_UNAVAILABLE, "The client asks more often than its passcodes.perSecond allows", Duration.ofSeconds(1)));
  }

  private EdgeReply answer(RealmRequest request, PasscodeCheck check, Asked asked) {
    PasscodeResult result;
    try {
      result = asked.challenge().map(key -> check.answer(key, asked.attempt())).orElseGet(() -> check.check(asked.attempt()));
    } catch (PasscodeStoreUnavailable e) {
      return replies.refused(
          request, asked.agent(), OAuthError.of(Code.TEMPORARILY_UNAVAILABLE, "The passcode could not be checked, and was not counted"));
    }
    JsonText json =
        switch (result) {
          case Accepted(Person person, String token) ->
              new JsonText().text("result", "accept").text("sub", person.id().value()).text("name", person.name());
          case Refused(Reason reason) -> {
            if (reason == Reason.NOT_ADMITTED) {
              audit.record(new AuditEvent.LoginRefused(request.context(), asked.attempt().name(), CONTRACT, "ROLE_MISSING"));
            }
            yield rejected();
          }
          case Challenged challenged -> challenged(request, challenged);
        };
    return OAuthReplies.json(200, json.toBytes());
  }

  private static boolean admits(Set<String> roles, Person person) {
    return roles.isEmpty() || person.roles().stream().anyMatch(roles::contains);
  }

  private static JsonText rejected() {
    return new JsonText().text("result", "reject");
  }

  private static JsonText challenged(RealmRequest request, Challenged challenged) {
    Question question = challenged.question();
    TokenLogin.Pin pin = request.idp().contracts().token().orElse(TokenLogin.USUAL).pin();
    JsonText json = new JsonText().text("result", "challenge").text("question", word(question)).text("challenge", challenged.reference());
    challenged.shown().ifPresent(shown -> json.text("shown", shown));
    boolean forPin = Stream.of(Question.NEW_PIN, Question.NEW_PIN_AGAIN).anyMatch(question::equals);
    return forPin ? json.number("pinMin", pin.least()).number("pinMax", pin.most()).flag("pinLetters", pin.letters()) : json;
  }

  private static String word(Question question) {
    return switch (question) {
      case NEXT_CODE -> "nextCode";
      case NEW_PIN -> "newPin";
      case NEW_PIN_AGAIN -> "newPinAgain";
      case SERVER_PIN -> "serverPin";
      case RESPONSE, PASSCODE_WITH_NEW_PIN -> "response";
    };
  }
}
