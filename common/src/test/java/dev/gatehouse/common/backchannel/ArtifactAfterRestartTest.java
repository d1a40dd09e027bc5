package dev.gatehouse.common.backchannel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Artifact;
import dev.gatehouse.common.saml.message.CanonicalSamlWriter;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.WrittenMessage;
import dev.gatehouse.common.store.RocksStores;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A restarted node knows which artifacts it stores and which it has given out (SECURITY-CASES 10). */
class ArtifactAfterRestartTest {

  private final TestTime time = new TestTime(SamlFixtures.NOW);
  private final WrittenMessage message =
      new CanonicalSamlWriter().write(SamlFixtures.response(Optional.of("_r1")));

  @TempDir Path data;

  private ArtifactMap open(RocksStores stores) {
    return new ArtifactMap(stores, "artifacts", time, new SecureRandom());
  }

  @Test
  void givesWhatItHeldAndNothingTwice() {
    Artifact given;
    Artifact waiting;
    try (RocksStores stores = new RocksStores(data, time)) {
      ArtifactMap held = open(stores);
      given = held.hold(SamlFixtures.IDP, 0, SamlFixtures.SP, message);
      waiting = held.hold(SamlFixtures.IDP, 0, SamlFixtures.SP, message);
      assertThat(held.take(given, SamlFixtures.SP)).isEqualTo(new Result.Accepted<>(message));
    }
    try (RocksStores stores = new RocksStores(data, time)) {
      ArtifactMap held = open(stores);
      assertThat(TwoPartners.reason(held.take(given, SamlFixtures.SP))).isEqualTo(Reason.REPLAYED);
      assertThat(TwoPartners.reason(held.take(waiting, SamlFixtures.IDP))).isEqualTo(Reason.ARTIFACT_OTHER_PARTNER);
      assertThat(held.take(waiting, SamlFixtures.SP)).isEqualTo(new Result.Accepted<>(message));
    }
  }

  @Test
  void keepsNothingThatResolves() throws Exception {
    Artifact artifact;
    try (RocksStores stores = new RocksStores(data, time)) {
      artifact = open(stores).hold(SamlFixtures.IDP, 0, SamlFixtures.SP, message);
    }
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        assertThat(bytes.contains(artifact.value()) || bytes.contains(artifact.messageHandle())).isFalse();
      }
    }
  }
}
