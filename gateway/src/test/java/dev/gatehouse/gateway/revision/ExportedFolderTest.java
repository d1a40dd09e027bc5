package dev.gatehouse.gateway.revision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.revision.RevisionClient.ExportedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exports write into their folder only, and say what they leave out. */
class ExportedFolderTest {

  @TempDir Path path;

  private static ExportedFile text(String name, String text) {
    return new ExportedFile(name, false, Optional.of(text), Optional.empty());
  }

  @Test
  void filesAreWrittenExactly() throws IOException {
    ExportedFolder folder = new ExportedFolder(path.resolve("new"));
    assertThat(folder.isFree()).isTrue();
    List<String> notes =
        folder.write(
            List.of(text("realms/demo.yaml", "# \u00e9\r\n"), new ExportedFile("logo.png", false, Optional.empty(), Optional.of("AAHI"))));
    assertThat(notes).isEmpty();
    assertThat(path.resolve("new/realms/demo.yaml")).hasContent("# \u00e9\r\n");
    assertThat(path.resolve("new/logo.png")).hasBinaryContent(new byte[] {0, 1, (byte) 200});
    assertThat(folder.isFree()).isFalse();
  }

  @Test
  void nothingIsWrittenOutsideOfTheFolderAndNoSecret() throws IOException {
    List<String> notes =
        new ExportedFolder(path.resolve("new"))
            .write(
                List.of(
                    text("../out.txt", "x"),
                    text(path.resolve("absolute.txt").toString(), "x"),
                    new ExportedFile("realm.key", true, Optional.empty(), Optional.empty()),
                    text("realms/demo.yaml", "directory: {bindPassword: \"***\"}")));
    assertThat(notes).hasSize(4);
    assertThat(notes.getLast()).isEqualTo("secrets in realms/demo.yaml are ***");
    assertThat(path.toFile().list()).containsExactly("new");
    assertThat(path.resolve("new").toFile().list()).containsExactly("realms");
  }
}
