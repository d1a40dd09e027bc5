package dev.gatehouse.common.realm.yaml;

import dev.gatehouse.common.realm.yaml.Key.Form;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The declared keys of one mapping of the configuration, in the order of the reference page. The argument {@code usual} of a key
 * is its default as it would be written; text that begins with "e.g. " is an example, of a key without default.
 */
public final class Section {

  /** Any keys: names that the administrator chooses. */
  public static final Section ANY = new Section();

  private static final int MAX_PLACES = 3;

  private final List<Key<?>> keys = new ArrayList<>();

  /** Returns all keys in the order of their declaration. */
  public List<Key<?>> keys() {
    return keys;
  }

  /** Declares a key with one value. */
  public <T> Key<T> key(String name, Type<T> type, String usual, String sentence) {
    return add(new Key<>(name, Set.of(Form.SCALAR), type, null, usual, "", sentence));
  }

  /** @param remedy what to do if the key is missing */
  public <T> Key<T> required(String name, Type<T> type, String example, String remedy, String sentence) {
    return add(new Key<>(name, Set.of(Form.SCALAR), type, null, example, remedy, sentence));
  }

  public <T> Key<T> list(String name, Type<T> type, String usual, String sentence) {
    return add(new Key<>(name, Set.of(Form.LIST), type, null, usual, "", sentence));
  }

  /** Declares a key whose value is a mapping from names that the administrator chooses. */
  public <T> Key<T> map(String name, Type<T> type, String usual, String sentence) {
    return add(new Key<>(name, Set.of(Form.MAP), type, null, usual, "", sentence));
  }

  /** As {@link #map}, with lists of values. */
  public <T> Key<T> lists(String name, Type<T> type, String usual, String sentence) {
    return add(new Key<>(name, Set.of(Form.LISTS), type, null, usual, "", sentence));
  }

  public Key<Void> section(String name, Section section, String sentence) {
    return add(new Key<>(name, Set.of(Form.SECTION), null, section, "", "", sentence));
  }

  public Key<Void> sections(String name, Section section, String sentence) {
    return add(new Key<>(name, Set.of(Form.SECTIONS), null, section, "", "", sentence));
  }

  /** Declares a key whose value is a mapping from names that the administrator chooses to sections. */
  public Key<Void> namedSections(String name, Section section, String sentence) {
    return add(new Key<>(name, Set.of(Form.NAMED_SECTIONS), null, section, "", "", sentence));
  }

  /** Declares a key that can be written in several forms. */
  public <T> Key<T> either(String name, Set<Form> forms, Type<T> type, Section section, String usual, String sentence) {
    return add(new Key<>(name, forms, type, section, usual, "", sentence));
  }

  /** As {@link #either(String, Set, Type, Section, String, String)}, without sections. */
  public <T> Key<T> either(String name, Set<Form> forms, Type<T> type, String usual, String sentence) {
    return add(new Key<>(name, forms, type, null, usual, "", sentence));
  }

  private <T> Key<T> add(Key<T> key) {
    keys.add(key);
    return key;
  }

  public boolean has(String name) {
    return keys.stream().anyMatch(key -> key.name().equals(name));
  }

  /** Returns what to do about a key that is not declared here. */
  public String remedy(String unknown, Map<String, Set<String>> places) {
    List<String> names = keys.stream().map(Key::name).toList();
    Optional<String> meant =
        keys.stream().filter(key -> key.isElsewhere(unknown)).map(Key::name).findFirst()
            .or(() -> SpellingHints.nearest(unknown, names));
    Set<String> elsewhere = places.getOrDefault(unknown, Set.of());
    String place =
        meant.isPresent() || elsewhere.isEmpty() || elsewhere.size() > MAX_PLACES
            ? ""
            : "it belongs to " + String.join(" or ", elsewhere) + "; ";
    return meant.map(name -> "did you mean " + name + "? ").orElse(place) + "known here: " + String.join(", ", names);
  }

  /** Adds the places of every key below this section, like {@code idp of realms/NAME.yaml}. */
  public void places(String path, String file, Map<String, Set<String>> places) {
    for (Key<?> key : keys) {
      String place = path.isEmpty() ? "the top of " + file : path + " of " + file;
      places.computeIfAbsent(key.name(), k -> new TreeSet<>()).add(place);
      key.subsection().ifPresent(s -> s.places(path.isEmpty() ? key.name() : path + "." + key.name(), file, places));
    }
  }
}
