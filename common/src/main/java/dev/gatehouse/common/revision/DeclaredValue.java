package dev.gatehouse.common.revision;

import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.YamlTree.Scalar;
import java.util.List;
import java.util.Optional;

/**
 * A value of a realm's file with its place by the declared keys.
 *
 * @param subject what it belongs to
 * @param field its key within the subject, like {@code cache.default} or {@code rules[board].roles}
 * @param text as written, or the texts of a list
 * @param isSecret whether it must not be shown
 * @param scalars its scalars in the document
 * @param key its declared key
 */
record DeclaredValue(Subject subject, String field, String text, boolean isSecret, List<Scalar> scalars, Optional<Key<?>> key) {

  /**
   * A thing that an administrator configures.
   *
   * @param kind {@code partner}, {@code client}, {@code provider}, {@code policy}, {@code route}, {@code contract} or {@code
   *     setting}
   * @param name for example the entity ID of a partner, or the top-level key of a setting
   */
  record Subject(String kind, String name) implements Comparable<Subject> {
    @Override
    public int compareTo(Subject other) {
      int kinds = kind.compareTo(other.kind);
      return kinds != 0 ? kinds : name.compareTo(other.name);
    }
  }

  /** Does not contain the text. */
  @Override
  public String toString() {
    return subject + " " + field;
  }
}
