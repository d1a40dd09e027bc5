package dev.gatehouse.sp.logout;

import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.federation.AccountLink;
import dev.gatehouse.common.federation.AccountLinks;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.logout.LogoutDeliveryResult;
import dev.gatehouse.common.logout.LogoutNotice;
import dev.gatehouse.common.logout.LogoutNotices;
import dev.gatehouse.common.logout.LogoutReason;
import dev.gatehouse.common.logout.SoapLogout;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlIds;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.sp.edge.FrontChannel;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.logout.Receipt.Outcome;
import dev.gatehouse.sp.session.AppSession;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;

/**
 * Asks the identity provider to end its session too, with a signed LogoutRequest (SAML Core 3.7.1; Profiles 4.4.3.1).
 */
public final class LogoutStart implements ProviderLogout {

  /** The longest time for an answer; a request that arrives later must not be valid any more. */
  private static final Duration LIFE = Duration.ofMinutes(10);

  private static final Duration MAX_TRYING = Duration.ofHours(24);

  private final SingleUseStore<PendingLogout> pendings;
  private final LogoutNotices notices;
  private final PartnerRegistry partners;
  private final AccountLinks links;
  private final FrontChannel frontChannel;
  private final Refusals refusals;
  private final InstantSource time;
  private final RandomGenerator random;

  public LogoutStart(
      Stores stores,
      LogoutNotices notices,
      PartnerRegistry partners,
      AccountLinks links,
      FrontChannel frontChannel,
      Refusals refusals,
      InstantSource time,
      RandomGenerator random) {
    this.pendings = stores.ends().singleUse("sp-logout", PendingLogout.CODEC);
    this.notices = notices;
    this.partners = partners;
    this.links = links;
    this.frontChannel = frontChannel;
    this.refusals = refusals;
    this.time = time;
    this.random = random;
  }

  /** Asks the identity provider by the preferred channel. The session has already ended here. */
  @Override
  public Asking ask(SpRealm realm, EdgeRequest request, AppSession ended) {
    return switch (partners.metadata(realm.name(), ended.login().identityProvider())) {
      case Result.Refused(SamlRefusal refusal) -> {
        refusals.log("LogoutRequest", refusal);
        // A broken metadata document may be repaired within a minute.
        yield refusal.reason() == Reason.PARTNER_METADATA_UNAVAILABLE
            ? bySoap(realm, ended)
            : new Asking.Known(Outcome.NOT_ASKED);
      }
      case Result.Accepted(PartnerMetadata metadata) -> ask(realm, request, ended, metadata);
    };
  }

  private Asking ask(SpRealm realm, EdgeRequest request, AppSession ended, PartnerMetadata metadata) {
    Optional<Endpoint> front = endpoint(metadata);
    boolean soap =
        metadata.idp().map(role -> role.sso().singleLogout()).orElse(List.of()).stream()
            .anyMatch(endpoint -> endpoint.binding() == Binding.SOAP);
    if (soap && (front.isEmpty() || prefersSoap(realm, ended.login().identityProvider()))) {
      return bySoap(realm, ended);
    }
    return front
        .<Asking>map(endpoint -> new Asking.OnItsWay(send(realm, request, ended, endpoint)))
        .orElseGet(() -> new Asking.Known(Outcome.NOT_ASKED));
  }

  private boolean prefersSoap(SpRealm realm, String identityProvider) {
    return partners
        .find(realm.name(), identityProvider)
        .filter(partner -> partner.config().logout() == PartnerConfig.Logout.SOAP)
        .isPresent();
  }

  /**
   * Sends the request from server to server, stores it, and repeats it in the background if it fails. A request without
   * SessionIndex is not repeated: it names all sessions of the person, so a later attempt would end a session that they
   * opened meanwhile.
   */
  private Asking bySoap(SpRealm realm, AppSession ended) {
    Instant now = time.instant();
    Instant giveUpAt =
        ended.login().sessionIndex().isEmpty()
            ? now
            : ended.lifetime().absoluteEnd().isBefore(now.plus(MAX_TRYING)) ? ended.lifetime().absoluteEnd() : now.plus(MAX_TRYING);
    LogoutNotice notice =
        new LogoutNotice(
            ended.login().identityProvider(),
            presentName(realm, ended),
            ended.login().sessionIndex().stream().toList(),
            ended.person().value(),
            LogoutReason.USER,
            now,
            giveUpAt,
            0,
            Optional.empty());
    CompletableFuture<LogoutDeliveryResult> delivery = notices.deliver(ended.id().value(), realm.name(), notice);
    return new Asking.Known(await(delivery));
  }

