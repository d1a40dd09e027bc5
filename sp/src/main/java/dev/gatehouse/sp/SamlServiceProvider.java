package dev.gatehouse.sp;

import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.sp.acs.AssertionConsumerServiceEndpoint;
import dev.gatehouse.sp.acs.LinkEndpoint;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.link.AccountEndpoint;
import dev.gatehouse.sp.login.ArtifactResolutionEndpoint;
import dev.gatehouse.sp.login.Challenge;
import dev.gatehouse.sp.login.DiscoveryEndpoint;
import dev.gatehouse.sp.login.LoginEndpoint;
import dev.gatehouse.sp.login.ReplayEndpoint;
import dev.gatehouse.sp.login.RouteLogin;
import dev.gatehouse.sp.login.SavedRequests;
import dev.gatehouse.sp.login.TicketEndpoint;
import dev.gatehouse.sp.logout.LogoutEndpoint;
import dev.gatehouse.sp.logout.SingleLogoutEndpoint;
import dev.gatehouse.sp.metadata.MetadataEndpoint;
import dev.gatehouse.sp.nameid.NameIdEndpoint;
import dev.gatehouse.sp.oidc.OpenIdEndpoints;
import dev.gatehouse.sp.secret.SecretsEndpoint;
import dev.gatehouse.sp.secret.SecretsPlace;
import java.util.Optional;
import java.util.function.Supplier;

/** The service provider for SAML 2.0 and OpenID Connect. Dispatches each path below {@link SpPaths#PREFIX} to its endpoint. */
public final class SamlServiceProvider implements ServiceProvider {

  private final Challenge challenge;
  private final SavedRequests savedRequests;
  private final LoginEndpoint login;
  private final DiscoveryEndpoint discovery;
  private final TicketEndpoint ticket;
  private final ReplayEndpoint replay;
  private final AssertionConsumerServiceEndpoint acs;
  private final LinkEndpoint link;
  private final AccountEndpoint account;
  private final SecretsEndpoint secrets;
  private final ArtifactResolutionEndpoint artifact;
  private final LogoutEndpoint logout;
  private final SingleLogoutEndpoint slo;
  private final NameIdEndpoint nameId;
  private final MetadataEndpoint metadata;
  private final OpenIdEndpoints openId;
  private final Refusals refusals;

  SamlServiceProvider(
      Challenge challenge,
      SavedRequests savedRequests,
      LoginEndpoint login,
      DiscoveryEndpoint discovery,
      TicketEndpoint ticket,
      ReplayEndpoint replay,
      AssertionConsumerServiceEndpoint acs,
      LinkEndpoint link,
      AccountEndpoint account,
      SecretsEndpoint secrets,
      ArtifactResolutionEndpoint artifact,
      LogoutEndpoint logout,
      SingleLogoutEndpoint slo,
      NameIdEndpoint nameId,
      MetadataEndpoint metadata,
      OpenIdEndpoints openId,
      Refusals refusals) {
    this.challenge = challenge;
    this.savedRequests = savedRequests;
    this.login = login;
    this.discovery = discovery;
    this.ticket = ticket;
    this.replay = replay;
    this.acs = acs;
    this.link = link;
    this.account = account;
    this.secrets = secrets;
    this.artifact = artifact;
    this.logout = logout;
    this.slo = slo;
    this.nameId = nameId;
    this.metadata = metadata;
    this.openId = openId;
    this.refusals = refusals;
  }

  @Override
  public EdgeReply handle(Realm realm, EdgeRequest request) {
    SpRealm sp = require(realm);
    if (request.path().equals(SpRealm.ARTIFACT_PATH) && sp.resolvesArtifactsAt(request.origin())) {
      return readable(sp, request, () -> artifact.handle(sp, request));
    }
    if (sp.origins().noneMatch(request.origin()::equals)) {
      return refusals.notFound(sp, request);
    }
    return readable(
        sp,
        request,
        () ->
            switch (request.path()) {
              case SpPaths.PREFIX + "login" -> login.handle(sp, request);
              case SpPaths.PREFIX + "discovery" -> discovery.handle(sp, request);
              case SpPaths.PREFIX + "ticket" -> ticket.handle(sp, request);
              case SpPaths.REPLAY -> replay.handle(sp, request);
              case AccountEndpoint.PATH -> account.handle(sp, request);
              case SecretsPlace.PATH -> secrets.handle(sp, request);
              case SpPaths.PREFIX + "link" -> link.handle(sp, request);
              case SpPaths.PREFIX + "logout" -> logout.handle(sp, request);
              case SpPaths.PREFIX + "saml/acs" -> acs.handle(sp, request);
              case SpPaths.PREFIX + "saml/slo" -> slo.handle(sp, request);
              case SpPaths.PREFIX + "saml/slo/soap" -> slo.handleSoap(sp, request);
              case NameIdEndpoint.PATH, NameIdEndpoint.SOAP_PATH -> nameId.handle(sp, request);
              case SpPaths.PREFIX + "saml/metadata" -> metadata.handle(sp, request);
              default -> openId.handle(sp, request);
            });
  }

  @Override
  public EdgeReply challenge(Realm realm, EdgeRequest request, RouteLogin route, boolean mayReplayPost) {
    SpRealm sp = require(realm);
    return readable(sp, request, () -> challenge.answer(sp, request, route, mayReplayPost));
  }

  @Override
  public Optional<String> loginAddress(Realm realm, EdgeRequest request, RouteLogin route) {
    return challenge.address(require(realm), request, route);
  }

  @Override
  public Optional<EdgeRequest> takeReplay(Realm realm, EdgeRequest confirmation) {
    try {
      return savedRequests.take(require(realm), confirmation);
    } catch (Parameters.Malformed malformed) {
      return Optional.empty();
    }
  }

  /** Malformed parameters are the client's mistake, whichever endpoint reads them; an unavailable directory is not. */
  private EdgeReply readable(SpRealm realm, EdgeRequest request, Supplier<EdgeReply> answer) {
    try {
      return answer.get();
    } catch (Parameters.Malformed malformed) {
      return refusals.page(realm, request, 400, "bad-request");
    } catch (DirectoryUnavailable unavailable) {
      return refusals.unavailable(realm, request, "directory-unavailable", unavailable);
    }
  }

  private static SpRealm require(Realm realm) {
    return SpRealm.of(realm)
        .orElseThrow(() -> new IllegalArgumentException("the realm " + realm.name() + " has no service provider"));
  }
}
