package dev.gatehouse.idp.otp.agent;

import dev.gatehouse.common.codec.JsonText;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.OAuthReplies;
import dev.gatehouse.idp.otp.FetchLimits.Exceeded;
import dev.gatehouse.idp.otp.OfflineDays;
import dev.gatehouse.idp.otp.OfflineDays.Material;
import dev.gatehouse.idp.otp.PasscodeStoreUnavailable;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;

/** Material for days without a node: {@code POST otp/v1/offline-days} with {@code ticket}, and {@code from} to get the rest only. */
final class OfflineDaysEndpoint implements Endpoint {

  static final String PATH = "otp/v1/offline-days";

  private final AgentRequests requests;
  private final OfflineDays offline;
  private final OAuthReplies replies;
  private final InstantSource clock;

  OfflineDaysEndpoint(AgentRequests requests, OfflineDays offline, OAuthReplies replies, InstantSource clock) {
    this.clock = clock;
    this.requests = requests;
    this.offline = offline;
    this.replies = replies;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    return replies.answered(request, requests.proved(request).then(agent -> answer(request, agent)));
  }

  private Result<EdgeReply, OAuthError> answer(RealmRequest request, AgentRequests.Proved agent) {
    Parameters form = agent.form();
    Optional<String> ticket = form.one("ticket");
    Optional<String> from = form.one("from").filter(text -> text.matches("\\d{1,12}"));
    if (ticket.isEmpty() || form.one("from").isPresent() && from.isEmpty()) {
      return OAuthError.refused(Code.INVALID_REQUEST, "The parameter " + (ticket.isEmpty() ? "ticket is missing" : "from is no time step"));
    }
    try {
      return switch (
          offline.material(request.realm(), agent.id(), agent.rights(), ticket.get(), from.map(Long::parseLong).orElse(0L))) {
        case Result.Accepted<Optional<Material>, Exceeded>(Optional<Material> material) ->
            Result.accepted(OAuthReplies.json(200,
                material.map(OfflineDaysEndpoint::days).orElseGet(OfflineDaysEndpoint::ended)
                    .number("now", clock.instant().getEpochSecond())
                    .toBytes()));
        case Result.Refused<Optional<Material>, Exceeded>(Exceeded exceeded) -> new Result.Refused<>(refusal(exceeded));
      };
    } catch (PasscodeStoreUnavailable e) {
      return OAuthError.refused(Code.TEMPORARILY_UNAVAILABLE, "Whether the days count could not be found out");
    }
  }

  /** What is used up for one person is no reason for an agent to leave the others alone: it gets another status than 429. */
  private static OAuthError refusal(Exceeded exceeded) {
    String later = "again in " + exceeded.after().toSeconds() + " s";
    return switch (exceeded.limit()) {
      case PERSON ->
          OAuthError.of(Code.SLOW_DOWN, "The client has fetched more offline days of this person than it may within a day; " + later);
      case AGENT ->
          OAuthError.slowed(
              Code.TEMPORARILY_UNAVAILABLE,
              "The client fetches more offline days in a second than its passcodes.perSecond allows; " + later, exceeded.after());
    };
  }

  private static JsonText ended() {
    return new JsonText().text("result", "ended");
  }

  private static JsonText days(Material material) {
    return new JsonText()
        .text("result", "days")
        .text("serial", material.serial())
        .number("digits", material.type().digits())
        .number("period", material.type().period())
        .number("drift", material.drift())
        .number("lastUsed", material.lastUsed())
        .text("pinHash", material.pinHash())
        .text("salt", Base64.getEncoder().encodeToString(material.salt()))
        .number("from", material.from())
        .text("codes", Base64.getEncoder().encodeToString(material.codes()))
        .number("until", material.until().getEpochSecond());
  }
}
