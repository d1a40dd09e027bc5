package dev.gatehouse.gateway.admin.revision;

import dev.gatehouse.common.realm.yaml.FileTree;
import dev.gatehouse.gateway.admin.revision.RevisionViews.ProposedFileView;
import dev.gatehouse.gateway.admin.revision.RevisionViews.ProposedSecretView;
import dev.gatehouse.gateway.admin.web.BadRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the contents of proposed files and secrets. Jackson passes null for a missing property. */
final class ProposedContents {

  private ProposedContents() {}

  /** Returns contents by their paths. */
  static Map<String, byte[]> files(@Nullable List<ProposedFileView> files) {
    if (files == null) {
      throw new BadRequest("`files` is missing.");
    }
    Map<String, byte[]> contents = new TreeMap<>();
    for (ProposedFileView file : files) {
      if (file == null || file.path() == null || contents.put(file.path(), content("files", file.text(), file.base64())) != null) {
        throw new BadRequest("Each of `files` has a `path` of its own, and either `text` or `base64`.");
      }
    }
    return contents;
  }

  /** Returns values by their names. */
  static Map<String, byte[]> secrets(Optional<List<ProposedSecretView>> secrets) {
    Map<String, byte[]> values = new TreeMap<>();
    for (ProposedSecretView secret : secrets.orElse(List.of())) {
      if (secret == null || secret.name() == null || values.put(secret.name(), content("secrets", secret.text(), secret.base64())) != null) {
        throw new BadRequest("Each of `secrets` has a `name` of its own, and either `text` or `base64`.");
      }
    }
    return values;
  }

  /** Returns the realm that a proposal by an administrator of one realm concerns. */
  static String realm(Map<String, byte[]> files, Map<String, byte[]> secrets) {
    Stream<String> ofFiles = files.keySet().stream().flatMap(path -> FileTree.owner(path).stream());
    Stream<String> ofSecrets = secrets.keySet().stream().map(name -> name.replaceFirst("\\..*", ""));
    return Stream.concat(ofFiles, ofSecrets)
        .findFirst()
        .orElseThrow(() -> new BadRequest("A role in one realm proposes files of that realm: realms/NAME.yaml, or files in realms/NAME/."));
  }

  /** Returns the content; exactly one of the two is present. */
  static byte[] content(String where, Optional<String> text, Optional<String> base64) {
    if (text.isPresent() == base64.isPresent()) {
      throw new BadRequest("`" + where + "`: write either `text` or `base64`.");
    }
    return text.map(plain -> plain.getBytes(StandardCharsets.UTF_8)).orElseGet(() -> decoded(where, base64.orElseThrow()));
  }

  private static byte[] decoded(String where, String base64) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw new BadRequest("`base64` of `" + where + "` is not base64.");
    }
  }
}
