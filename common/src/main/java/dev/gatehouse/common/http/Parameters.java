package dev.gatehouse.common.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Parameters of a query or of an {@code application/x-www-form-urlencoded} body, in order. Stores the raw text of each value,
 * because the SAML Redirect binding signs the text as it was sent and not its decoded form (SAML Bindings 3.4.4.1).
 */
public final class Parameters {

  private static final int MAX = 200;

  /** One parameter: name and value decoded, and the value as it was sent. */
  public record Parameter(String name, String value, String rawValue) {}

  /** The text cannot be read as parameters; the message names what is wrong without repeating the text. */
  public static final class Malformed extends RuntimeException {
    private static final long serialVersionUID = 1;

    Malformed(String message) {
      super(message, null, false, false);
    }
  }

  private static final Parameters NONE = new Parameters(List.of());

  private final List<Parameter> parameters;

  private Parameters(List<Parameter> parameters) {
    this.parameters = parameters;
  }

  public static Parameters none() {
    return NONE;
  }

  /** Reads {@code a=b&c=d}; throws {@link Malformed} for a bad escape, bad UTF-8 or more than 200 parameters. */
  public static Parameters parse(String raw) {
    if (raw.isEmpty()) {
      return NONE;
    }
    List<Parameter> parameters = new ArrayList<>();
    for (String pair : raw.split("&", -1)) {
      if (pair.isEmpty()) {
        continue;
      }
      if (parameters.size() == MAX) {
        throw new Malformed("more than " + MAX + " parameters");
      }
      int equals = pair.indexOf('=');
      String name = equals < 0 ? pair : pair.substring(0, equals);
      String value = equals < 0 ? "" : pair.substring(equals + 1);
      parameters.add(new Parameter(decode(name), decode(value), value));
    }
    return new Parameters(List.copyOf(parameters));
  }

  public List<Parameter> all() {
    return parameters;
  }

  /** Returns the only value of that name, if any; throws {@link Malformed} if there are several. */
  public Optional<String> one(String name) {
    return oneParameter(name).map(Parameter::value);
  }

  /** As {@link #one}, with the raw value. */
  public Optional<Parameter> oneParameter(String name) {
    Parameter found = null;
    for (Parameter parameter : parameters) {
      if (parameter.name().equals(name)) {
        if (found != null) {
          throw new Malformed("the parameter " + name + " occurs more than once");
        }
        found = parameter;
      }
    }
    return Optional.ofNullable(found);
  }

  private static String decode(String text) {
    if (text.indexOf('%') < 0 && text.indexOf('+') < 0) {
      return text;
    }
    byte[] sent = text.getBytes(StandardCharsets.UTF_8);
    byte[] out = new byte[sent.length];
    int length = 0;
    int bits = 0;
    for (int i = 0; i < sent.length; i++) {
      if (sent[i] == '+') {
        out[length++] = ' ';
      } else if (sent[i] != '%') {
        out[length++] = sent[i];
      } else {
        int high = i + 2 < sent.length ? Character.digit(sent[i + 1], 16) : -1;
        int low = i + 2 < sent.length ? Character.digit(sent[i + 2], 16) : -1;
        if (high < 0 || low < 0) {
          throw new Malformed("a percent sign without two hexadecimal digits");
        }
        out[length++] = (byte) (high << 4 | low);
        i += 2;
      }
      bits |= out[length - 1];
    }
    if (bits >= 0) {
      // All of it is ASCII.
      return new String(out, 0, length, StandardCharsets.ISO_8859_1);
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT)
          .decode(ByteBuffer.wrap(out, 0, length))
          .toString();
    } catch (CharacterCodingException e) {
      throw new Malformed("a parameter is not UTF-8");
    }
  }

  /** Returns the names only: values may be secret. */
  @Override
  public String toString() {
    return parameters.stream().map(Parameter::name).toList().toString();
  }
}
