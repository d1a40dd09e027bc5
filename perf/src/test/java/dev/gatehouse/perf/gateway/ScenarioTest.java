package dev.gatehouse.perf.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.SessionAssurance;
import dev.gatehouse.common.realm.SessionTimeouts;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.perf.gateway.Scenario.Site;
import dev.gatehouse.perf.server.GatehouseNode;
import dev.gatehouse.perf.server.Lifetimes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scenarios of S2 at one node and at several. */
class ScenarioTest {

  private static final String IDP = "http://127.0.0.1:8080";

  @TempDir Path folder;

  private Realm realm(Gateway.Setting setting) throws IOException, ConfigurationInvalid {
    GatehouseNode.Configured node =
        GatehouseNode.configure(
            "node", folder, "[idp, sp, gateway]",
            GatehouseNode.listener("idp", 8080) + "\n  " + GatehouseNode.listener("gateway", 8000), "trustedProxies: [127.0.0.0/8]\n",
            8000, Map.of(Gateway.REALM, Gateway.realm(8000, 8444, 8443, IDP, 9000, 389, setting)));
    return new ConfigurationFiles(node.config(), Map.of()).load().realms().getFirst();
  }

  @Test
  void sessionsOfBothSidesAreAsTheBenchmarkNeedsThem() throws IOException, ConfigurationInvalid {
    Duration day = Duration.ofHours(8);
    Realm usual = realm(new Gateway.Setting("", Optional.empty(), Optional.empty()));
    assertThat(usual.sp().orElseThrow().session()).isEqualTo(new SessionTimeouts(day, day));
    assertThat(usual.idp().orElseThrow().session()).isEqualTo(new SessionTimeouts(Duration.ofMinutes(30), day));

    Realm bound = realm(new Gateway.Setting("", Optional.of("observe"), Optional.empty()));
    assertThat(bound.sp().orElseThrow().session()).isEqualTo(new SessionTimeouts(day, day, SessionAssurance.OBSERVE));
    assertThat(bound.idp().orElseThrow().session()).isEqualTo(new SessionTimeouts(Duration.ofMinutes(30), day, SessionAssurance.OBSERVE));

    Lifetimes minutes = new Lifetimes(Duration.ofMinutes(2), Duration.ofMinutes(4), Duration.ofMinutes(3));
    Realm brief = realm(new Gateway.Setting("", Optional.empty(), Optional.of(minutes)));
    SessionTimeouts wanted = new SessionTimeouts(Duration.ofMinutes(2), Duration.ofMinutes(4));
    assertThat(brief.sp().orElseThrow().session()).isEqualTo(wanted);
    assertThat(brief.idp().orElseThrow().session()).isEqualTo(wanted);
  }

  @Test
  void everyScenarioHasARouteInTheRealmOfOneNode() throws IOException, ConfigurationInvalid {
    List<String> paths =
        realm(new Gateway.Setting("", Optional.empty(), Optional.empty())).gateway().routes().stream()
            .map(route -> route.match().path())
            .toList();
    Site site = new Site("http://127.0.0.1:8000", "https://127.0.0.1:8443", IDP);
    for (Scenario each : Scenario.values()) {
      assertThat(paths).as(each.word()).anyMatch(path -> each.at(site).getPath().startsWith(path));
    }
  }

  /** Reports and records know them by these names. */
  @Test
  void severalNodesHaveThoseOfS2ThatDifferByHttps() {
    assertThat(Scenario.byHttps())
        .extracting(Scenario::word)
        .containsExactly(
            "s2-public-https", "s2-page-a-session", "s2-ten-pages-a-session", "s2-basic", "s2-form", "s2-form-role", "s2-form-injection",
            "s2-form-fill", "s2-ten-pages");
  }

  @Test
  void whoComesByHttpsAloneNeverComesByHttp() {
    Site site = Site.secure("https://127.0.1.1:8443", "https://127.0.0.22:8444");
    assertThat(Scenario.byHttps()).allMatch(each -> each.at(site).toString().startsWith("https://127.0.1.1:8443/"));
  }
}
