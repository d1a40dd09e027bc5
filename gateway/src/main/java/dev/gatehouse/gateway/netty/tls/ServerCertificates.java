package dev.gatehouse.gateway.netty.tls;

import dev.gatehouse.common.certificate.AlternativeNames;
import dev.gatehouse.common.crypto.Pem;
import dev.gatehouse.common.node.Node;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A listener's certificates, ready for handshakes. The choice depends on the requested name (RFC 6066, section 3) and
 * on whether the client can verify ECDSA; the first certificate is used if none has the requested name.
 */
final class ServerCertificates {


  private record Entry(SslContext context, boolean ecdsa) {}

  private final List<Entry> all = new ArrayList<>();
  private final Map<String, List<Entry>> byName = new HashMap<>();

  private ServerCertificates() {}

  /** @throws UncheckedIOException if one of the files does not hold a certificate and its key */
  static ServerCertificates load(List<Node.Tls> files, Optional<Path> clientAuthorities) {
    ServerCertificates loaded = new ServerCertificates();
    for (Node.Tls one : files) {
      X509Certificate certificate = certificate(one.certificate());
      Entry entry =
          new Entry(TlsContexts.server(one, clientAuthorities), certificate.getPublicKey() instanceof ECPublicKey);
      loaded.all.add(entry);
      for (String name : AlternativeNames.dns(certificate)) {
        loaded.byName.computeIfAbsent(name.toLowerCase(Locale.ROOT), n -> new ArrayList<>()).add(entry);
      }
    }
    return loaded;
  }

  boolean isOne() {
    return all.size() == 1;
  }

  SslContext first() {
    return all.getFirst().context();
  }

  Collection<SslContext> contexts() {
    return all.stream().map(Entry::context).toList();
  }

  /** @param host the requested name; null if the client sent none */
  SslContext choose(@Nullable String host, boolean ecdsa) {
    List<Entry> fitting = host == null ? all : named(host.toLowerCase(Locale.ROOT));
    if (fitting == all && (ecdsa || !all.getFirst().ecdsa())) {
      return first();
    }
    for (Entry entry : fitting) {
      if (entry.ecdsa() == ecdsa) {
        return entry.context();
      }
    }
    // Every client can verify RSA; but an ECDSA certificate is still better than one of another name.
    return fitting.getFirst().context();
  }

  private List<Entry> named(String host) {
    List<Entry> exact = byName.get(host);
    if (exact != null) {
      return exact;
    }
    int dot = host.indexOf('.');
    List<Entry> wildcard = dot < 0 ? null : byName.get("*" + host.substring(dot));
    return wildcard == null ? all : wildcard;
  }

  private static X509Certificate certificate(Path file) {
    try {
      return Pem.certificates(Files.readAllBytes(file)).getFirst();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    } catch (GeneralSecurityException e) {
      throw new UncheckedIOException("no certificate in " + file, new IOException(e));
    }
  }
}
