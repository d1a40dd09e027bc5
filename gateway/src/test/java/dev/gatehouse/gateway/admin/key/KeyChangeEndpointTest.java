package dev.gatehouse.gateway.admin.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.audit.AuditEvent.Administered;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.gateway.admin.key.KeyChangeEndpoint.KeyChangeView;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.BadRequest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a command does with a key is an event of whoever says so. */
class KeyChangeEndpointTest {

  private final RecordingAuditLog audit = new RecordingAuditLog();
  private final KeyChangeEndpoint endpoint = new KeyChangeEndpoint(new AdminAudit(audit));

  private static KeyChangeView of(String kind, String change, String name, String... roles) {
    return new KeyChangeView(kind, change, name, Optional.of(List.of(roles)).filter(some -> !some.isEmpty()), Optional.empty());
  }

  @Test
  void aChangeIsAnEventWithWhatTheKeyPermits() {
    Instant end = Instant.parse("2030-01-01T00:00:00Z");
    KeyChangeView made =
        new KeyChangeView("administrator", "create", "desk", Optional.of(List.of("viewer", "helpdesk@demo")), Optional.of(end));
    assertThat(endpoint.record(made, "keys-1")).isEqualTo(made);
    endpoint.record(of("registration", "revoke", "wiki"), "keys-2");
    List<Administered> events = audit.events(Administered.class);
    assertThat(events).extracting(Administered::action).containsExactly("administratorKey.create", "registrationKey.revoke");
    assertThat(events).extracting(Administered::administrator).containsExactly("keys-1", "keys-2");
    assertThat(events).extracting(event -> event.context().realm()).containsOnly("-");
    assertThat(events.getFirst().details())
        .containsEntry("name", "desk")
        .containsEntry("before", "-")
        .containsEntry("after", "viewer, helpdesk@demo until 2030-01-01T00:00:00Z");
    assertThat(events.getLast().details())
        .containsEntry("name", "wiki")
        .containsEntry("before", "registration")
        .containsEntry("after", "-");
  }

  @Test
  void whatIsNoChangeOfAKeyIsNoEvent() {
    for (KeyChangeView wrong :
        List.of(
            of("signing", "create", "x"),
            of("registration", "rename", "x"),
            of("registration", "create", ""),
            of("registration", "create", "a\tb"),
            of("registration", "create", "x", "admin"),
            of("administrator", "create", "x"),
            of("administrator", "create", "x", "root"))) {
      assertThatThrownBy(() -> endpoint.record(wrong, "keys-1")).as(wrong.toString()).isInstanceOf(BadRequest.class);
    }
    assertThat(audit.events(Administered.class)).isEmpty();
  }
}
