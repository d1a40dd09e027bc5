package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.client.Client;
import java.util.Set;

/** The device code grant (RFC 8628, section 3.4): a person has agreed in another browser, or has not answered yet. */
public final class DeviceCodeGrant implements Grant {

  /** The store of device codes. */
  @FunctionalInterface
  public interface Pending {

    /**
     * Takes the authorization to which the person agreed, once, as it began. Refused with {@code authorization_pending},
     * {@code slow_down}, {@code access_denied}, {@code expired_token}, or with {@code invalid_grant} if it is not a
     * device code of this client.
     */
    Result<Authorization, OAuthError> take(RealmRequest request, Client client, String deviceCode);
  }

  private final Pending pending;
  private final Authorizations authorizations;

  DeviceCodeGrant(Pending pending, Authorizations authorizations) {
    this.pending = pending;
    this.authorizations = authorizations;
  }

  @Override
  public String name() {
    return "urn:ietf:params:oauth:grant-type:device_code";
  }

  @Override
  public Set<GrantType> uses() {
    return Set.of(GrantType.DEVICE);
  }

  @Override
  public Result<GrantResult, OAuthError> grant(TokenRequest request) {
    return request.form()
        .required("device_code")
        .then(code -> pending.take(request.request(), request.client(), code))
        .then(agreed -> mine(request, agreed));
  }

  private Result<GrantResult, OAuthError> mine(TokenRequest request, Authorization agreed) {
    boolean isMine =
        agreed.clientId().equals(request.client().id()) && agreed.realm().equals(request.request().realm().name());
    return isMine
        ? RevalidatedGrant.ofBegun(authorizations, request, agreed.id())
        : OAuthError.refused(Code.INVALID_GRANT, "The device code is another client's");
  }
}
