package dev.gatehouse.gateway.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The two words of an operation's command: resource and verb, from its {@code operationId}, tag and path. */
record CommandNames(String resource, String verb) {

  /**
   * Splits an {@code operationId}. The resource is the tag, or the last word of the path if the operation's noun is exactly that; the
   * verb is what remains without the resource's own words: {@code endSessionsOfPerson} of the tag {@code sessions} is {@code
   * end-of-person}.
   */
  static CommandNames of(String operationId, String tag, String path) {
    List<String> words = words(operationId);
    String noun = String.join("-", words.subList(1, words.size()));
    String last = Arrays.stream(path.split("/")).filter(part -> !part.isEmpty() && !part.startsWith("{")).reduce("", (a, b) -> b);
    String resource = noun.equals(last) && !singular(noun).equals(singular(tag)) ? noun : tag;
    String verb = String.join("-", without(words, List.of(resource.split("-"))));
    return new CommandNames(resource, verb.isEmpty() ? kebab(operationId) : verb);
  }

  /** Returns a name like {@code requestId} or {@code If-Match} in lower case with hyphens. */
  static String kebab(String name) {
    return String.join("-", words(name));
  }

  private static List<String> words(String name) {
    return Arrays.stream(name.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT).split("[^a-z0-9]+"))
        .filter(word -> !word.isEmpty())
        .toList();
  }

  private static List<String> without(List<String> words, List<String> resource) {
    List<String> plain = resource.stream().map(CommandNames::singular).toList();
    for (int i = 0; i + plain.size() <= words.size(); i++) {
      if (words.subList(i, i + plain.size()).stream().map(CommandNames::singular).toList().equals(plain)) {
        List<String> left = new ArrayList<>(words.subList(0, i));
        left.addAll(words.subList(i + plain.size(), words.size()));
        return left;
      }
    }
    return words;
  }

  private static String singular(String word) {
    if (word.equals("people")) {
      return "person";
    }
    if (word.endsWith("ies")) {
      return word.substring(0, word.length() - 3) + "y";
    }
    return word.endsWith("s") && !word.endsWith("ss") ? word.substring(0, word.length() - 1) : word;
  }
}
