package dev.gatehouse.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.admin.PersonLogins;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.node.Node;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.support.GenericApplicationContext;

/** People who log in as administrators at another node have their roles in the database of both, and nobody acts on them here either. */
class AdministratorsElsewhereTest {

  private static final String REALM = "/admin/v1/realms/demo";

  @TempDir Path data;
  private final Map<String, String> keys = new HashMap<>();

  private TestAdmin node(Consumer<GenericApplicationContext> more) {
    return new TestAdmin(
        data,
        beans -> {
          beans.registerBean(Node.class, () -> TestAdmin.node(data, Optional.empty()));
          more.accept(beans);
        });
  }

  private HttpResponse<String> send(TestAdmin admin, String grant, String request) throws IOException, InterruptedException {
    String key = keys.computeIfAbsent(grant, name -> admin.key(name, List.of(AdministratorGrant.parse(name)), Optional.empty()));
    String[] parts = request.split(" ");
    return admin.send(parts[0], REALM + parts[1], "Authorization", "Bearer " + key);
  }

  private void refused(TestAdmin admin, String grant, String request) throws IOException, InterruptedException {
    HttpResponse<String> refused = send(admin, grant, request);
    assertThat(refused.statusCode()).as(request + refused.body()).isEqualTo(403);
    assertThat(refused.body()).contains("administrator with the role admin in all realms");
  }

  private void nobodyActsOnRoot(TestAdmin admin) throws IOException, InterruptedException {
    admin.appSessions.add("s1", "root");
    admin.appSessions.add("s2", "carol");
    for (String path :
        List.of(
            "/sessions?person=root", "/sessions?person=root-id", "/sessions/app/s1", "/second-factors?person=root",
            "/passkeys?person=root")) {
      refused(admin, "helpdesk@demo", "DELETE " + path);
    }
    refused(admin, "admin@demo", "POST /second-factors/confirmation");
    assertThat(admin.appSessions.sessions).hasSize(2);
    assertThat(send(admin, "helpdesk@demo", "DELETE /sessions?person=carol").statusCode()).isEqualTo(200);
    assertThat(send(admin, "admin", "DELETE /sessions?person=root").statusCode()).isEqualTo(200);
  }

  @Test
  void aNodeThatNamesNoRealmOfAdministratorsKnowsTheirRoles() throws IOException, InterruptedException {
    try (TestAdmin admin = node(beans -> {})) {
      Person root = admin.logins.add("root");
      admin.grant(root, "admin");
      nobodyActsOnRoot(admin);
      // Renamed since the role was granted.
      admin.logins.people.remove(root);
      admin.logins.people.add(new Person(root.id(), "chief", root.dn(), Map.of(), List.of(), Set.of()));
      refused(admin, "helpdesk@demo", "DELETE /sessions?person=chief");
    }
  }

  @Test
  void soDoesANodeWithoutIdentityProvider() throws IOException, InterruptedException {
    try (TestAdmin admin = node(beans -> beans.removeBeanDefinition(PersonLogins.class.getName()))) {
      admin.grant(admin.logins.add("root"), "admin");
      nobodyActsOnRoot(admin);
    }
  }
}
