package dev.gatehouse.common.installation;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Stored state is missing, foreign, older than the rest, or unreadable: a node must not start with the remaining stores. */
public final class StoreDamaged extends RuntimeException {

  private static final long serialVersionUID = 1;

  /**
   * One defect.
   *
   * @param where the file or folder
   * @param what the defect, as the end of a sentence that begins with the file
   */
  public record Defect(StoreName store, Path where, String what) {

    /** Returns the file, the consequences and the remedies. */
    String sentence() {
      return where + " " + what + "; it holds " + store.content() + ": restore a backup (./gatehouse restore), or accept the loss"
          + " with ./gatehouse recover --config DIR --accept-loss " + store.word() + ".";
    }
  }

  private final transient List<Defect> defects;

  public StoreDamaged(List<Defect> defects) {
    super(defects.stream().map(Defect::sentence).collect(Collectors.joining("\n")));
    this.defects = List.copyOf(defects);
  }

  public StoreDamaged(StoreName store, Path where, String what, Throwable cause) {
    this(List.of(new Defect(store, where, what)));
    initCause(cause);
  }

  public List<Defect> defects() {
    return defects;
  }

  /** Returns a sentence for each defect. */
  public List<String> sentences() {
    return Stream.concat(defects.stream().map(Defect::sentence), Stream.of("The node was not started."))
        .toList();
  }
}
