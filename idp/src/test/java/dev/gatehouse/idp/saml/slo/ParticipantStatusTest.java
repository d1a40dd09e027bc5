package dev.gatehouse.idp.saml.slo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.store.JsonCodec;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParticipantStatusTest {

  @ParameterizedTest
  @CsvSource({"TOLD,LOGGED_OUT", "ASKED,REQUESTED", "ASKER,INITIATOR", "LOGGED_OUT,LOGGED_OUT", "SILENT,SILENT"})
  void namesThatTheFormerVersionStoredAreRead(String stored, ParticipantStatus status) {
    JsonCodec<ParticipantStatus> codec = new JsonCodec<>(ParticipantStatus.class);
    assertThat(codec.decode(("\u0001\"" + stored + "\"").getBytes(StandardCharsets.UTF_8))).isEqualTo(status);
  }
}
