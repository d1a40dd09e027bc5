package dev.gatehouse.gateway.netty.tls;

import dev.gatehouse.common.crypto.Pem;
import dev.gatehouse.common.http.TlsPolicy;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.gateway.netty.loop.TransportProvider;
import io.netty.channel.Channel;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** Builds TLS contexts that follow {@link TlsPolicy}. */
public final class TlsContexts {

  /** The protocols that a listener with TLS offers. */
  static final ApplicationProtocolConfig ALPN =
      new ApplicationProtocolConfig(
          Protocol.ALPN,
          SelectorFailureBehavior.NO_ADVERTISE,
          SelectedListenerFailureBehavior.ACCEPT,
          ApplicationProtocolNames.HTTP_2,
          ApplicationProtocolNames.HTTP_1_1);

  private TlsContexts() {}

  /**
   * The context of a listener; it asks for client certificates if there are authorities to verify them.
   *
   * @throws UncheckedIOException if the files do not hold a certificate and its key
   */
  static SslContext server(Node.Tls files, Optional<Path> clientAuthorities) {
    try {
      SslContextBuilder server =
          ofServer(files)
          .sslProvider(TransportProvider.bestTls())
          .protocols(TlsPolicy.PROTOCOLS)
          .ciphers(TlsPolicy.CIPHER_SUITES, SupportedCipherSuiteFilter.INSTANCE)
          .applicationProtocolConfig(ALPN);
      clientAuthorities.ifPresent(ca -> server.trustManager(ca.toFile()).clientAuth(ClientAuth.OPTIONAL));
      return server.build();
    } catch (SSLException e) {
      throw new UncheckedIOException("no TLS with " + files.certificate() + " and " + files.privateKey(), e);
    } catch (IllegalArgumentException e) {
      // The library reports an unusable key or certificate file this way.
      throw new UncheckedIOException(
          "no TLS with " + files.certificate() + " and " + files.privateKey(), new IOException(e));
    }
  }

  /**
   * Returns a builder with the key and the chain. Netty's own reader starts the whole Bouncy Castle provider, which takes a tenth of a
   * second; it is left to read the keys that are not PKCS#8.
   */
  private static SslContextBuilder ofServer(Node.Tls files) {
    try {
      PrivateKey key = Pem.privateKey(Files.readAllBytes(files.privateKey()));
      List<X509Certificate> chain = Pem.certificates(Files.readAllBytes(files.certificate()));
      return SslContextBuilder.forServer(key, chain.toArray(X509Certificate[]::new));
    } catch (IOException | GeneralSecurityException e) {
      // Netty reads other forms of keys, and reports why it cannot use a file.
      return SslContextBuilder.forServer(files.certificate().toFile(), files.privateKey().toFile());
    }
  }

  /**
   * The context for connections to apps: names are verified, against the JDK's certificate authorities unless others
   * are configured.
   */
  public static SslContextBuilder towardsApps() {
    return SslContextBuilder.forClient()
        .sslProvider(TransportProvider.bestTls())
        .protocols(TlsPolicy.PROTOCOLS)
        .ciphers(TlsPolicy.CIPHER_SUITES, SupportedCipherSuiteFilter.INSTANCE)
        .endpointIdentificationAlgorithm("HTTPS");
  }

  static SslHandler handler(SslContext context, Channel channel, Duration handshake) {
    SslHandler handler = context.newHandler(channel.alloc());
    handler.setHandshakeTimeoutMillis(handshake.toMillis());
    return handler;
  }
}
