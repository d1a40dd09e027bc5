package dev.gatehouse.common.codec;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A person's attributes in a packed record: names are words, values are texts. */
public final class PackedAttributes {

  private PackedAttributes() {}

  /** Writes attributes with one value first, as most have one, without a count for each. */
  public static void write(PackedWriter out, Map<String, List<String>> attributes) {
    List<Map.Entry<String, List<String>>> single =
        attributes.entrySet().stream().filter(attribute -> attribute.getValue().size() == 1).toList();
    out.list(
        single,
        (list, attribute) -> {
          list.word(attribute.getKey());
          list.text(attribute.getValue().getFirst());
        });
    List<Map.Entry<String, List<String>>> others =
        attributes.entrySet().stream().filter(attribute -> attribute.getValue().size() != 1).toList();
    out.list(
        others,
        (list, attribute) -> {
          list.word(attribute.getKey());
          list.list(attribute.getValue(), PackedWriter::text);
        });
  }

  public static Map<String, List<String>> read(PackedReader in) {
    Map<String, List<String>> attributes = new LinkedHashMap<>();
    in.list(single -> Map.entry(single.word(), List.of(single.text())))
        .forEach(single -> attributes.put(single.getKey(), single.getValue()));
    in.list(other -> Map.entry(other.word(), other.list(PackedReader::text)))
        .forEach(other -> attributes.put(other.getKey(), other.getValue()));
    return Collections.unmodifiableMap(attributes);
  }
}
