package dev.gatehouse.sp.oidc;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;

/** Dispatches the paths below {@code /.gatehouse/oidc/}, and the path of the keys for apps, to their endpoints. */
public final class OpenIdEndpoints {

  private final CallbackEndpoint callback;
  private final LoggedOutEndpoint loggedOut;
  private final BackChannelLogoutEndpoint backChannel;
  private final FrontChannelLogoutEndpoint frontChannel;
  private final OwnKeysEndpoint keys;
  private final IdentityKeysEndpoint identityKeys;
  private final Refusals refusals;

  public OpenIdEndpoints(
      CallbackEndpoint callback,
      LoggedOutEndpoint loggedOut,
      BackChannelLogoutEndpoint backChannel,
      FrontChannelLogoutEndpoint frontChannel,
      OwnKeysEndpoint keys,
      IdentityKeysEndpoint identityKeys,
      Refusals refusals) {
    this.callback = callback;
    this.loggedOut = loggedOut;
    this.backChannel = backChannel;
    this.frontChannel = frontChannel;
    this.keys = keys;
    this.identityKeys = identityKeys;
    this.refusals = refusals;
  }

  /** Returns 404 for any other path. */
  public EdgeReply handle(SpRealm realm, EdgeRequest request) {
    return switch (request.path()) {
      case CallbackEndpoint.PATH -> callback.handle(realm, request);
      case LoggedOutEndpoint.PATH -> loggedOut.handle(realm, request);
      case BackChannelLogoutEndpoint.PATH -> backChannel.handle(realm, request);
      case FrontChannelLogoutEndpoint.PATH -> frontChannel.handle(realm, request);
      case OwnKeysEndpoint.PATH -> keys.handle(realm, request);
      case IdentityKeysEndpoint.PATH -> identityKeys.handle(realm, request);
      default -> refusals.notFound(realm, request);
    };
  }
}
