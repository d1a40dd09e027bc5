package dev.gatehouse.common.realm.file;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Hints for keys in the wrong place: finds the place of a key in the configuration's reference page. */
final class MisplacedKeyHints {

  private static final String REFERENCE = "/configuration-reference.yaml";
  private static final List<String> FILES = List.of("gatehouse.yaml", "realms/NAME.yaml");
  private static final int MAX_PLACES = 3;

  /** Initialised at the first mistake; most configurations have none. */
  private static final class Holder {
    static final Map<String, Set<String>> PLACES = read();
  }

  private MisplacedKeyHints() {}

  /** Returns {@code "it belongs to idp of realms/NAME.yaml"}; empty if no place, or too many, have such a key. */
  static Optional<String> hint(String key) {
    Set<String> places = Holder.PLACES.getOrDefault(key, Set.of());
    return places.isEmpty() || places.size() > MAX_PLACES
        ? Optional.empty()
        : Optional.of("it belongs to " + String.join(" or ", places));
  }

  private static Map<String, Set<String>> read() {
    Map<String, Set<String>> places = new HashMap<>();
    try (InputStream in = MisplacedKeyHints.class.getResourceAsStream(REFERENCE)) {
      if (in == null) {
        throw new IllegalStateException(REFERENCE + " is missing");
      }
      Reader reader = new InputStreamReader(in, StandardCharsets.UTF_8);
      int file = 0;
      for (Node document : new Yaml().composeAll(reader)) {
        collect(document, "", FILES.get(Math.min(file++, FILES.size() - 1)), places);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return places;
  }

  private static void collect(Node node, String path, String file, Map<String, Set<String>> places) {
    switch (node) {
      case MappingNode mapping -> {
        for (NodeTuple tuple : mapping.getValue()) {
          if (tuple.getKeyNode() instanceof ScalarNode key) {
            String place = path.isEmpty() ? "the top of " + file : path + " of " + file;
            places.computeIfAbsent(key.getValue(), k -> new TreeSet<>()).add(place);
            collect(tuple.getValueNode(), path.isEmpty() ? key.getValue() : path + "." + key.getValue(), file, places);
          }
        }
      }
      case SequenceNode sequence -> sequence.getValue().forEach(item -> collect(item, path, file, places));
      case Node scalar -> {}
    }
  }
}
