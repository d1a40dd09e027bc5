package dev.gatehouse.sp.oidc;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.logout.PendingLogout;
import dev.gatehouse.sp.logout.ProviderLogout;
import dev.gatehouse.sp.logout.Receipt.Outcome;
import dev.gatehouse.sp.provider.OpenIdProviders;
import dev.gatehouse.sp.provider.ProviderMetadata;
import dev.gatehouse.sp.provider.ProviderState;
import dev.gatehouse.sp.session.AppSession;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Sends the browser to the provider's end session endpoint (OpenID Connect RP-Initiated Logout 1.0, section 2). */
public final class OpenIdProviderLogout implements ProviderLogout {

  /** Long, because the provider may ask the person for confirmation. */
  private static final Duration LIFE = Duration.ofHours(1);

  private final SingleUseStore<PendingLogout> pendings;
  private final OpenIdProviders providers;
  private final SavedIdTokens idTokens;
  private final InstantSource time;
  private final RandomGenerator random;

  public OpenIdProviderLogout(
      Stores stores, OpenIdProviders providers, SavedIdTokens idTokens, InstantSource time, RandomGenerator random) {
    this.pendings = stores.ends().singleUse("sp-oidc-logout", PendingLogout.CODEC);
    this.providers = providers;
    this.idTokens = idTokens;
    this.time = time;
    this.random = random;
  }

  @Override
  public Asking ask(SpRealm realm, EdgeRequest request, AppSession ended) {
    String issuer = ended.login().identityProvider();
    Optional<ProviderConfig.Client> client = realm.openIdProvider(issuer).flatMap(ProviderConfig::client);
    Optional<URI> endpoint =
        providers.state(issuer) instanceof ProviderState.Usable(ProviderMetadata metadata, var k, var at, var problem)
            ? metadata.endSessionEndpoint()
            : Optional.empty();
    if (client.isEmpty() || endpoint.isEmpty()) {
      return new Asking.Known(Outcome.NOT_ASKED);
    }
    String state = SessionToken.create(random).value();
    pendings.put(
        state,
        new PendingLogout(realm.name(), issuer, ended.person().value(), request.origin() + "/"),
        time.instant().plus(LIFE));
    Map<String, String> parameters = new LinkedHashMap<>();
    idTokens.take(ended.id()).ifPresent(token -> parameters.put("id_token_hint", token));
    parameters.put("client_id", client.get().clientId());
    parameters.put("post_logout_redirect_uri", realm.sp().openIdLoggedOut());
    parameters.put("state", state);
    return new Asking.OnItsWay(EdgeReply.seeOther(Urls.with(endpoint.get(), parameters)));
  }

  SingleUseStore<PendingLogout> pendings() {
    return pendings;
  }
}
