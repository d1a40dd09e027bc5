package dev.gatehouse.common.pkcs11;

import dev.gatehouse.common.node.Pkcs11Config.Pin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Map;

/** Reads a PIN for one login. */
final class PinSource {

  private PinSource() {}

  /** Returns the PIN, which the caller overwrites; throws {@link TokenUnavailable} if there is none. */
  static byte[] read(String token, Pin pin, Map<String, String> environment) {
    byte[] read =
        switch (pin) {
          case Pin.File(var file) -> {
            try {
              byte[] content = Files.readAllBytes(file);
              byte[] trimmed = Arrays.copyOf(content, length(content));
              Arrays.fill(content, (byte) 0);
              yield trimmed;
            } catch (IOException e) {
              throw new TokenUnavailable(
                  "The PIN of the token " + token + " cannot be read from " + file + ": write it there, readable for the node's user only.");
            }
          }
          case Pin.Variable(String name) -> environment.getOrDefault(name, "").strip().getBytes(StandardCharsets.UTF_8);
        };
    if (read.length == 0) {
      throw new TokenUnavailable("The PIN of the token " + token + " is empty: write it into " + shown(pin) + ".");
    }
    return read;
  }

  /** Returns where the PIN is, for messages. */
  static String shown(Pin pin) {
    return switch (pin) {
      case Pin.File(var file) -> file.toString();
      case Pin.Variable(String name) -> "the environment variable " + name;
    };
  }

  private static int length(byte[] content) {
    int end = content.length;
    while (end > 0 && (content[end - 1] == '\n' || content[end - 1] == '\r')) {
      end--;
    }
    return end;
  }
}
