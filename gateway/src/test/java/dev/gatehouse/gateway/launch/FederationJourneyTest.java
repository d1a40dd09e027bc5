package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.FreePorts;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.NameOwner;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.directory.Slapd;
import dev.gatehouse.common.directory.TestPeople;
import dev.gatehouse.common.federation.AccountLink;
import dev.gatehouse.common.federation.AccountLinks;
import dev.gatehouse.common.federation.BulkFederation;
import dev.gatehouse.common.federation.BulkFederation.Line;
import dev.gatehouse.common.federation.BulkFederation.Outcome.Federated;
import dev.gatehouse.common.federation.PersistentNameId;
import dev.gatehouse.common.federation.PersistentNameIds;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.NamedKeys;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.gateway.demo.DemoConfiguration;
import dev.gatehouse.gateway.demo.DemoPorts;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An idp and an sp that know each other by metadata alone, and a real slapd: what administrators change at one end reaches
 * the other by SOAP (SAML Profiles 4.5), wherever the links are kept.
 */
@Timeout(180)
class FederationJourneyTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"database", "directory"})
  void whatChangesAtOneEndReachesTheOther(String store) throws Exception {
    try (Slapd slapd = Slapd.start(Slapd.FEDERATION, TestPeople.LDIF)) {
      List<Integer> free = FreePorts.take(7);
      DemoPorts ports =
          new DemoPorts(free.get(0), free.get(1), free.get(2), free.get(3), free.get(4), free.get(5), slapd.port(), free.get(6));
      try (RunningNode node = RunningNode.start(configured(ports, store), Map.of());
          HttpClient http = HttpClient.newHttpClient()) {
        new Journey(node, http, ports).run();
      }
    }
  }

  private Path configured(DemoPorts ports, String store) throws IOException {
    Path config = folder.resolve("config");
    new DemoConfiguration(config).write(ports);
    Path node = config.resolve("gatehouse.yaml");
    Files.writeString(node, Files.readString(node).replaceAll("(?m)^    - .*certificate: .*\n", ""));
    Path realm = config.resolve("realms/demo.yaml");
    String bind = "  bindDn: " + TestPeople.SERVICE + "\n  bindPassword: " + TestPeople.SERVICE_PASSWORD + "\n";
    Files.writeString(
        realm,
        Files.readString(realm)
                .replace("  base: dc=example,dc=org\n", "  base: dc=example,dc=org\n" + bind)
                .replaceAll("(?m)^  otherOrigins: .*\n", "")
            + "\nfederation: {store: " + store + "}\n");
    return config;
  }

  private static final class Journey {
    private static final JsonMapper JSON = new JsonMapper();

    private final RunningNode node;
    private final HttpClient http;
    private final DemoPorts ports;
    private final String sp;
    private final String idp;
    private final String key;
    private final PersistentNameIds names;
    private final AccountLinks links;

    Journey(RunningNode node, HttpClient http, DemoPorts ports) {
      this.node = node;
      this.http = http;
      this.ports = ports;
      this.sp = "http://app.localhost:" + ports.appHttp() + "/.gatehouse/saml/metadata";
      this.idp = "http://idp.localhost:" + ports.idpHttp() + "/realms/demo";
      this.key = ((NamedKeys.Creation.Created) node.get(AdministratorKeys.class).create("test")).secret();
      this.names = node.get(PersistentNameIds.class);
      this.links = node.get(AccountLinks.class);
    }

    void run() throws Exception {
      awaitMetadata();
      Realm realm = node.get(Realms.class).find("demo").orElseThrow();
      BulkFederation bulk = node.get(BulkFederation.class);
      String first = federated(bulk, realm, "alice");
      PersonId alice = person(realm, "alice");
      assertThat(account(first)).contains(alice);

      told(send("POST", "names/renew", sp, first, ""));
      PersistentNameId renewed = names.find("demo", sp, alice).orElseThrow();
      assertThat(renewed.value()).isNotEqualTo(first);
      assertThat(account(renewed.value())).contains(alice);
      assertThat(account(first)).isEmpty();

      told(send("POST", "links/renew", idp, renewed.value(), "&calledHere=al%7Cice"));
      assertThat(names.find("demo", sp, alice).orElseThrow().spProvidedId()).contains("al|ice");
      assertThat(links.find("demo", idp, renewed.value()).flatMap(AccountLink::spProvidedId)).contains("al|ice");

      told(send("DELETE", "names", sp, renewed.value(), ""));
      assertThat(account(renewed.value())).isEmpty();
      assertThat(names.find("demo", sp, alice)).isEmpty();

      String bobs = federated(bulk, realm, "bob");
      told(send("DELETE", "links", idp, bobs, ""));
      assertThat(names.find("demo", sp, person(realm, "bob"))).isEmpty();
      assertThat(federated(bulk, realm, "bob")).as("never the same again").isNotEqualTo(bobs);
    }

    private String federated(BulkFederation bulk, Realm realm, String person) {
      String value = ((Federated) bulk.give(realm, sp, List.of(new Line(person, Optional.empty()))).getFirst()).nameId();
      assertThat(bulk.link(realm, idp, List.of(new Line(person, Optional.of(value)))).getFirst())
          .isEqualTo(new Federated(value, true));
      return value;
    }

    private PersonId person(Realm realm, String name) {
      NameOwner owner = node.get(Directories.class).of(realm).owners(List.of(name)).get(name);
      return ((NameOwner.One) java.util.Objects.requireNonNull(owner)).id();
    }

    private Optional<PersonId> account(String nameId) {
      return links.find("demo", idp, nameId).map(AccountLink::account);
    }

    private static void told(JsonNode answer) {
      assertThat(answer.get("delivered").asBoolean()).as(answer.toString()).isTrue();
    }

    private JsonNode send(String method, String path, String partner, String nameId, String more) throws Exception {
      String query = "?partner=" + encoded(partner) + "&nameId=" + encoded(nameId) + more;
      HttpRequest request =
          HttpRequest.newBuilder(
                  URI.create(
                      "http://127.0.0.1:" + ports.admin() + "/admin/v1/realms/demo/federation/" + path + query))
              .header("Authorization", "Bearer " + key)
              .method(method, HttpRequest.BodyPublishers.noBody())
              .build();
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
      return JSON.readTree(response.body());
    }

    private static String encoded(String text) {
      return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private void awaitMetadata() throws InterruptedException {
      PartnerRegistry registry = node.get(PartnerRegistry.class);
      for (int i = 0; i < 600; i++) {
        if (registry.all("demo").stream().allMatch(p -> p.metadata() instanceof Partner.MetadataState.Usable)) {
          return;
        }
        Thread.sleep(50);
      }
      throw new AssertionError("the two did not get each other's metadata");
    }
  }
}
