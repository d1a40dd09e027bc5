package dev.gatehouse.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.key.AdministratorGrant;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.health.contributor.Health;

/** {@code GET /admin/v1/health}. */
class HealthReportTest {

  private static final String PATH = "/admin/v1/health";

  @Test
  void everythingThatTheNodeDependsOnIsThereAndOnlyWhatFailsWhereAsked(@TempDir Path data) throws Exception {
    try (TestAdmin admin = new TestAdmin(data)) {
      assertThat(admin.authorized("GET", PATH).body())
          .contains("\"kind\":\"app\",\"name\":\"10.0.0.1:8080\",\"up\":true", "\"kind\":\"part\",\"name\":\"database\",\"up\":true")
          .contains("\"kind\":\"partner\",\"realm\":\"demo\"", "\"state\":\"unusable\"");
      admin.storage.set(Health.down().withDetail("file", "/secret/place").build());
      HttpResponse<String> failing = admin.authorized("GET", PATH + "?failing=true");
      assertThat(failing.statusCode()).isEqualTo(200);
      assertThat(failing.body())
          .startsWith("{\"status\":\"DOWN\"")
          .contains("\"name\":\"database\",\"up\":false,\"state\":\"DOWN\"", "\"problem\":")
          .doesNotContain("\"up\":true", "/secret/place");
      admin.storage.set(Health.down().withDetail("problems", List.of("The disk is full.", "Free some space.")).build());
      assertThat(admin.authorized("GET", PATH + "?failing=true").body()).contains("\"problem\":\"The disk is full. Free some space.\"");
      assertThat(admin.authorized("GET", PATH + "?limit=1").body()).contains("\"next\":");
    }
  }

  @Test
  void whatBelongsToOtherRealmsIsLeftOut(@TempDir Path data) throws Exception {
    try (TestAdmin admin = new TestAdmin(data)) {
      String key = admin.key("other", List.of(AdministratorGrant.parse("viewer@other")), Optional.empty());
      admin.storage.set(Health.down().withDetail("problem", "Realm demo is full.").build());
      HttpResponse<String> seen = admin.send("GET", PATH, "Authorization", "Bearer " + key);
      assertThat(seen.statusCode()).isEqualTo(200);
      assertThat(seen.body()).contains("\"kind\":\"part\"").doesNotContain("demo", "\"partner\"", "10.0.0.1");
      assertThat(admin.send("GET", PATH).statusCode()).isEqualTo(401);
    }
  }
}
