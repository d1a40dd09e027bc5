package dev.gatehouse.idp.oauth.device;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.throttle.GuessThrottle;
import dev.gatehouse.idp.authn.IdpSessions;
import dev.gatehouse.idp.authn.PendingRequests;
import dev.gatehouse.idp.authn.PendingRequestsFactory;
import dev.gatehouse.idp.authn.PendingSignOns;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.oauth.OAuthReplies;
import dev.gatehouse.idp.oauth.PendingQuota;
import dev.gatehouse.idp.oauth.client.ClientAuthentications;
import dev.gatehouse.idp.oauth.client.Clients;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;

/** Assembles device authorization. */
public final class DeviceConfig {

  private final DeviceCodes codes;
  private final DeviceSignOns signOns;
  private final PendingRequests<DeviceConfirmation> pendingRequests;
  private final Clients clients;

  public DeviceConfig(Stores stores, PendingRequestsFactory pendingFactory, PendingQuota quota, Clients clients) {
    this.clients = clients;
    this.codes = new DeviceCodes(stores, quota, pendingFactory.clock(), pendingFactory.random());
    this.pendingRequests = pendingFactory.create("device", new DeviceConfirmation.Codec());
    this.signOns = new DeviceSignOns(pendingRequests, codes, clients, pendingFactory.browsers());
  }

  /** The codes, for the grant that redeems device codes. */
  public DeviceCodes codes() {
    return codes;
  }

  /** The device page, while it waits for a login. */
  public PendingSignOns signOns() {
    return signOns;
  }

  /** The routes {@code oauth/device_authorization} and {@code device}. */
  public List<Route> routes(
      IdpSessions sessions,
      ClientAuthentications authentications,
      OAuthReplies replies,
      GuessThrottle throttle,
      Pages pages,
      Refusals refusals,
      AuditLog audit,
      InstantSource clock,
      RandomGenerator random) {
    return List.of(
        Route.post(
            "oauth/device_authorization",
            replies.guarded(new DeviceAuthorizationEndpoint(authentications, codes, replies))),
        Route.form(
            DevicePage.PATH,
            new DevicePage(
                sessions,
                signOns,
                pendingRequests,
                codes,
                new DeviceDecision(codes, audit, clock, random),
                clients,
                throttle,
                pages,
                refusals)));
  }
}
