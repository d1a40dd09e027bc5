package dev.gatehouse.idp.oauth.client;

import dev.gatehouse.common.http.PublicHttp;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.throttle.GuessThrottle;
import java.time.InstantSource;

/**
 * The assembled services for clients.
 *
 * @param http for URLs that a client names
 */
public record ClientServices(
    Clients clients,
    ClientSecrets secrets,
    ClientKeys keys,
    ClientSignatures signatures,
    ClientAuthentications authentications,
    ClientLogos logos,
    PublicHttp http) {

  public static ClientServices of(
      Clients.Registered registered,
      SealingKey sealing,
      GuessThrottle throttle,
      ReplayCache replay,
      PublicHttp http,
      InstantSource clock) {
    Clients clients = new Clients(registered);
    ClientSecrets secrets = new ClientSecrets(sealing, clock);
    ClientKeys keys = new ClientKeys(http, clock);
    ClientSignatures signatures = new ClientSignatures(keys, secrets);
    return new ClientServices(
        clients,
        secrets,
        keys,
        signatures,
        new ClientAuthentications(
            clients,
            secrets,
            throttle,
            new ClientAssertions(clients, signatures, replay, clock),
            new CertificateProofs(keys, clock)),
        new ClientLogos(http, clock),
        http);
  }
}
