package dev.gatehouse.gateway.revision;

import dev.gatehouse.common.realm.yaml.FileTree;
import dev.gatehouse.gateway.cli.NodeApi;
import dev.gatehouse.gateway.cli.NodeCall;
import dev.gatehouse.gateway.cli.NodeCallFailed;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Calls {@code /admin/v1/revisions} of a running node; a call that fails throws {@link NodeCallFailed}. */
public final class RevisionClient {

  private static final String PATH = "/admin/v1/revisions";

  /** The answer to files with problems tells these, and the change, too. */
  private static final int UNPROCESSABLE = 422;

  /**
   * A file of a revision.
   *
   * @param secret whether its content is not known
   * @param text the content of a text
   * @param base64 the content of anything else
   */
  public record ExportedFile(String path, boolean secret, Optional<String> text, Optional<String> base64) {}

  private record Files(List<ExportedFile> files) {}

  private record Entry(long number) {}

  private record Page(List<Entry> revisions, long inUse) {}

  private final NodeApi node;

  public RevisionClient(NodeApi node) {
    this.node = node;
  }

  /** Returns the effect of proposed files. */
  public PlannedChange plan(ProposedFolder proposed) {
    return change(NodeCall.post(PATH + "?dryRun=true", body(proposed, "-")));
  }

  /**
   * Brings proposed files into use.
   *
   * @param expected the revision that they were made for
   */
  public PlannedChange apply(ProposedFolder proposed, long expected, String reason) {
    return applied(NodeCall.post(PATH, body(proposed, reason)).forRevision(expected));
  }

  /** Brings the files of a revision back into use. */
  public PlannedChange rollBack(long number, long expected, Optional<String> reason) {
    String query = reason.map(why -> "?reason=" + NodeCall.encoded(why)).orElse("");
    return applied(NodeCall.post(PATH + "/" + number + "/rollback" + query).forRevision(expected));
  }

  private PlannedChange applied(NodeCall call) {
    try {
      return change(call);
    } catch (NodeCallFailed e) {
      throw e.isUncertain() ? e.with("./gatehouse admin revisions list shows whether the change is in use.") : e;
    }
  }

  private PlannedChange change(NodeCall call) {
    return node.call(call.orStatus(UNPROCESSABLE), PlannedChange.class);
  }

  /** Returns the number of the revision in use; 0 if none is stored yet. */
  public long inUse() {
    return newest().inUse();
  }

  /** Returns the number of the newest revision; empty if there is none yet. */
  public Optional<Long> latest() {
    return newest().revisions().stream().map(Entry::number).findFirst();
  }

  private Page newest() {
    return node.call(NodeCall.get(PATH + "?limit=1"), Page.class);
  }

  /** Returns the files of a revision. */
  public List<ExportedFile> files(long number) {
    return node.call(NodeCall.get(PATH + "/" + number + "/files"), Files.class).files();
  }

  private static Map<String, Object> body(ProposedFolder proposed, String reason) {
    return Map.of(
        "complete", proposed.isComplete(), "files", files(proposed.files()), "secrets", secrets(proposed.secrets()), "reason", reason);
  }

  private static List<Map<String, String>> secrets(Map<String, byte[]> secrets) {
    return secrets.entrySet().stream()
        .map(secret -> Map.of("name", secret.getKey(), "base64", Base64.getEncoder().encodeToString(secret.getValue())))
        .toList();
  }

  private static List<Map<String, String>> files(FileTree tree) {
    List<Map<String, String>> files = new ArrayList<>();
    tree.files()
        .forEach(
            (path, file) ->
                files.add(
                    file.text()
                        .map(text -> Map.of("path", path, "text", text))
                        .orElseGet(() -> Map.of("path", path, "base64", Base64.getEncoder().encodeToString(file.content())))));
    return files;
  }
}
