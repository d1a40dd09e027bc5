package dev.gatehouse.gateway.message;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The fields behind the body of an HTTP/2 request, read as strictly as its head (RFC 9113, section 8.1). */
public final class Http2Trailers {

  private static final int MOST = 32;

  private final HeadBuffer lines = new HeadBuffer();
  private @Nullable Malformation malformation;

  /** The next field. */
  public void field(byte[] names, int nameStart, int nameEnd, byte[] values, int valueStart, int valueEnd) {
    if (malformation != null) {
      return;
    }
    if (nameStart < nameEnd && names[nameStart] == ':') {
      malformation = Malformation.PSEUDO_FIELD;
      return;
    }
    malformation = Http2RequestHeads.check(names, nameStart, nameEnd, values, valueStart, valueEnd);
    if (malformation == null && FieldName.of(names, nameStart, nameEnd).isHopByHop()) {
      malformation = Malformation.CONNECTION_FIELD;
    }
    lines.put(names, nameStart, nameEnd).put(':').put(' ').put(values, valueStart, valueEnd).endLine();
  }

  /** What is wrong with them, if something is. */
  public @Nullable Malformation malformation() {
    return malformation;
  }

  /** They as they are, where nothing is wrong; nothing where there are none, or more than anybody needs. */
  public @Nullable Fields fields() {
    if (lines.length() == 0) {
      return null;
    }
    lines.endLine();
    try {
      return FieldParser.parse(Arrays.copyOf(lines.array(), lines.length()), 0, lines.length(), MOST);
    } catch (MalformedMessage e) {
      return null;
    }
  }
}
