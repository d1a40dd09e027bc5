package dev.gatehouse.idp.agent.socket;

import dev.gatehouse.idp.agent.server.Asked;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A question at the socket: lines in UTF-8, each a word, a space and a value up to the end of the line, ended by an empty line. {@code
 * name} and {@code passcode} must be there, {@code challenge} and {@code address} may.
 */
final class PamMessage {

  /** The most bytes of a question with its empty line. */
  static final int LONGEST = 4096;

  private static final Set<String> WORDS = Set.of("name", "passcode", "challenge", "address");

  private PamMessage() {}

  /** Reads a question without its empty line; nothing if it is none. */
  static Optional<Asked> read(byte[] bytes, int length) {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length)).toString();
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
    Map<String, String> values = new HashMap<>();
    for (String line : text.split("\n", -1)) {
      int space = line.indexOf(' ');
      String word = space < 0 ? line : line.substring(0, space);
      if (!WORDS.contains(word) || space < 0 || values.put(word, line.substring(space + 1)) != null) {
        return Optional.empty();
      }
    }
    Optional<String> name = Optional.ofNullable(values.get("name"));
    Optional<String> passcode = Optional.ofNullable(values.get("passcode"));
    return name.isPresent() && passcode.isPresent()
        ? Optional.of(
            new Asked(name.get(), passcode.get(), Optional.ofNullable(values.get("challenge")), values.getOrDefault("address", "")))
        : Optional.empty();
  }
}
