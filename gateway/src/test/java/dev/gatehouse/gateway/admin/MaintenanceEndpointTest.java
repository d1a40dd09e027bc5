package dev.gatehouse.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code PUT /admin/v1/realms/{realm}/maintenance}. */
class MaintenanceEndpointTest {

  private static final String PATH = "/admin/v1/realms/demo/maintenance?route=manager";

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
      assertThat(admin.audit.events(AuditEvent.Administered.class))
          .extracting(event -> event.details().get("before"))
          .containsExactly("as configured", "on until 2026-12-24T06:00:00Z", "off", "as configured");
    }
  }

  @Test
  void withoutKeyOrRouteNothingIsSwitchedNorWhereTheAuditLogCannotBeWritten(@TempDir Path data) throws Exception {
    try (TestAdmin admin = new TestAdmin(data)) {
      assertThat(admin.send("PUT", PATH, "Content-Type", "application/json").statusCode()).isEqualTo(401);
      assertThat(admin.json("PUT", "/admin/v1/realms/demo/maintenance?route=nowhere", "{\"on\":true}").statusCode()).isEqualTo(404);
      assertThat(admin.json("PUT", "/admin/v1/realms/other/maintenance?route=manager", "{\"on\":true}").statusCode()).isEqualTo(404);
      admin.audit.breakDown(true);
      assertThat(admin.json("PUT", PATH, "{\"on\":true}").statusCode()).isEqualTo(503);
      admin.audit.breakDown(false);
      assertThat(admin.authorized("GET", PATH).statusCode()).isEqualTo(404);
    }
  }

  @Test
  void scriptsThatHaveTheFormerAddressGoOn(@TempDir Path data) throws Exception {
    try (TestAdmin admin = new TestAdmin(data)) {
      String former = "/admin/v1/routes/demo/manager/maintenance";
      assertThat(admin.json("PUT", former, "{\"on\":true}").statusCode()).isEqualTo(200);
      assertThat(admin.authorized("GET", PATH).body()).contains("\"on\":true");
      assertThat(admin.authorized("GET", former).body()).contains("\"on\":true");
      assertThat(admin.authorized("DELETE", former).statusCode()).isEqualTo(204);
    }
  }
}
