package dev.gatehouse.idp.oauth.device;

import dev.gatehouse.common.codec.JsonText;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.OAuthReplies;
import dev.gatehouse.idp.oauth.authorize.Scopes;
import dev.gatehouse.idp.oauth.client.AuthenticatedClient;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.ClientAuthentications;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Issues codes to a device (RFC 8628, section 3.1). */
final class DeviceAuthorizationEndpoint implements Endpoint {

  private final ClientAuthentications authentications;
  private final DeviceCodes codes;
  private final OAuthReplies replies;

  DeviceAuthorizationEndpoint(ClientAuthentications authentications, DeviceCodes codes, OAuthReplies replies) {
    this.authentications = authentications;
    this.codes = codes;
    this.replies = replies;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    Parameters form = request.http().formParameters();
    return switch (authentications.authenticate(request, form)) {
      case Result.Refused(var error) ->
          replies.refused(request, form.one("client_id").orElse("-"), error);
      case Result.Accepted(var proved) -> issue(request, proved, form);
    };
  }

  private EdgeReply issue(RealmRequest request, AuthenticatedClient proved, Parameters form) {
    Client client = proved.client();
    if (!client.may(GrantType.DEVICE)) {
      return refused(request, client, Code.UNAUTHORIZED_CLIENT, "device authorization is not turned on for the client");
    }
    Set<String> scopes = Scopes.granted(client, form.one("scope"), true);
    if (scopes.isEmpty()) {
      return refused(request, client, Code.INVALID_SCOPE, "scope names nothing that the client may have");
    }
    List<String> resources =
        form.all().stream().filter(p -> p.name().equals("resource")).map(Parameters.Parameter::value).toList();
    if (!resources.stream().allMatch(resource -> client.mayHaveTokensFor(request, resource))) {
      return refused(request, client, Code.INVALID_TARGET, "resource is not one of the client's");
    }
    return switch (codes.issue(request, proved, scopes, resources)) {
      case DeviceCodes.Issuing.Done(DeviceCodes.Issued issued) -> OAuthReplies.json(200, json(request, issued));
      case DeviceCodes.Issuing.Full(Duration retryAfter) ->
          replies.tooMany(request, client.id(), "too many devices wait; try again later", retryAfter);
    };
  }

  private EdgeReply refused(RealmRequest request, Client client, Code code, String description) {
    return replies.refused(request, client.id(), OAuthError.of(code, description));
  }

  /** The reply of RFC 8628, section 3.2. */
  private static byte[] json(RealmRequest request, DeviceCodes.Issued issued) {
    String page = request.location(DevicePage.PATH);
    return new JsonText()
        .text("device_code", issued.deviceCode())
        .text("user_code", issued.userCode().shown())
        .text("verification_uri", page)
        .text("verification_uri_complete", page + "?user_code=" + issued.userCode().shown())
        .number("expires_in", request.idp().oauth().deviceCodeLife().toSeconds())
        .number("interval", DeviceCodes.INTERVAL.toSeconds())
        .toBytes();
  }
}
