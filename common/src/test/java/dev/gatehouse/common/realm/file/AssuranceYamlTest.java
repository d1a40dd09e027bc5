package dev.gatehouse.common.realm.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.SessionAssurance;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code session.assurance} of a realm and of a route. */
class AssuranceYamlTest {

  private static final String UPSTREAM = "    upstream: http://127.0.0.1:9000\n";

  @TempDir private Path path = Path.of("");

  private ConfigurationFolder route(String keys) {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    folder.demo(UPSTREAM, UPSTREAM + keys);
    return folder;
  }

  @Test
  void itIsOffUnlessConfiguredAndARouteHasItsOwn() {
    Realm realm = ConfigurationFolder.minimal(path).realm();
    assertThat(realm.sp().orElseThrow().session().assurance()).isEqualTo(SessionAssurance.OFF);
    assertThat(realm.gateway().routes().getFirst().signOn().assurance()).isEmpty();

    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    folder.demo("sp:\n", "sp:\n  session: {assurance: observe}\n");
    assertThat(folder.realm().sp().orElseThrow().session().assurance()).isEqualTo(SessionAssurance.OBSERVE);
    assertThat(route("    session: {assurance: enforce}\n").realm().gateway().routes().getFirst().signOn().assurance())
        .isEqualTo(Optional.of(SessionAssurance.ENFORCE));
    // YAML 1.1 reads this word as a boolean value.
    assertThat(route("    session: {assurance: off}\n").realm().gateway().routes().getFirst().signOn().assurance())
        .isEqualTo(Optional.of(SessionAssurance.OFF));
  }

  @Test
  void theIdentityProviderHasItsOwn() {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    folder.demo("idp:\n", "idp:\n  session: {assurance: observe}\n");
    assertThat(folder.realm().idp().orElseThrow().session().assurance()).isEqualTo(SessionAssurance.OBSERVE);
    assertThat(folder.realm().sp().orElseThrow().session().assurance()).isEqualTo(SessionAssurance.OFF);
  }

  @Test
  void whereItHasNoEffectItIsAMistake() {
    assertThat(route("    contract: basic\n    session: {assurance: enforce}\n").problems())
        .anySatisfy(problem -> assertThat(problem.toString()).contains("assurance", "needs contract: form"));
    assertThat(route("    session: {assurance: always}\n").problems())
        .anySatisfy(problem -> assertThat(problem.toString()).contains("assurance", "always"));
  }
}
