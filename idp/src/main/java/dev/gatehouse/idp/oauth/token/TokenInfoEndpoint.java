package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.codec.JsonText;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthReplies;
import java.time.InstantSource;
import java.util.TreeSet;

/**
 * The historical validation call: the holder of an access token asks for its content. It is deprecated everywhere in
 * favour of introspection, but old resource servers still call it.
 */
final class TokenInfoEndpoint implements Endpoint {

  static final String PATH = "oauth/tokeninfo";

  private final PresentedTokens tokens;
  private final OAuthReplies replies;
  private final InstantSource clock;

  TokenInfoEndpoint(PresentedTokens tokens, OAuthReplies replies, InstantSource clock) {
    this.tokens = tokens;
    this.replies = replies;
    this.clock = clock;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    return switch (tokens.find(request, PATH)) {
      case Result.Refused(var error) -> replies.refused(request, "-", error);
      case Result.Accepted(PresentedTokens.Shown shown) -> content(shown.token());
    };
  }

  private EdgeReply content(AccessToken token) {
    return OAuthReplies.json(
        200,
        new JsonText()
            .text("user_id", token.subject())
            .number("expires_in", token.validity().expiresAt().getEpochSecond() - clock.instant().getEpochSecond())
            .texts("scope", new TreeSet<>(token.scopes()))
            .oneOrMore("audience", token.audience())
            .text("client_id", token.clientId())
            .toBytes());
  }
}
