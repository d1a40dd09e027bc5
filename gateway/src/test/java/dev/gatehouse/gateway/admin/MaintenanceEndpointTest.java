package dev.gatehouse.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code PUT /admin/v1/routes/{realm}/{route}/maintenance}. */
class MaintenanceEndpointTest {

  private static final String PATH = "/admin/v1/routes/demo/manager/maintenance";

  @Test
  void aRouteIsSwitchedAskedForAndLeftToTheConfigurationAgainAndAllOfItIsAudited(@TempDir Path data) throws Exception {
    try (TestAdmin admin = new TestAdmin(data)) {
      assertThat(admin.authorized("GET", PATH).statusCode()).isEqualTo(404);
      assertThat(admin.json("PUT", PATH, "{\"on\":true,\"until\":\"2026-12-24T06:00:00Z\"}").statusCode()).isEqualTo(200);
      assertThat(admin.authorized("GET", PATH).body()).contains("\"on\":true", "2026-12-24T06:00:00Z");
      assertThat(admin.json("PUT", PATH, "{\"on\":true,\"until\":1800000000}").statusCode()).isEqualTo(400);
      assertThat(admin.json("PUT", PATH, "{\"on\":false}").statusCode()).isEqualTo(200);
      assertThat(admin.authorized("GET", PATH).body()).contains("\"on\":false");
      assertThat(admin.authorized("DELETE", PATH).statusCode()).isEqualTo(204);
      assertThat(admin.authorized("DELETE", PATH).statusCode()).isEqualTo(404);
      assertThat(admin.audit.events(AuditEvent.Administered.class))
          .extracting(AuditEvent.Administered::action)
          .containsExactly("maintenance.on", "maintenance.off", "maintenance.cleared", "maintenance.cleared");
    }
  }

  @Test
  void withoutKeyOrRouteNothingIsSwitchedNorWhereTheAuditLogCannotBeWritten(@TempDir Path data) throws Exception {
    try (TestAdmin admin = new TestAdmin(data)) {
      assertThat(admin.send("PUT", PATH, "Content-Type", "application/json").statusCode()).isEqualTo(401);
      assertThat(admin.json("PUT", "/admin/v1/routes/demo/nowhere/maintenance", "{\"on\":true}").statusCode()).isEqualTo(404);
      assertThat(admin.json("PUT", "/admin/v1/routes/other/manager/maintenance", "{\"on\":true}").statusCode()).isEqualTo(404);
      admin.audit.breakDown(true);
      assertThat(admin.json("PUT", PATH, "{\"on\":true}").statusCode()).isEqualTo(503);
      admin.audit.breakDown(false);
      assertThat(admin.authorized("GET", PATH).statusCode()).isEqualTo(404);
    }
  }
}
