package dev.gatehouse.gateway.revision;

import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.gateway.revision.RevisionClient.ExportedFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;

/** A folder that the files of a revision are written to. */
public final class ExportedFolder {

  private final Path folder;

  /** @param folder is created if it does not exist */
  public ExportedFolder(Path folder) {
    this.folder = folder.toAbsolutePath().normalize();
  }

  /** Returns whether nothing would be replaced: the folder does not exist, or is empty. */
  public boolean isFree() throws IOException {
    if (!Files.exists(folder)) {
      return true;
    }
    try (var entries = Files.list(folder)) {
      return entries.findAny().isEmpty();
    }
  }

  /** Writes the files; returns notes about what differs from the files that were read. */
  public List<String> write(List<ExportedFile> files) throws IOException {
    List<String> notes = new ArrayList<>();
    for (ExportedFile file : files) {
      Path target = folder.resolve(file.path()).normalize();
      if (file.secret()) {
        notes.add("not written: " + file.path() + " (secret)");
      } else if (!target.startsWith(folder) || target.equals(folder)) {
        notes.add("not written: " + file.path() + " (outside of the configuration directory)");
      } else {
        Files.createDirectories(Objects.requireNonNull(target.getParent()));
        Files.write(target, content(file));
        if (file.text().filter(text -> text.contains('"' + Type.SECRET_MASK + '"')).isPresent()) {
          notes.add("secrets in " + file.path() + " are " + Type.SECRET_MASK);
        }
      }
    }
    return notes;
  }

  private static byte[] content(ExportedFile file) {
    return file.text()
        .map(text -> text.getBytes(StandardCharsets.UTF_8))
        .orElseGet(() -> Base64.getDecoder().decode(file.base64().orElse("")));
  }
}
