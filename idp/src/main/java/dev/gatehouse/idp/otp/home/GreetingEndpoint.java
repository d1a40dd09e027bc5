package dev.gatehouse.idp.otp.home;

import dev.gatehouse.common.codec.JsonText;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthReplies;
import java.time.InstantSource;

/** {@code GET otp/v1/visitors}: tells a realm that it is trusted, and under which name, so that its administrator can test the trust. */
final class GreetingEndpoint implements Endpoint {

  private final OAuthReplies replies;
  private final InstantSource clock;

  GreetingEndpoint(OAuthReplies replies, InstantSource clock) {
    this.replies = replies;
    this.clock = clock;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    return switch (AskingRealm.of(request, clock.instant())) {
      case Result.Accepted(AskingRealm asking) ->
          OAuthReplies.json(200, new JsonText().text("trusted", asking.realm().name()).flag("told", asking.realm().told()).toBytes());
      case Result.Refused(OAuthError error) -> replies.refused(request, "-", error);
    };
  }
}
