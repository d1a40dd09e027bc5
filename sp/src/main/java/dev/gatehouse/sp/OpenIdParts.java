package dev.gatehouse.sp;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.sp.check.ReplayCheck;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.idtoken.IdTokenValidator;
import dev.gatehouse.sp.idtoken.LogoutTokenValidator;
import dev.gatehouse.sp.login.LoginStart;
import dev.gatehouse.sp.login.PendingRequests;
import dev.gatehouse.sp.login.ReturnRedirect;
import dev.gatehouse.sp.logout.ProviderLogout;
import dev.gatehouse.sp.oidc.BackChannelLogoutEndpoint;
import dev.gatehouse.sp.oidc.CallbackEndpoint;
import dev.gatehouse.sp.oidc.CodeRedemption;
import dev.gatehouse.sp.oidc.FrontChannelLogoutEndpoint;
import dev.gatehouse.sp.oidc.IdTokenHints;
import dev.gatehouse.sp.oidc.IdentityKeysEndpoint;
import dev.gatehouse.sp.oidc.LoggedOutEndpoint;
import dev.gatehouse.sp.oidc.OpenIdEndpoints;
import dev.gatehouse.sp.oidc.OpenIdLoginStart;
import dev.gatehouse.sp.oidc.OpenIdLogouts;
import dev.gatehouse.sp.oidc.OpenIdProviderLogout;
import dev.gatehouse.sp.oidc.OpenIdRefusals;
import dev.gatehouse.sp.oidc.OpenIdSessionOpening;
import dev.gatehouse.sp.oidc.OwnKeysEndpoint;
import dev.gatehouse.sp.provider.OpenIdProviders;
import dev.gatehouse.sp.provider.ProviderCalls;
import dev.gatehouse.sp.session.AppSessions;
import dev.gatehouse.sp.session.LogoutMarks;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/** Assembles the relying party. */
record OpenIdParts(LoginStart login, ProviderLogout logout, OpenIdEndpoints endpoints) {

  static OpenIdParts of(
      OpenIdProviders providers,
      ProviderCalls calls,
      PartnerRegistry partners,
      PendingRequests pendings,
      ReturnRedirect returnRedirect,
      AppSessions sessions,
      LogoutMarks marks,
      ReplayCheck replays,
      Stores stores,
      KeyRings keyRings,
      Pages pages,
      AuditLog audit,
      Refusals refusals,
      InstantSource time,
      RandomGenerator random) {
    OpenIdRefusals signOnRefusals = new OpenIdRefusals(partners, pages, refusals);
    OpenIdLogouts logouts = new OpenIdLogouts(sessions, marks);
    IdTokenHints hints = new IdTokenHints(stores);
    CodeRedemption redemption = new CodeRedemption(providers, calls, new IdTokenValidator(providers), time);
    OpenIdSessionOpening sessionOpening =
        new OpenIdSessionOpening(returnRedirect, sessions, logouts, hints, signOnRefusals, audit, time, random);
    OpenIdProviderLogout logout = new OpenIdProviderLogout(stores, providers, hints, time, random);
    OpenIdEndpoints endpoints =
        new OpenIdEndpoints(
            new CallbackEndpoint(pendings, providers, redemption, sessionOpening, signOnRefusals, refusals),
            new LoggedOutEndpoint(logout, partners, pages, audit, refusals),
            new BackChannelLogoutEndpoint(new LogoutTokenValidator(providers, time), replays, logouts, refusals),
            new FrontChannelLogoutEndpoint(logouts, refusals, time),
            new OwnKeysEndpoint(keyRings, refusals),
            new IdentityKeysEndpoint(keyRings, refusals),
            refusals);
    return new OpenIdParts(
        new OpenIdLoginStart(pendings, providers, calls, refusals, time, random), logout, endpoints);
  }
}
