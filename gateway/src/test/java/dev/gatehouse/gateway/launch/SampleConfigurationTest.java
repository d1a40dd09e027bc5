package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.realm.file.SchemaViolations;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The configurations that people copy are valid. */
class SampleConfigurationTest {

  @ParameterizedTest
  @ValueSource(strings = {"idp", "gateway"})
  void theDockerSamplesHaveNoProblem(String node) {
    assertThat(new ConfigurationFiles(Path.of("../docker/config", node), Map.of()).check().problems()).isEmpty();
    assertThat(SchemaViolations.of(Path.of("../docker/config", node))).isEmpty();
  }
}
