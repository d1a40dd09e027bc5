package dev.gatehouse.common.realm.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.RealmGrant;
import dev.gatehouse.common.realm.RealmGrant.Endpoint;
import dev.gatehouse.common.realm.yaml.YamlDocument;
import dev.gatehouse.common.realm.yaml.YamlSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every key of {@code realms} in {@code gatehouse.yaml}: what it grants, and its mistakes. */
class GrantKeysTest {

  @TempDir Path path;

  private record Read(Map<String, RealmGrant> grants, List<Problem> problems) {}

  private Read read(String realm) throws IOException {
    Path file = path.resolve("gatehouse.yaml");
    Files.writeString(file, "realms: {sales: " + realm + "}\n");
    YamlSource source = new YamlSource(file, Map.of(), Map::of);
    Map<String, RealmGrant> grants = new NodeYaml(YamlDocument.root(source, NodeYaml.KEYS).orElseThrow()).grants();
    return new Read(grants, source.problems());
  }

  private RealmGrant grant(String realm) throws IOException {
    Read read = read(realm);
    assertThat(read.problems()).isEmpty();
    return read.grants().getOrDefault("sales", RealmGrant.NONE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "app.example.org | app.example.org | true",
        "APP.example.org | app.EXAMPLE.org | true",
        "app.example.org | x.app.example.org | false",
        "'*.example.org' | app.example.org | true",
        "'*.example.org' | a.b.example.org | true",
        "'*.example.org' | example.org | false",
        "'*.example.org' | .example.org | false",
        "'*.example.org' | evilexample.org | false",
        "'*.example.org' | app.example.org. | false",
        "'[::1]' | [::1] | true",
        "127.0.0.1 | 127.0.0.1 | true"
      })
  void aHostIsGranted(String granted, String asked, boolean permitted) throws IOException {
    assertThat(grant("{hosts: [\"" + granted + "\"]}").permitsHost(asked)).isEqualTo(permitted);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "app.internal:8080 | app.internal | 8080 | true",
        "app.internal:8080 | app.internal | 80 | false",
        "'*.internal:80' | a.internal | 80 | true",
        "'[::1]:9000' | [::1] | 9000 | true",
        "10.1.0.0/16 | 10.1.2.3 | 1 | true",
        "10.1.0.0/16 | 10.2.2.3 | 1 | false",
        "10.1.0.0/16 | [::ffff:10.1.2.3] | 1 | true",
        "10.1.0.0/16 | a.10.1.0.0 | 1 | false",
        "10.1.2.3 | 10.1.2.3 | 7 | true",
        "'2001:db8::/32' | [2001:db8::7] | 80 | true",
        "127.0.0.0/8 | localhost | 80 | false",
        "127.0.0.0/8 | app.localhost | 80 | false"
      })
  void aServerIsGranted(String granted, String host, int port, boolean permitted) throws IOException {
    assertThat(grant("{upstreams: [\"" + granted + "\"]}").permitsServer(new Endpoint("http", host, port))).isEqualTo(permitted);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "https://a.example | https | a.example | 443 | true",
        "https://a.example/ | https | a.example | 443 | true",
        "https://a.example | http | a.example | 443 | false",
        "https://a.example | https | a.example | 8443 | false",
        "HTTPS://*.Example:8443 | https | b.example | 8443 | true",
        "ldaps://ldap.example | ldaps | ldap.example | 636 | true",
        "ldap://ldap.example | ldaps | ldap.example | 636 | false"
      })
  void aDestinationIsGranted(String granted, String scheme, String host, int port, boolean permitted) throws IOException {
    assertThat(grant("{outbound: [\"" + granted + "\"]}").permitsOutbound(new Endpoint(scheme, host, port))).isEqualTo(permitted);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{hosts: [\"https://app.example.org\"]} | realms.sales.hosts[0] | is not a host",
        "{hosts: [\"*\"]} | realms.sales.hosts[0] | is not a host",
        "{hosts: [\"app.*.org\"]} | realms.sales.hosts[0] | is not a host",
        "{hosts: [\"app.example.org:80\"]} | realms.sales.hosts[0] | is not a host",
        "{hosts: [\"app.example.org.\"]} | realms.sales.hosts[0] | is not a host",
        "{upstreams: [app.internal]} | realms.sales.upstreams[0] | is not a server",
        "{upstreams: [\"app.internal:0\"]} | realms.sales.upstreams[0] | is not a server",
        "{upstreams: [\"app.internal:99999\"]} | realms.sales.upstreams[0] | is not a server",
        "{upstreams: [\"http://app.internal:80\"]} | realms.sales.upstreams[0] | is not a",
        "{upstreams: [0.0.0.0/0]} | realms.sales.upstreams[0] | is every address there is",
        "{upstreams: [\"*:80\"]} | realms.sales.upstreams[0] | is not a server",
        "{outbound: [a.example]} | realms.sales.outbound[0] | is not an origin",
        "{outbound: [\"https://a.example/path\"]} | realms.sales.outbound[0] | is not an origin",
        "{outbound: [\"https://user@a.example\"]} | realms.sales.outbound[0] | is not an origin",
        "{outbound: [\"https://*\"]} | realms.sales.outbound[0] | is not an origin",
        "{outbound: [\"ftp://a.example\"]} | realms.sales.outbound[0] | is not an origin",
        "{outbound: [\"https://a.example:0\"]} | realms.sales.outbound[0] | is not an origin",
        "{host: [a]} | realms.sales.host | is not a known key",
        "all | realms.sales | is a single value"
      })
  void aMistakeGrantsNothing(String realm, String key, String message) throws IOException {
    Read read = read(realm);
    assertThat(read.problems()).singleElement().satisfies(
        problem -> {
          assertThat(problem.key()).isEqualTo(key);
          assertThat(problem.message()).contains(message);
          assertThat(problem.remedy()).isNotEmpty();
        });
    assertThat(read.grants().getOrDefault("sales", RealmGrant.NONE)).isEqualTo(RealmGrant.NONE);
  }

  @Test
  void nothingIsGrantedUnlessConfigured() throws IOException {
    assertThat(grant("{}")).isEqualTo(RealmGrant.NONE);
    assertThat(read("{hosts: [a.example]}").grants()).containsOnlyKeys("sales");
  }
}
