package dev.gatehouse.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.cli.ApiOperation.Body;
import java.io.ByteArrayInputStream;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Command;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The commands of operations. */
class ApiDocumentTest {

  private final List<ApiOperation> operations = ApiDocument.ofThisVersion().operations();

  @Command(name = "admin")
  private static final class Admin {}

  @Test
  void everyOperationIsACommandOfItsOwn() throws Exception {
    JsonNode document = new JsonMapper().readTree(ApiDocument.class.getResourceAsStream("/admin/openapi.json"));
    Set<String> described = new TreeSet<>();
    document.path("paths").forEach(path -> path.forEach(operation -> described.add(operation.path("operationId").asString())));
    CommandLine admin = new CommandLine(new Admin());
    OperationCommands.addTo(admin, NoNode::new, new ByteArrayInputStream(new byte[0]));
    Set<String> names = new HashSet<>();
    for (ApiOperation operation : operations) {
      assertThat(names.add(operation.resource() + " " + operation.verb())).as(operation.id()).isTrue();
      CommandLine resource = Objects.requireNonNull(admin.getSubcommands().get(operation.resource()), operation.resource());
      CommandLine command = Objects.requireNonNull(resource.getSubcommands().get(operation.verb()), operation.verb());
      for (ApiParameter parameter : operation.parameters()) {
        assertThat(command.getCommandSpec().findOption(parameter.option())).as(operation.id() + " " + parameter.name()).isNotNull();
      }
      assertThat(command.getUsageMessage()).contains(operation.path());
    }
    assertThat(operations).extracting(ApiOperation::id).containsExactlyInAnyOrderElementsOf(described);
    assertThat(described).hasSizeGreaterThan(40);
  }

  @ParameterizedTest
  @CsvSource({
    "listPartners, realms, /admin/v1/realms/{realm}/partners, partners, list",
    "getRealm, realms, /admin/v1/realms/{realm}, realms, get",
    "endSessionsOfPerson, sessions, /admin/v1/realms/{realm}/sessions, sessions, end-of-person",
    "patchEntry, entries, /admin/v1/configuration/realms/{realm}/{kind}/entry, entries, patch",
    "rollBack, revisions, /admin/v1/revisions/{number}/rollback, revisions, roll-back",
    "removeRegisteredClient, registered-clients, /admin/v1/realms/{realm}/registered-clients/{client}, registered-clients, remove",
    "endSessionsOfPerson, people, /admin/v1/realms/{realm}/people/{person}/sessions, people, end-sessions-of",
    "decide, decisions, /admin/v1/decisions, decisions, decide"
  })
  void namesAreResourceAndVerb(String id, String tag, String path, String resource, String verb) {
    assertThat(CommandNames.of(id, tag, path)).isEqualTo(new CommandNames(resource, verb));
  }

  @Test
  void operationsWithOneNameKeepTheirOwn() {
    JsonNode document =
        new JsonMapper()
            .readTree(
                """
                {"paths": {
                  "/a": {"get": {"operationId": "listThings", "tags": ["things"], "responses": {}}},
                  "/b": {"get": {"operationId": "thingsList", "tags": ["things"], "responses": {}}}}}""");
    assertThat(new ApiDocument(document).operations()).extracting(ApiOperation::verb).containsExactlyInAnyOrder("list-things", "things-list");
  }

  @Test
  void pagesBodiesAndPreconditionsAreKnown() {
    assertThat(one("listSessions").pageParameter()).contains("after");
    assertThat(one("searchAudit").pageParameter()).contains("cursor");
    assertThat(one("listKeys").pageParameter()).isEmpty();
    assertThat(one("putEntry").body()).isEqualTo(Body.REQUIRED);
    assertThat(one("putEntry").hasIfMatch()).isTrue();
    assertThat(one("listSessions").parameters()).filteredOn(parameter -> parameter.name().equals("kind"))
        .singleElement().extracting(ApiParameter::values).isEqualTo(List.of("idp", "app"));
  }

  private ApiOperation one(String id) {
    return operations.stream().filter(operation -> operation.id().equals(id)).findFirst().orElseThrow();
  }
}
