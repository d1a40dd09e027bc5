package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.db.Revision;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.FileKeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.key.NamedKeys.Creation;
import dev.gatehouse.common.pkcs11.SoftHsm;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.inuse.RealmsInUse;
import dev.gatehouse.common.revision.RevisionStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** A running node takes over no configuration whose keys its token does not have. */
@Timeout(300)
class TokenRevisionTest {

  private static final String WRONG = "keys.pkcs11[0].label: cannot be used — The token hsm has no private key with the label stuff: make one in it";

  @TempDir private Path path = Path.of("");

  private CommandFolder folder(String label, String more) throws IOException {
    assumeThat(SoftHsm.isInstalled()).isTrue();
    SoftHsm.generate(SoftHsm.token(label), "staff", List.of("-keyalg", "EC", "-groupname", "secp256r1"), false);
    Path pin = Files.writeString(path.resolve("pin"), SoftHsm.PIN);
    return new CommandFolder(path, more + "pkcs11: {hsm: {library: " + SoftHsm.LIBRARY + ", token: " + label + ", pinFile: " + pin + "}}\n");
  }

  private static int run(CommandFolder folder, String command, String... arguments) {
    List<String> line = new ArrayList<>(List.of(command, "--config", folder.config.toString()));
    line.addAll(List.of(arguments));
    return folder.run(line.toArray(String[]::new));
  }

  private static Realm demo(RunningNode node) {
    return node.get(RealmsInUse.class).find("demo").orElseThrow();
  }

  private static String signedBy(RunningNode node) {
    return node.get(FileKeyRings.class).of(demo(node)).current(KeyUse.IDP_SIGNING).certificate().getSubjectX500Principal().getName();
  }

  private HttpResponse<String> post(RunningNode node, String query, String text) throws Exception {
    AdministratorKeys keys = new AdministratorKeys(path.resolve("data"), InstantSource.system(), new SecureRandom());
    String key = ((Creation.Created) keys.create("ann" + query.length())).secret();
    String body = JsonMapper.shared().writeValueAsString(Map.of("files", List.of(Map.of("path", "realms/demo.yaml", "text", text)), "reason", "by REST"));
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.ports().admin() + "/admin/v1/revisions" + query))
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json")
            .header("If-Match", "\"1\"")
            .POST(BodyPublishers.ofString(body))
            .build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(request, BodyHandlers.ofString());
    }
  }

  @Test
  void aRevisionWithAWrongLabelIsRefusedAndTheFormerOneStaysInUse() throws Exception {
    CommandFolder folder = folder("revision", "configuration: {source: database}\n");
    String sample = Files.readString(folder.proposal.resolve("realms/demo.yaml"));
    Path proposed = folder.proposal.resolve("realms/demo.yaml");
    try (RunningNode node = RunningNode.start(folder.config, Map.of())) {
      String before = signedBy(node);
      String wrong = sample + "\nkeys: {pkcs11: [{token: hsm, label: stuff}]}\n";
      Files.writeString(proposed, wrong);
      for (String command : List.of("plan", "apply")) {
        assertThat(run(folder, command, folder.proposal.toString())).as(command).isEqualTo(1);
        assertThat(folder.out.toString()).as(command).contains("realms/demo.yaml: " + WRONG, "1 problem");
      }
      HttpResponse<String> planned = post(node, "?dryRun=true", wrong);
      assertThat(planned.statusCode()).isEqualTo(422);
      assertThat(planned.body()).contains("\"key\":\"keys.pkcs11[0].label\"", "no private key with the label stuff");
      HttpResponse<String> applied = post(node, "", wrong);
      assertThat(applied.statusCode()).as(applied.body()).isEqualTo(422);
      assertThat(applied.body()).contains("\"key\":\"keys.pkcs11[0].label\"", "no private key with the label stuff");
      assertThat(node.get(RevisionStore.class).latest()).map(Revision::number).contains(1L);
      assertThat(signedBy(node)).isEqualTo(before).isNotEqualTo("CN=staff");

      Files.writeString(proposed, sample + "\nkeys: {pkcs11: [{token: safe, label: staff}, {token: hsm, use: tokensRsa, label: staff}]}\n");
      assertThat(run(folder, "apply", folder.proposal.toString())).isEqualTo(1);
      assertThat(folder.out.toString())
          .contains("keys.pkcs11[0].token: cannot be used — A realm names the PKCS#11 token safe, which gatehouse.yaml does not have (it has: hsm)")
          .contains("keys.pkcs11[1].use: cannot be used — the key staff in the token hsm is P_256, but the use TOKENS_RSA needs RSA");

      Files.writeString(proposed, wrong.replace("stuff", "staff"));
      assertThat(run(folder, "apply", folder.proposal.toString())).as(() -> folder.out + folder.err.toString()).isZero();
      assertThat(folder.out.toString()).contains("Revision 2 is in use.");
      assertThat(signedBy(node)).isEqualTo("CN=staff");
    }
  }

  @Test
  void filesWithAWrongLabelAreRejectedAlsoByPlanWithoutANode() throws Exception {
    CommandFolder folder = folder("files", "");
    Path realm = folder.config.resolve("realms/demo.yaml");
    String right = Files.readString(realm) + "\nkeys: {pkcs11: [{token: hsm, label: staff}]}\n";
    Files.writeString(realm, right);
    String wrong = right.replace("label: staff", "label: stuff");
    Files.writeString(folder.proposal.resolve("realms/demo.yaml"), wrong);
    try (RunningNode node = RunningNode.start(folder.config, Map.of())) {
      RealmsInUse realms = node.get(RealmsInUse.class);
      Eventually.holds(() -> node.get(RevisionStore.class).latest().isPresent());
      Files.writeString(realm, wrong);
      Eventually.holds(() -> realms.status().rejection().isPresent());
      assertThat(realms.status().rejection().orElseThrow().problems()).singleElement().asString().contains(WRONG);
      assertThat(demo(node).keys().inTokens()).singleElement().extracting(key -> key.label()).isEqualTo("staff");
      Files.writeString(realm, right);
      Eventually.holds(() -> realms.status().rejection().isEmpty());
    }
    assertThat(run(folder, "plan", folder.proposal.toString())).isEqualTo(1);
    assertThat(folder.out.toString()).contains(WRONG);
  }
}
