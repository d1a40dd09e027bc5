package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.key.Pem;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.UpstreamConfig.ClientKey;
import dev.gatehouse.common.realm.UpstreamConfig.Server;
import dev.gatehouse.common.realm.UpstreamConfig.Tls;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/**
 * Reads {@code tls} of an app's servers. The contents of the files belong to the revision, so that a renewed certificate is a change
 * like any other. No key turns verification off.
 */
final class UpstreamTlsYaml {

  private final YamlSection upstream;
  private final List<Server> servers;

  UpstreamTlsYaml(YamlSection upstream, List<Server> servers) {
    this.upstream = upstream;
    this.servers = servers;
  }

  Tls read() {
    Optional<YamlSection> found = upstream.section("tls");
    if (found.isEmpty()) {
      return Tls.PUBLIC;
    }
    YamlSection tls = found.get();
    if (!servers.isEmpty() && servers.stream().noneMatch(s -> "https".equalsIgnoreCase(s.url().getScheme()))) {
      upstream.problem("tls", "stands where no server speaks it", "write https:// in the servers' URLs, or remove it");
    }
    return new Tls(
        tls.value("ca").flatMap(UpstreamTlsYaml::certificates).orElse(List.of()),
        client(tls),
        tls.value("serverName").flatMap(UpstreamTlsYaml::hostName));
  }

  private static Optional<ClientKey> client(YamlSection tls) {
    Optional<YamlValue> certificate = tls.value("clientCertificate");
    Optional<YamlValue> key = tls.value("clientKey");
    if (certificate.isPresent() != key.isPresent()) {
      String there = certificate.isPresent() ? "clientCertificate" : "clientKey";
      String missing = certificate.isPresent() ? "clientKey" : "clientCertificate";
      tls.problem(there, "stands without " + missing, "write both, or neither");
      return Optional.empty();
    }
    if (certificate.isEmpty() || key.isEmpty() || KeyYaml.pem(key.get(), certificate.get()).isEmpty()) {
      return Optional.empty();
    }
    Optional<Secret> secret = key.get().content().map(c -> new Secret(new String(c, StandardCharsets.US_ASCII)));
    return certificates(certificate.get()).flatMap(chain -> secret.map(s -> new ClientKey(chain, s)));
  }

  private static Optional<List<X509Certificate>> certificates(YamlValue value) {
    return value.content().flatMap(content -> certificates(value, content));
  }

  private static Optional<List<X509Certificate>> certificates(YamlValue value, byte[] content) {
    try {
      return Optional.of(Pem.certificates(content));
    } catch (GeneralSecurityException e) {
      return value.wrong("is not a PEM certificate: " + value.shownPath(),
          "write the path of a file with BEGIN CERTIFICATE");
    }
  }

  private static Optional<String> hostName(YamlValue value) {
    return value.text().matches("[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?")
        ? Optional.of(value.text())
        : value.wrong(value.shown() + " is no host name", "write the name in the servers' certificate");
  }
}
