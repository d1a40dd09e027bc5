package dev.gatehouse.idp.otp.home;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.codec.JsonText;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.Realm.TrustedRealm.Exchange;
import dev.gatehouse.common.request.RequestId;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.OAuthReplies;
import dev.gatehouse.idp.oauth.ProgramForm;
import dev.gatehouse.idp.otp.PasscodeAttempt;
import dev.gatehouse.idp.otp.PasscodeCheck;
import dev.gatehouse.idp.otp.PasscodeChecks;
import dev.gatehouse.idp.otp.PasscodeResult;
import dev.gatehouse.idp.otp.PasscodeResult.Accepted;
import dev.gatehouse.idp.otp.PasscodeResult.Challenged;
import dev.gatehouse.idp.otp.PasscodeResult.Question;
import dev.gatehouse.idp.otp.PasscodeResult.Refused;
import dev.gatehouse.idp.otp.PasscodeStoreUnavailable;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Our people at other realms: {@code POST otp/v1/visitors} with {@code name}, {@code passcode}, {@code visit}, and {@code challenge} if it
 * answers one. The realm that asks is known by its certificate. It decides nothing and learns nothing but the answer: whether the person is
 * let in, their name without suffix, an id that no other realm gets, and the attributes that it is told. Wrong passcodes count here like all others.
 */
final class VisitorsEndpoint implements Endpoint {

  static final String PATH = "otp/v1/visitors";

  private static final Logger LOG = LoggerFactory.getLogger(VisitorsEndpoint.class);

  private static final int LONGEST_NAME = 256;

  private static final Pattern TOLD = Pattern.compile("(?U)[^\\p{C}]{1," + Exchange.LONGEST + "}");

  private final PasscodeChecks passcodes;
  private final AskedRates rates;
  private final SealingKey sealing;
  private final OAuthReplies replies;
  private final AuditLog audit;
  private final InstantSource clock;

  VisitorsEndpoint(
      PasscodeChecks passcodes, AskedRates rates, SealingKey sealing, OAuthReplies replies, AuditLog audit, InstantSource clock) {
    this.passcodes = passcodes;
    this.rates = rates;
    this.sealing = sealing;
    this.replies = replies;
    this.audit = audit;
    this.clock = clock;
  }

  /** What a realm asks, once it is known which. */
  private record Asked(AskingRealm asking, String name, String passcode, String visit, Optional<String> challenge) {}

  @Override
  public EdgeReply handle(RealmRequest request) {
    Optional<PasscodeCheck> check = passcodes.of(request.realm());
    if (check.isEmpty()) {
      return replies.refused(request, "-", OAuthError.of(Code.INVALID_REQUEST, "This realm takes no tokens: idp.contracts.token is not configured"));
    }
    Result<EdgeReply, OAuthError> answer =
        AskingRealm.of(request, clock.instant())
            .then(asking -> rates.limited(request, asking, AskedRates.Kind.PASSCODE))
            .then(asking -> ProgramForm.read(request, Set.of()).then(form -> asked(asking, form)))
            .then(asked -> Result.accepted(answer(request, check.get(), asked)));
    return replies.answered(request, answer);
  }

  private static Result<Asked, OAuthError> asked(AskingRealm asking, Parameters form) {
    Optional<String> name = value(form, "name").filter(VisitorsEndpoint::isPlain);
    Optional<String> passcode = value(form, "passcode");
    Optional<String> visit = value(form, "visit").filter(RequestId::isUsable);
    if (name.isEmpty() || passcode.isEmpty() || visit.isEmpty()) {
      String missing = name.isEmpty() ? "name" : passcode.isEmpty() ? "passcode" : "visit";
      return OAuthError.refused(Code.INVALID_REQUEST, "The parameter " + missing + " is missing, or not of the allowed form");
    }
    return Result.accepted(new Asked(asking, name.get(), passcode.get(), visit.get(), value(form, "challenge")));
  }

  private static Optional<String> value(Parameters form, String name) {
    return form.one(name).filter(value -> !value.isBlank());
  }

  private static boolean isPlain(String text) {
    return text.length() <= LONGEST_NAME && text.chars().noneMatch(Character::isISOControl);
  }

  private EdgeReply answer(RealmRequest request, PasscodeCheck check, Asked asked) {
    // The reference of their log leads to ours, and is none of ours: nobody else chooses those.
    audit.record(new AuditEvent.VisitorSought(request.context(), asked.name(), asked.asking().client(), asked.visit(), "passcode"));
    return decided(request, check, asked);
  }

  private EdgeReply decided(RealmRequest request, PasscodeCheck check, Asked asked) {
    AskingRealm asking = asked.asking();
    Optional<String> name = asking.ourName(asked.name());
    if (name.isEmpty()) {
      audit.record(new AuditEvent.PasscodeDecided(request.context(), asked.name(), asking.client(), "refused", HomeRefusal.SUFFIX_NOT_OURS.name()));
      return OAuthReplies.json(200, rejected().toBytes());
    }
    // Where the person is stays with the realm that they visit.
    PasscodeAttempt attempt = new PasscodeAttempt(name.get(), asked.passcode(), asking.client(), "");
    PasscodeResult result;
    try {
      result = asked.challenge().map(key -> check.answer(key, attempt)).orElseGet(() -> check.check(attempt));
    } catch (PasscodeStoreUnavailable e) {
      return e.mayHaveCounted()
          ? unknown(e)
          : replies.refused(
              request, asking.client(), OAuthError.of(Code.TEMPORARILY_UNAVAILABLE, "The passcode could not be checked, and was not counted"));
    } catch (AuditUnavailable e) {
      // The decision comes before its record.
      return unknown(e);
    }
    JsonText decision =
        switch (result) {
          case Accepted(Person person, String token) -> accepted(request, asking, person);
          case Refused refused -> rejected();
          case Challenged(Question question, String reference, Optional<String> shown) -> {
            JsonText json = new JsonText().text("result", "challenge").text("question", question.name()).text("challenge", reference);
            yield shown.map(value -> json.text("shown", value)).orElse(json);
          }
        };
    return OAuthReplies.json(200, decision.toBytes());
  }

  /** As agents are told: the code may be used up, or a wrong one counted. */
  private static EdgeReply unknown(RuntimeException fault) {
    LOG.error("A visitor's passcode was decided about, and the answer could not be given", fault);
    JsonText json =
        new JsonText().text("error", "server_error").text("error_description", "The passcode may have been counted: take the next code");
    return OAuthReplies.json(500, json.toBytes());
  }

  private JsonText accepted(RealmRequest request, AskingRealm asking, Person person) {
    String id = sealing.digest(person.id().value(), "otp-visitor", request.realm().name(), asking.realm().name());
    JsonText json =
        new JsonText()
            .text("result", "accept")
            .text("sub", id)
            .text("name", OurNames.withoutSuffix(asking.ours().suffixes(), person.name()));
    Map<String, List<String>> told = told(asking.realm().exchange(), person);
    return told.isEmpty() ? json : json.lists("attributes", told);
  }

  /** What the realm is told about our person. What is longer than it takes is left out, and not cut. */
  private static Map<String, List<String>> told(Exchange exchange, Person person) {
    Map<String, List<String>> told = new TreeMap<>();
    person.attributes().forEach(
        (name, values) -> {
          List<String> fit =
              values.stream().filter(value -> TOLD.matcher(value).matches()).limit(Exchange.MOST_VALUES).toList();
          if (exchange.tells().contains(name) && !fit.isEmpty()) {
            told.put(name, fit);
          }
        });
    return told;
  }

  private static JsonText rejected() {
    return new JsonText().text("result", "reject");
  }
}
