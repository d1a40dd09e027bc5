package dev.gatehouse.gateway.netty.upstream;

import dev.gatehouse.common.crypto.Pem;
import dev.gatehouse.common.realm.UpstreamConfig.ClientKey;
import dev.gatehouse.common.realm.UpstreamConfig.Tls;
import dev.gatehouse.gateway.netty.tls.TlsContexts;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLException;

/**
 * TLS to apps: certificates and names are always verified. All servers with the same settings share one context, so
 * that connections resume the sessions of earlier connections.
 */
public final class UpstreamTls {

  private final Map<Tls, SslContext> contexts = new ConcurrentHashMap<>();

  /** @throws UncheckedIOException if keys or certificates cannot be used */
  SslContext context(Tls settings) {
    return contexts.computeIfAbsent(settings, UpstreamTls::make);
  }

  /** Removes the contexts of all other settings. */
  void retain(Set<Tls> used) {
    contexts.keySet().retainAll(used);
  }

  private static SslContext make(Tls settings) {
    try {
      SslContextBuilder builder = TlsContexts.towardsApps();
      if (!settings.ca().isEmpty()) {
        builder.trustManager(settings.ca().toArray(X509Certificate[]::new));
      }
      if (settings.client().isPresent()) {
        ClientKey client = settings.client().get();
        byte[] pem = client.privateKey().value().getBytes(StandardCharsets.US_ASCII);
        builder.keyManager(Pem.privateKey(pem), client.chain().toArray(X509Certificate[]::new));
      }
      return builder.build();
    } catch (SSLException e) {
      throw new UncheckedIOException("no TLS towards apps", e);
    } catch (GeneralSecurityException e) {
      throw new UncheckedIOException("the key towards apps cannot be used", new SSLException(e));
    }
  }
}
