package dev.gatehouse.idp.saml.slo;

import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.saml.SamlReader;
import dev.gatehouse.common.saml.SamlWriter;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.idp.authn.IdpSessions;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.saml.SpPartners;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;

/** Puts the profile's endpoints together. */
public final class SloConfig {

  private SloConfig() {}

  /** The routes {@code saml/slo}, {@code logout} and those of the receipt. */
  public static List<Route> routes(
      IdpSessions sessions,
      Logouts logouts,
      SpPartners partners,
      ReplayCache replay,
      KeyRings keys,
      SamlReader reader,
      SamlWriter writer,
      Pages pages,
      Refusals refusals,
      InstantSource clock,
      RandomGenerator random) {
    LogoutMessages messages = new LogoutMessages(keys, writer, pages, clock, random);
    return List.of(
        Route.message(
            "saml/slo",
            new SloEndpoint(reader, partners, sessions, logouts, messages, replay, pages, refusals, clock)),
        Route.form("logout", new LogoutEndpoint(sessions, logouts, pages)),
        Route.get("logout/receipt", new ReceiptEndpoint(logouts, messages, pages, refusals, clock)),
        Route.get("logout/frame", new FrameEndpoint(logouts, messages, refusals)));
  }
}
