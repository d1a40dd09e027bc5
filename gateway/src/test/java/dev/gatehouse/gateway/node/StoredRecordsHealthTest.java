package dev.gatehouse.gateway.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;

/** Health names records that another version wrote. */
class StoredRecordsHealthTest {

  @Test
  void recordsOfAnotherVersionAreNamedByTheirKind() {
    assertThat(StorageHealth.ofUnread(new TreeMap<>()).getStatus().getCode()).isEqualTo("UP");
    Health unread = StorageHealth.ofUnread(new TreeMap<>(Map.of("idp", 3, "logouts", 12)));
    assertThat(unread.getStatus().getCode()).isEqualTo("DEGRADED");
    assertThat(unread.getDetails().get("problem"))
        .isEqualTo(
            "Stored records of another version stay and are not used by this node (idp 3, logouts 12). Bring all nodes to the same version, or one "
                + "next to it.");
  }
}
