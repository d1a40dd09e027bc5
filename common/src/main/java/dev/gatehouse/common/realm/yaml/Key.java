package dev.gatehouse.common.realm.yaml;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A declared key of the configuration. The reader, the messages for mistakes, the reference page and the JSON Schema are derived from it.
 *
 * @param <T> the type of its scalars; {@link Void} if it has none
 */
public final class Key<T> {

  /** A form in which its value may be written. */
  public enum Form {
    SCALAR,
    /** Scalars; a single one is a list of one. */
    LIST,
    /** A mapping from names that the administrator chooses to scalars. */
    MAP,
    /** A mapping from names that the administrator chooses to lists of scalars. */
    LISTS,
    SECTION,
    /** A list of sections; a single one is a list of one. */
    SECTIONS,
    /** A mapping from names that the administrator chooses to sections. */
    NAMED_SECTIONS
  }

  private static final String EXAMPLE = "e.g. ";

  private final String name;
  private final Set<Form> forms;
  private final @Nullable Type<T> type;
  private final @Nullable Section section;
  private final String usual;
  private final String remedy;
  private final String sentence;
  private final List<String> foreign = new ArrayList<>();

  Key(
      String name, Set<Form> forms, @Nullable Type<T> type, @Nullable Section section, String usual, String remedy,
      String sentence) {
    this.name = name;
    this.forms = forms;
    this.type = type;
    this.section = section;
    this.usual = usual;
    this.remedy = remedy;
    this.sentence = sentence;
  }

  public String name() {
    return name;
  }

  public Set<Form> forms() {
    return forms;
  }

  /** Returns the type of its scalars. */
  public Type<T> type() {
    if (type == null) {
      throw new IllegalStateException(name + " has no scalar");
    }
    return type;
  }

  /** Returns the keys of its sections. */
  public Section section() {
    if (section == null) {
      throw new IllegalStateException(name + " has no section");
    }
    return section;
  }

  /** Returns the keys of its sections, if it has any. */
  public Optional<Section> subsection() {
    return Optional.ofNullable(section);
  }

  /** Returns the default as it would be written; empty if the key is off, computed or required. */
  public Optional<String> usual() {
    return usual.isEmpty() || usual.startsWith(EXAMPLE) || isRequired() ? Optional.empty() : Optional.of(usual);
  }

  /** Returns an example of a key without default. */
  public Optional<String> example() {
    return usual.startsWith(EXAMPLE)
        ? Optional.of(usual.substring(EXAMPLE.length()))
        : isRequired() ? Optional.of(usual) : Optional.empty();
  }

  /** Returns whether its values must not be shown to anybody. */
  public boolean isSecret() {
    return type != null && type.isSecret();
  }

  /** Returns whether its values name files whose content must not be shown to anybody. */
  public boolean isSecretFile() {
    return type != null && type.isSecretFile();
  }

  /** Returns whether {@code {secret: NAME}} may stand for its value. */
  public boolean takesSecret() {
    return type != null && type.takesSecret();
  }

  public boolean isRequired() {
    return !remedy.isEmpty();
  }

  /** Returns what to do if a required key is missing. */
  public String remedy() {
    return remedy;
  }

  public String sentence() {
    return sentence;
  }

  /** Adds names that specifications and other products have for the key; the error message for one of them names ours. */
  public Key<T> elsewhere(String... names) {
    foreign.addAll(List.of(names));
    return this;
  }

  public boolean isElsewhere(String other) {
    return foreign.contains(other);
  }

  @Override
  public String toString() {
    return name;
  }
}
