package dev.gatehouse.idp.otp.agent;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.codec.JsonText;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.group.GroupName;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.OAuthReplies;
import dev.gatehouse.idp.otp.OfflineDays;
import dev.gatehouse.idp.otp.PasscodeAttempt;
import dev.gatehouse.idp.otp.PasscodeCheck;
import dev.gatehouse.idp.otp.PasscodeResult;
import dev.gatehouse.idp.otp.PasscodeResult.Accepted;
import dev.gatehouse.idp.otp.PasscodeResult.Challenged;
import dev.gatehouse.idp.otp.PasscodeResult.Question;
import dev.gatehouse.idp.otp.PasscodeResult.Reason;
import dev.gatehouse.idp.otp.PasscodeResult.Refused;
import dev.gatehouse.idp.otp.PasscodeStoreUnavailable;
import dev.gatehouse.idp.otp.visit.Visits;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Authentications for agents: {@code POST otp/v1/authentications} with {@code name}, {@code passcode}, and {@code challenge} if it answers
 * one. An agent is an OAuth client with the permission; it authenticates as at the token endpoint, by a certificate or a signed assertion
 * that counts once, and never by a secret. Why a passcode does not count is in the audit log only.
 */
final class AgentEndpoint implements Endpoint {

  private static final Logger LOG = LoggerFactory.getLogger(AgentEndpoint.class);

  static final String PATH = "otp/v1/authentications";

  private static final String CONTRACT = "agent";
  private static final int LONGEST_NAME = 256;
  private static final int LONGEST_ADDRESS = 64;

  private final AgentRequests requests;
  private final Visits passcodes;
  private final OfflineDays offline;
  private final OAuthReplies replies;
  private final AuditLog audit;
  private final RefusalLog refusals;

  AgentEndpoint(
      AgentRequests requests, Visits passcodes, OfflineDays offline, OAuthReplies replies, AuditLog audit, RefusalLog refusals) {
    this.requests = requests;
    this.passcodes = passcodes;
    this.offline = offline;
    this.replies = replies;
    this.audit = audit;
    this.refusals = refusals;
  }

  /** What an agent asks, once it is known who asks. */
  private record Asked(String agent, ClientConfig.Passcodes rights, PasscodeAttempt attempt, Optional<String> challenge) {}

  @Override
  public EdgeReply handle(RealmRequest request) {
    if (request.idp().contracts().token().isEmpty()) {
      return replies.refused(request, "-",
          OAuthError.of(Code.INVALID_REQUEST, "This realm takes no tokens: idp.contracts.token is not configured"));
    }
    Result<EdgeReply, OAuthError> answer =
        requests.proved(request).then(AgentEndpoint::asked).then(asked -> Result.accepted(answer(request, check(request, asked), asked)));
    return replies.answered(request, answer);
  }

  private PasscodeCheck check(RealmRequest request, Asked asked) {
    return passcodes.of(request.realm(), asked.rights().visitors()).orElseThrow();
  }

  private static Result<Asked, OAuthError> asked(AgentRequests.Proved agent) {
    Parameters form = agent.form();
    Optional<String> name = value(form, "name").filter(text -> isPlain(text, LONGEST_NAME));
    Optional<String> passcode = value(form, "passcode");
    String address = value(form, "address").orElse("");
    if (name.isEmpty() || passcode.isEmpty()) {
      String problem = (name.isEmpty() ? "name" : "passcode") + " is missing, or not plain text of the allowed length";
      return OAuthError.refused(Code.INVALID_REQUEST, "The parameter " + problem);
    }
    if (!isPlain(address, LONGEST_ADDRESS)) {
      return OAuthError.refused(Code.INVALID_REQUEST,
          "The parameter address is not plain text of up to " + LONGEST_ADDRESS + " characters");
    }
    Set<String> roles = agent.rights().roles();
    PasscodeAttempt.Admission admission = new PasscodeAttempt.Admission(!roles.isEmpty(), person -> GroupName.permits(roles, person.roles()));
    PasscodeAttempt attempt = new PasscodeAttempt(name.get(), passcode.get(), "agent:" + agent.id(), address, admission);
    return Result.accepted(new Asked(agent.id(), agent.rights(), attempt, value(form, "challenge")));
  }

  private static Optional<String> value(Parameters form, String name) {
    return form.one(name).filter(value -> !value.isBlank());
  }

  private static boolean isPlain(String text, int longest) {
    return text.length() <= longest && text.chars().noneMatch(Character::isISOControl);
  }

  private EdgeReply answer(RealmRequest request, PasscodeCheck check, Asked asked) {
    try {
      PasscodeResult result =
          asked.challenge().map(key -> check.answer(key, asked.attempt())).orElseGet(() -> check.check(asked.attempt()));
      return OAuthReplies.json(200, json(request, asked, result).toBytes());
    } catch (PasscodeStoreUnavailable e) {
      return e.mayHaveCounted()
          ? unknown(e)
          : replies.refused(request, asked.agent(),
              OAuthError.of(Code.TEMPORARILY_UNAVAILABLE, "The passcode could not be checked, and was not counted"));
    } catch (AuditUnavailable e) {
      // The decision comes before its record.
      return unknown(e);
    }
  }

  /** Another status than the one that sends agents to another server: the code may be used up, or a wrong one counted. */
  private static EdgeReply unknown(RuntimeException fault) {
    LOG.error("A passcode was decided about, and the answer could not be given", fault);
    JsonText json =
        new JsonText().text("error", "server_error").text("error_description", "The passcode may have been counted: take the next code");
    return OAuthReplies.json(500, json.toBytes());
  }

  private JsonText json(RealmRequest request, Asked asked, PasscodeResult result) {
    return switch (result) {
      case Accepted accepted -> accepted(request, asked, accepted);
      case Refused(Reason reason) -> {
        // What was decided about a passcode is written already; about visitors whom the agent can never admit, nobody was asked.
        if (reason == Reason.NOT_ADMITTED && refusals.admits(request.realm().name(), asked.attempt().client())) {
          audit.record(new AuditEvent.LoginRefused(request.context(), asked.attempt().name(), CONTRACT, "ROLE_MISSING"));
        }
        yield rejected();
      }
      case Challenged challenged -> challenged(request, challenged);
    };
  }

  private JsonText accepted(RealmRequest request, Asked asked, Accepted login) {
    Person person = login.person();
    JsonText json = new JsonText().text("result", "accept").text("sub", person.id().value()).text("name", person.name());
    if (Visits.isVisitor(login) && !person.attributes().isEmpty()) {
      json.lists("attributes", person.attributes());
    }
    Optional<String> ticket =
        asked.rights().offlineDays() == 0
            ? Optional.empty()
            : offline.ticket(request.realm(), asked.agent(), asked.rights(), login);
    return ticket.map(text -> json.text("offline", text)).orElse(json);
  }

  private static JsonText rejected() {
    return new JsonText().text("result", "reject");
  }

  private static JsonText challenged(RealmRequest request, Challenged challenged) {
    Question question = challenged.question();
    TokenLogin.Pin pin = request.idp().contracts().token().orElse(TokenLogin.USUAL).pin();
    JsonText json = new JsonText().text("result", "challenge").text("question", word(question)).text("challenge", challenged.reference());
    challenged.shown().ifPresent(shown -> json.text("shown", shown));
    // What a visitor's PIN may be is their home's rule, which we do not know.
    boolean forPin =
        Stream.of(Question.NEW_PIN, Question.NEW_PIN_AGAIN).anyMatch(question::equals) && !Visits.isOfHome(challenged.reference());
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