  /**
   * Returns the name that the identity provider knows now (SAML Core 3.7.1): it may have replaced that of the login by a NewID (Core
   * 3.6.3).
   */
  private NameId presentName(SpRealm realm, AppSession ended) {
    NameId asserted = ended.login().nameId();
    if (!asserted.format().equals(NameId.PERSISTENT) || !ended.isLinked()) {
      return asserted;
    }
    try {
      return links
          .ofAccount(realm.name(), ended.login().identityProvider(), ended.person())
          .map(AccountLink::nameId)
          .map(asserted::withValue)
          .orElse(asserted);
    } catch (DirectoryUnavailable e) {
      // The session has ended here, and hardly any name changes: the identity provider is asked all the same.
      return asserted;
    }
  }

  /** An attempt has its own time limit; this limit also covers the surrounding work. */
  private static Outcome await(CompletableFuture<LogoutDeliveryResult> delivery) {
    try {
      return Outcome.of(delivery.get(SoapLogout.Side.SP.timeout().toMillis() + 1000, TimeUnit.MILLISECONDS));
    } catch (TimeoutException | ExecutionException e) {
      return Outcome.UNREACHABLE;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Outcome.UNREACHABLE;
    }
  }

  SingleUseStore<PendingLogout> pendings() {
    return pendings;
  }

  /**
   * Returns the sender of a logout message if it is any identity provider among the partners, because sessions of a
   * former identity provider may still be open.
   */
  static Result<PartnerMetadata, SamlRefusal> identityProvider(PartnerRegistry partners, SpRealm realm, String issuer) {
    Result<PartnerMetadata, SamlRefusal> found = partners.metadata(realm.name(), issuer);
    return found instanceof Result.Accepted(PartnerMetadata metadata) && metadata.idp().isEmpty()
        ? new Result.Refused<>(new SamlRefusal(Reason.PARTNER_UNKNOWN, "no identity provider: " + issuer))
        : found;
  }

  /** The partner's SingleLogoutService: Redirect if it lists one, otherwise POST. */
  static Optional<Endpoint> endpoint(PartnerMetadata metadata) {
    return endpoint(metadata, Binding.REDIRECT).or(() -> endpoint(metadata, Binding.POST));
  }

  /** The endpoint for the answer to a request: with the same binding if the partner lists it. */
  static Optional<Endpoint> endpointForAnswer(PartnerMetadata metadata, Binding cameBy) {
    return endpoint(metadata, cameBy).or(() -> endpoint(metadata));
  }

  private static Optional<Endpoint> endpoint(PartnerMetadata metadata, Binding binding) {
    return metadata.idp().map(role -> role.sso().singleLogout()).orElse(List.of()).stream()
        .filter(endpoint -> endpoint.binding() == binding)
        .findFirst();
  }

  private EdgeReply send(SpRealm realm, EdgeRequest request, AppSession ended, Endpoint endpoint) {
    Instant now = time.instant();
    LogoutRequest message =
        new LogoutRequest(
            SamlIds.create(random),
            now,
            realm.sp().entityId(),
            Optional.of(endpoint.location()),
            Optional.of(now.plus(LIFE)),
            Optional.of(LogoutReason.USER.uri()),
            presentName(realm, ended),
            ended.login().sessionIndex().stream().toList());
    pendings.put(
        message.id(),
        new PendingLogout(
            realm.name(), ended.login().identityProvider(), ended.person().value(), request.origin() + "/"),
        now.plus(LIFE));
    Optional<String> relayState = Optional.of(message.id());
    return endpoint.binding() == Binding.REDIRECT
        ? frontChannel.redirect(realm, message, endpoint.location(), relayState)
        : frontChannel.post(realm, request, message, endpoint.location(), relayState);
  }
}
