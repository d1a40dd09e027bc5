package dev.gatehouse.perf.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.perf.harness.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class RecordsTest {

  private static final Row ROW =
      new Row(
          "limits", "Limits", "limits", Row.Length.of(1, "limits --rounds 5"), List.of(Row.Length.of(1, "limits --rounds 2")),
          Map.of("GATEHOUSE_JAVA_OPTS", "-Xmx1g"), List.of());

  @TempDir private Path folder;

  private Records records = new Records(Path.of(""));

  @BeforeEach
  void open() {
    records = new Records(folder);
  }

  private static RowRecord sample(String commit) {
    return Samples.measured(
        ROW, true, commit, Samples.rate("limit.rsa-2048", List.of(Samples.peer("Keycloak", 172.5)), 1_000, 1_010, 990));
  }

  @Test
  void aRecordIsReadAsItWasWritten() throws IOException {
    records.write(sample(Samples.COMMIT));
    assertThat(records.find("limits")).contains(sample(Samples.COMMIT));
    assertThat(records.find("other")).isEmpty();
    assertThat(records.elsewhere(Samples.COMMIT, Samples.MACHINE)).isEmpty();
  }

  /** Programs of others read it: a name that changes takes a new format. */
  @Test
  void theFormatStays() throws IOException {
    records.write(sample(Samples.COMMIT));
    JsonNode json = Report.JSON.readTree(Files.readString(folder.resolve("limits.json")));
    assertThat(json.propertyNames())
        .containsExactlyInAnyOrder(
            "format", "row", "quick", "command", "circumstances", "state", "reason", "complaints", "figures", "missing");
    assertThat(json.path("circumstances").propertyNames())
        .containsExactlyInAnyOrder("commit", "machine", "began", "ended", "busy", "signaturesBefore", "signaturesAfter");
    assertThat(json.path("circumstances").path("machine").propertyNames())
        .containsExactlyInAnyOrder("cores", "processor", "memoryMb", "kernel", "java");
    assertThat(json.path("circumstances").path("busy").propertyNames())
        .containsExactlyInAnyOrder("seconds", "cores", "steal", "others", "worst", "disturbed");
    assertThat(json.path("figures").path(0).propertyNames()).containsExactlyInAnyOrder("id", "unit", "rounds", "median", "more", "beside");
    assertThat(json.path("figures").path(0).path("beside").path(0).propertyNames())
        .containsExactlyInAnyOrder("kind", "name", "rounds", "median");
    assertThat(json.path("format").asInt(0)).isEqualTo(1);
    assertThat(json.path("state").asString("")).isEqualTo("MEASURED");
    assertThat(json.path("command").asString("")).isEqualTo("GATEHOUSE_JAVA_OPTS=\"-Xmx1g\" ./gatehouse bench limits --rounds 2");
    assertThat(json.path("figures").path(0).path("median").asDouble(0)).isEqualTo(1_000);
  }

  @Test
  void recordsOfAnotherCommitAreKeptAside() throws IOException {
    records.write(sample("aaaaaaaaaaaa"));
    assertThat(putAside()).containsExactly("commit aaaaaaaaaaaa");
    assertThat(records.all()).isEmpty();
    assertThat(former("aaaaaaaaaaaa/2-cores-of-AMD-EPYC-24105-MB-JDK-25.0.3-9-LTS")).contains(sample("aaaaaaaaaaaa"));
    records.write(sample(Samples.COMMIT));
    assertThat(putAside()).isEmpty();
    assertThat(records.all()).hasSize(1);
  }

  private List<String> putAside() throws IOException {
    return records.putAside(Samples.COMMIT, Samples.MACHINE);
  }

  private Optional<RowRecord> former(String where) throws IOException {
    return new Records(folder.resolve("former").resolve(where)).find("limits");
  }

  /** Beside those of another commit: none takes the place of one from another machine. */
  @Test
  void recordsOfAnotherMachineAreKeptAside() throws IOException {
    RowRecord there = Samples.elsewhere(sample(Samples.COMMIT));
    records.write(there);
    String machine = "another machine or JDK (64 cores of Intel(R) Xeon(R) @ 2.20GHz, 257000 MB, Linux 6.12.1, JDK 25.0.3+9-LTS)";
    assertThat(records.elsewhere(Samples.COMMIT, Samples.MACHINE)).containsExactly(machine);
    assertThat(records.elsewhere("aaaaaaaaaaaa", Samples.MACHINE)).containsExactly("commit " + Samples.COMMIT + " on " + machine);
    assertThat(records.all()).hasSize(1);
    assertThat(putAside()).containsExactly(machine);
    assertThat(records.all()).isEmpty();
    records.write(sample(Samples.COMMIT));
    assertThat(records.putAside(Samples.COMMIT, Samples.OTHER_MACHINE)).hasSize(1);
    assertThat(former(Samples.COMMIT + "/64-cores-of-Intel-R-Xeon-R-2.20GHz-257000-MB-JDK-25.0.3-9-LTS")).contains(there);
    assertThat(former(Samples.COMMIT + "/2-cores-of-AMD-EPYC-24105-MB-JDK-25.0.3-9-LTS")).contains(sample(Samples.COMMIT));
  }

  @Test
  void aRecordThatDoesNotNameItsMachineIsOfAnother() throws IOException {
    records.write(sample(Samples.COMMIT));
    Path file = folder.resolve("limits.json");
    String nameless = Files.readString(file).replaceFirst("\"machine\" : \\{[^}]*},", "");
    assertThat(nameless).doesNotContain("machine");
    Files.writeString(file, nameless);
    assertThat(putAside()).containsExactly("another machine or JDK (0 cores of unknown, 0 MB, Linux unknown, JDK unknown)");
    assertThat(records.all()).isEmpty();
  }

  @Test
  void whatCannotBeReadIsTold() throws IOException {
    Files.writeString(folder.resolve("limits.json"), "{\"format\": 1, \"row\":");
    assertThatThrownBy(() -> records.all()).isInstanceOf(IOException.class).hasMessageContaining("limits.json");
    Files.writeString(folder.resolve("limits.json"), "{\"format\": 2, \"row\": \"limits\"}");
    assertThatThrownBy(() -> records.all()).isInstanceOf(IOException.class).hasMessageContaining("format 2");
    records.write(sample(Samples.COMMIT));
    Files.move(folder.resolve("limits.json"), folder.resolve("other.json"));
    assertThatThrownBy(() -> records.all()).isInstanceOf(IOException.class).hasMessageContaining("other.json");
  }

  @Test
  void thereIsNothingInAFolderThatDoesNotExist() throws IOException {
    assertThat(new Records(folder.resolve("none")).all()).isEmpty();
  }
}
