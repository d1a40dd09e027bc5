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
import dev.gatehouse.idp.otp.OfflineDays;
import dev.gatehouse.idp.otp.OfflineDays.Use;
import dev.gatehouse.idp.otp.PasscodeStoreUnavailable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What agents decided without a node: {@code POST otp/v1/offline-uses} with {@code ticket} and {@code uses}, a line for each: its random
 * id, the second when it was, {@code accept} with the time step of the code, or {@code reject}.
 */
final class OfflineUsesEndpoint implements Endpoint {

  static final String PATH = "otp/v1/offline-uses";

  private static final Pattern LINE = Pattern.compile("([0-9a-f]{32}) (\\d{1,11}) (?:accept (\\d{1,12})|reject)");

  /** More than an agent lets people try. */
  private static final int MOST = 1000;

  private final AgentRequests requests;
  private final OfflineDays offline;
  private final OAuthReplies replies;

  OfflineUsesEndpoint(AgentRequests requests, OfflineDays offline, OAuthReplies replies) {
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
    Optional<List<Use>> uses = form.one("uses").flatMap(OfflineUsesEndpoint::read);
    if (ticket.isEmpty() || uses.isEmpty()) {
      return OAuthError.refused(
          Code.INVALID_REQUEST,
              "The parameter " + (ticket.isEmpty() ? "ticket is missing" : "uses is missing, or has another line than its form says"));
    }
    try {
      boolean isTaken = offline.take(request.realm(), agent.id(), agent.rights(), ticket.get(), uses.get());
      return Result.accepted(OAuthReplies.json(200, new JsonText().text("result", isTaken ? "taken" : "ended").toBytes()));
    } catch (PasscodeStoreUnavailable e) {
      return OAuthError.refused(Code.TEMPORARILY_UNAVAILABLE, "The uses could not be taken; report them again");
    }
  }

  private static Optional<List<Use>> read(String text) {
    List<Use> uses = new ArrayList<>();
    for (String line : text.split("\n", -1)) {
      Matcher matcher = LINE.matcher(line);
      if (!matcher.matches() || uses.size() == MOST) {
        return Optional.empty();
      }
      Optional<Long> step = Optional.ofNullable(matcher.group(3)).map(Long::parseLong);
      uses.add(new Use(matcher.group(1), Instant.ofEpochSecond(Long.parseLong(matcher.group(2))), step.isPresent(), step.orElse(0L)));
    }
    return Optional.of(uses);
  }
}
