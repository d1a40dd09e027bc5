package dev.gatehouse.common.jose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.ClientConfig.JwsName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The examples of OpenID Connect Core, appendix A. */
class TokenHashTest {

  private static final String ACCESS_TOKEN = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y";
  private static final String CODE = "Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk";

  /** A.3 and A.6 for at_hash, A.4 and A.6 for c_hash. */
  @Test
  void theSpecificationsExamples() {
    assertThat(TokenHash.of(JwsName.RS256, ACCESS_TOKEN)).isEqualTo("77QmUPtjPfzWtF2AnpK9RQ");
    assertThat(TokenHash.of(JwsName.RS256, CODE)).isEqualTo("LDktKdoQak3Pk0cnXxCltA");
  }

  @ParameterizedTest
  @EnumSource(names = {"PS256", "ES256"})
  void allWithSha256AreTheSame(JwsName algorithm) {
    assertThat(TokenHash.of(algorithm, ACCESS_TOKEN)).isEqualTo("77QmUPtjPfzWtF2AnpK9RQ");
  }

  @Test
  void ed25519TakesHalfOfSha512() {
    assertThat(TokenHash.of(JwsName.EDDSA, ACCESS_TOKEN)).hasSize(43).isNotEqualTo(TokenHash.of(JwsName.EDDSA, CODE));
  }
}
